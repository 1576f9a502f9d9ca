// The long task by flower: a coordinator cuts it into parts, workers make the steps and report.
import { Runtime, coordinator, worker } from "../dist/index.js";
import { charsOf } from "../dist/context/spill-text.js";
import { projectKeyOf } from "../dist/runtime/project-key.js";
import { MemorySessionStore } from "../dist/store/index.js";
import { call, say, startRehearsal, together } from "../dist/testing/index.js";
import { figures } from "./economics-figures.mjs";
import { lastStep, prose, stepReply } from "./economics-steps.mjs";

/** A report has at most 30 lines; these are as long as the lines of reports are. */
const report = (chars) => say(prose(chars).replace(/(.{70}) /g, "$1\n"));

/** The model's messages since the last prompt. */
function messagesOfTurn({ messages }) {
  const isPrompt = ({ role, content }) =>
    role === "user" &&
    /Carry out day \d+/.test(typeof content === "string" ? content : JSON.stringify(content));
  return messages.slice(messages.findLastIndex(isPrompt)).filter(({ role }) => role === "assistant").length;
}

/** A dispatch: the task brief names the steps. */
const dispatch = (task, from, to) =>
  call("Agent", {
    subagent_type: "worker",
    description: `Steps ${from} to ${to}`,
    prompt: `Carry out steps ${from} to ${to}. ${prose(task.briefChars)}`,
  });

/** What the coordinator says in a day, message by message: looks, sends its agents out, closes the day. */
function dayScript({ task, from, to, sideBySide }) {
  const parts = [];
  for (let start = from; start <= to; start += task.dispatchSteps) {
    const end = Math.min(to, start + task.dispatchSteps - 1);
    const each = Math.ceil((end - start + 1) / sideBySide);
    const agents = [];
    for (let at = start; at <= end; at += each) agents.push(dispatch(task, at, Math.min(end, at + each - 1)));
    parts.push(together(say(prose(300)), ...agents));
  }
  return [
    together(say(prose(200)), call("Bash", { command: "git status -s | head -20" })),
    ...parts,
    say(prose(task.reportChars)),
  ];
}

/** Runs all days; `sideBySide` is how many workers share the steps of one dispatch. */
export async function flower({ dir, workspace, days, task, clock, sideBySide }) {
  const seen = figures();
  let today = 0;
  const scripts = days.map((to, i) => dayScript({ task, from: (days[i - 1] ?? 0) + 1, to, sideBySide }));
  const rehearsal = await startRehearsal({
    clock,
    contextWindow: task.windowTokens,
    keepBodies: false,
    scenario: {
      name: "economics, flower",
      expectRefusals: ["window"],
      actors: [
        {
          name: "worker",
          when: (request) => request.isSubagent,
          script: (request) => {
            clock.advance(task.requestMs / sideBySide);
            seen.seen(request, rehearsal.journal.at(-1), `day ${today + 1}`);
            const [, from, to] = /steps (\d+) to (\d+)/.exec(request.firstUserText).map(Number);
            const step = Math.max(from, lastStep(request.messages) + 1);
            return step > to ? report(task.workerReportChars) : stepReply(workspace, step);
          },
        },
        {
          name: "coordinator",
          when: () => true,
          script: (request) => {
            clock.advance(task.requestMs);
            seen.seen(request, rehearsal.journal.at(-1), `day ${today + 1}`);
            return scripts[today][messagesOfTurn(request)];
          },
        },
      ],
    },
  });
  const store = new MemorySessionStore();
  const spec = {
    ...coordinator("work", "", {
      worker: worker("Does hands-on work in the workspace.", "You are a worker in a team of agents."),
    }),
    model: task.model,
  };
  let failed = 0;
  let sessionId;
  let projectKey;
  try {
    for (today = 0; today < days.length; today += 1) {
      if (today > 0) clock.advance(task.nightMs);
      const runtime = new Runtime({
        workspace,
        runDir: `${dir}/runs`,
        workbench: true,
        trim: true,
        handoff: { enabled: true, window: task.windowTokens },
        store,
        env: { ...process.env, ...rehearsal.env, HOME: dir },
        onEvent: (event) => {
          if (event.type === "toolResult" && event.isError) failed += 1;
        },
      });
      const result = await runtime.run(
        spec,
        task.prompt(today),
        sessionId === undefined ? {} : { resume: sessionId },
      );
      projectKey = projectKeyOf(runtime.options.workspace, runtime.options.runDir);
      await runtime.close();
      if (!result.ok) throw new Error(result.error);
      sessionId = result.sessionId;
    }
    rehearsal.assertDone();
    return { ...seen.result(), ...(await bodyChars(store, { projectKey, sessionId })), failed };
  } finally {
    await rehearsal.close({ check: false });
  }
}

/** Characters of the bodies of all messages, main thread and subagents apart. */
async function bodyChars(store, key) {
  const of = async (subpath) => {
    const entries = (await store.load({ ...key, ...(subpath === undefined ? {} : { subpath }) })) ?? [];
    return charsOf(entries.map((entry) => entry.message?.content));
  };
  const subagents = await Promise.all((await store.listSubkeys(key)).map(of));
  return { mainChars: await of(), subagentChars: subagents.reduce((sum, chars) => sum + chars, 0) };
}
