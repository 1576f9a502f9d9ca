// A question to the person stays open for a long time; the answer still reaches the session, and nothing is asked twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coordinator, HumanChannel, Runtime, worker } from "../dist/index.js";
import { call, say, startRehearsal } from "../dist/testing/index.js";

/** Seconds before the answer: longer than half an hour, which is the command's own limit for a question. */
const LONG_WAIT_S = 2_100;
const SHORT_WAIT_S = 3;

const ASK = call("mcp__flower__ask", { question: "tabs or spaces?" });
const heard = (request) =>
  say(JSON.stringify(request.messages.at(-1)).includes("spaces, always") ? "heard" : "deaf");

/** Who asks: the main thread itself, or a subagent that the main thread waits for. */
const CASTS = {
  "main thread": [{ name: "main", when: () => true, script: [ASK, heard] }],
  subagent: [
    { name: "sub", when: (request) => request.isSubagent, script: [ASK, heard] },
    {
      name: "main",
      when: () => true,
      script: [
        call("Agent", { description: "ask", prompt: "ask the person", subagent_type: "worker" }),
        (request) => say(JSON.stringify(request.messages.at(-1)).includes("heard") ? "heard" : "deaf"),
      ],
    },
  ],
};

async function waitIn(who, waitS) {
  const dir = mkdtempSync(join(tmpdir(), "flower-probe-"));
  const rehearsal = await startRehearsal({ scenario: { name: `ask in ${who}`, actors: CASTS[who] } });
  const channel = new HumanChannel({ timeoutMs: null });
  let askedMs = 0;
  const runtime = new Runtime({
    workspace: dir,
    channel,
    env: { ...process.env, ...rehearsal.env, HOME: dir },
    onEvent: (event) => {
      if (event.type !== "ask" || event.phase !== "asked") return;
      askedMs = Date.now();
      setTimeout(() => channel.answer(event.id, "spaces, always"), waitS * 1_000);
    },
  });
  try {
    const workers = { worker: worker("asks", "You ask.", { ask: true }) };
    const result = await runtime.run(coordinator("work", "", workers, { channel }), "begin");
    const waitedS = (Date.now() - askedMs) / 1_000;
    if (!result.ok || result.text !== "heard") throw new Error(`${who}: ${result.error ?? result.text}`);
    if (result.attempts !== 1 || waitedS < waitS)
      throw new Error(`${who}: ${result.attempts} attempts, ${waitedS} s`);
    rehearsal.assertDone();
    return `${who}, ${waitedS.toFixed(0)} s, ${rehearsal.journal.length} requests`;
  } finally {
    await runtime.close();
    await rehearsal.close({ check: false });
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function askWaits({ long }) {
  const waitS = long ? LONG_WAIT_S : SHORT_WAIT_S;
  return Promise.all(Object.keys(CASTS).map((who) => waitIn(who, waitS)));
}
