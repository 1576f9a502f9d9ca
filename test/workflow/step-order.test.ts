import { describe, expect, it } from "vitest";
import { apiError, say } from "../../src/testing/index.ts";
import { StepAbort, type Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { main, messagesText, SPEC, stage, type Stage } from "../support/stage.ts";
import { FakeHost } from "./fake-host.ts";

interface Context {
  log: string[];
}

/** A step of every field, each of which writes down that it was asked. */
function logged(name: string, changes: Partial<Step<Context>> = {}): Step<Context> {
  return {
    name,
    spec: ({ log }) => (log.push(`${name} spec`), SPEC),
    prompt: ({ log }) => (log.push(`${name} prompt`), `start ${name}`),
    when: async ({ log }) => Promise.resolve(log.push(`${name} when`) > 0),
    gate: async ({ text }, { log }, attempt) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${name} gate ${attempt} ${text}`);
      return text.startsWith("good") ? true : { rejected: text };
    },
    onReject: async (reason, { sessionId }, { log }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${name} onReject ${reason}`);
      return `better than ${reason}, ${sessionId === undefined ? "anywhere" : "there"}`;
    },
    reduce: async ({ text }, { log }) => Promise.resolve(void log.push(`${name} reduce ${text}`)),
    ...changes,
  };
}

/** Answers by the words of the prompt, and writes down in the same log that it was asked. */
async function run(
  steps: Array<Step<Context>>,
  replies: Record<string, string>,
): Promise<{ log: string[]; ended: Awaited<ReturnType<Workflow<Context>["run"]>>; at: Stage }> {
  const context: Context = { log: [] };
  const actor = main(({ lastUserText }) => {
    const [prompt = ""] = lastUserText.split("\n");
    // Once a run: the harness asks again when it was refused.
    if (context.log.at(-1) !== `run: ${prompt}`) context.log.push(`run: ${prompt}`);
    const reply = replies[prompt] ?? "unscripted";
    return reply === "refused" ? apiError(401, "refused") : say(reply);
  });
  const at = await stage([actor], { resilience: false });
  const ended = await new Workflow(steps).run(at.runtime, context);
  return { log: context.log, ended, at };
}

describe("the order of a step's fields, on the real harness", () => {
  it("when, run, gate once an attempt, onReject, next attempt in the same session, reduce", async () => {
    const { log, ended, at } = await run([logged("a", { retries: 2 })], {
      "start a": "bad",
      "better than bad, there": "good at last",
    });
    expect(log).toEqual([
      "a when",
      "a spec",
      "a prompt",
      "run: start a",
      "a gate 1 bad",
      "a onReject bad",
      "run: better than bad, there",
      "a gate 2 good at last",
      "a reduce good at last",
    ]);
    expect(ended.ok).toBe(true);
    expect(new Set(ended.results.map(({ sessionId }) => sessionId)).size).toBe(1);
    // The second attempt sees the first: one conversation.
    expect(messagesText(at.rehearsal, at.rehearsal.journal.length - 1)).toMatch(/start a[^]*bad[^]*better/);
  });

  it("a failed run has no gate and no further attempt; onFail decides, and the next step begins", async () => {
    const { log, ended } = await run(
      [
        logged("a", { retries: 3, onFail: "continue" }),
        logged("b", { retries: 3, onFail: "skip" }),
        logged("c", { when: () => false }),
        logged("d", { retries: 3, gate: async () => Promise.reject(new StepAbort("hopeless")) }),
        logged("e"),
      ],
      { "start a": "refused", "start b": "refused", "start d": "good" },
    );
    expect(log).toEqual([
      ...["a when", "a spec", "a prompt", "run: start a", "a reduce "],
      ...["b when", "b spec", "b prompt", "run: start b"],
      ...["d when", "d spec", "d prompt", "run: start d"],
    ]);
    expect(ended.stopped).toEqual({ step: "d", reason: "hopeless" });
    expect(ended.results.map(({ ok }) => ok)).toEqual([false, false, true]);
  });
});

describe("a step that was renamed", () => {
  const step = (name: string, changes: Partial<Step<Context>> = {}): Step<Context> => ({
    name,
    spec: SPEC,
    prompt: name,
    ...changes,
  });

  /** What is said in a directory that holds sessions of these names. */
  async function said(kept: readonly string[], steps: Array<Step<Context>>, continuous = true) {
    const host = new FakeHost(Object.fromEntries(steps.map(({ name }) => [name, ["x"]])));
    Object.assign(host.lineage, { steps: kept });
    for (const name of kept) host.sessions[name] = { sessionId: `s of ${name}` };
    await new Workflow(steps, { continuous }).run(host, { log: [] });
    return host.said;
  }

  it("is told once, with the old name and what to do", async () => {
    const line = await said(["draft", "check"], [step("sketch"), step("check"), step("extra")]);
    expect(line.trim().split("\n")).toHaveLength(1);
    expect(line).toMatch(/"sketch" begins afresh.*of "draft",.*give it the old name back/);
  });

  it("is told of each when several were", async () => {
    const line = await said(["draft", "check"], [step("sketch"), step("review"), step("extra")]);
    expect(line.match(/"\w+" begins afresh/g)).toEqual(['"sketch" begins afresh', '"review" begins afresh']);
  });

  it.each<[string, string[], Array<Step<Context>>, boolean?]>([
    ["nothing was renamed", ["a", "b"], [step("a"), step("b")]],
    ["a step was added", ["a"], [step("a"), step("b")]],
    ["a step was taken out, and all others have their sessions", ["a", "b"], [step("a")]],
    ["the session is of once", ["once"], [step("a")]],
    ["the step never goes on", ["draft"], [step("sketch", { continuous: false })]],
    ["the workflow never goes on", ["draft"], [step("sketch")], false],
    ["it goes on from another step", ["a", "draft"], [step("a"), step("sketch", { resumeFrom: "a" })]],
    ["it is skipped", ["draft"], [step("sketch", { when: () => false })]],
    ["nothing was kept", [], [step("sketch")]],
  ])("is not told when %s", async (_name, kept, steps, continuous) => {
    expect((await said(kept, steps, continuous)).trim()).toBe("");
  });

  it("is told by the runtime's own lineage", async () => {
    const at = await stage([main(() => say("x"))]);
    await new Workflow([step("draft")]).run(at.runtime, { log: [] });
    await new Workflow([step("sketch")]).run(at.runtime, { log: [] });
    const lines = at.seen.events.map((event) => (event.type === "system" ? event.message : ""));
    expect(lines.join("\n")).toMatch(/"sketch" begins afresh.*"draft"/);
  });
});
