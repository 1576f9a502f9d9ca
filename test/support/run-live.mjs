// Feeds the live terminal with made-up events, as a run would: `run-live.mjs EVENTS`; a typed line is answered with
// what it was, `ask AB` opens two questions, `at a 1: B` another one as soon as a 1 stands in the line, `quit` ends. Prints the growth of memory over the second half of the events.
import { lineScreen } from "../../dist/cli/screen.js";
import { openTerminal } from "../../dist/cli/terminal/open.js";

const events = Number(process.argv[2]);
/** The open questions. */
let questions = [];
const screen = lineScreen({ locale: "en", verbose: true, rounds: 3, budgetUsd: 5 });
const heapAfter = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const lines = await openTerminal({
  screen,
  env: process.env,
  onInterrupt: () => screen.say("interrupted"),
  taker: {
    pending: () => questions[0],
    keeps(text) {
      screen.say(`kept: ${JSON.stringify(text)}`);
      return true;
    },
    answer(text) {
      screen.say(`answered ${questions.shift()}: ${JSON.stringify(text)}`);
    },
    nobodyThere: () => undefined,
    message(text) {
      screen.say(`said: ${JSON.stringify(text)}`);
      if (text === "quit") lines.close();
      if (text.startsWith("ask ")) questions = [...text.slice(4)];
      // The question changes under a line that is being typed.
      const [, to] = /^at a 1: (\w*)$/.exec(text) ?? [];
      if (to === undefined) return;
      const looking = setInterval(() => {
        if (lines.typed() !== "1") return;
        clearInterval(looking);
        questions = [...to];
        screen.say(`open: ${to}`);
      }, 10);
    },
  },
});
const emit = (event) => screen.listener({ runId: "r", step: "work", timeMs: Date.now(), ...event });
emit({ type: "step", phase: "started", name: "work", index: 3, total: 3 });
emit({ type: "task", taskId: "a1", phase: "started", description: "look at 解析器 and its tests" });
emit({ type: "task", taskId: "a2", phase: "started", description: "write the converter" });
let halfway = 0;
for (let n = 1; n <= events; n += 1) {
  const id = `t${n}`;
  const agentId = n % 2 === 0 ? "a1" : "a2";
  emit({ type: "toolCall", id, agentId, name: "Bash", input: { command: `echo line ${n} of ${events}` } });
  emit({
    type: "usage",
    context: 40_000 + n,
    window: 200_000,
    at: 150_000,
    costUsd: 1.5,
    costIsEstimate: false,
    tokens: {},
  });
  // As events come: a few at a time.
  if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  if (n === events / 2) halfway = heapAfter();
}
if (globalThis.gc !== undefined) screen.say(`grown ${((heapAfter() - halfway) / 1_048_576).toFixed(1)} MB`);
screen.say("all events are there");
if (process.argv[3] !== undefined)
  emit({ type: "text", text: JSON.parse(process.argv[3]).replace("LONG", "x".repeat(1e6)) });
