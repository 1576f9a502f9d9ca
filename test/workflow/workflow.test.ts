import { describe, expect, it } from "vitest";
import { StepAbort, type Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { failure, FakeHost, type Scripted } from "./fake-host.ts";

interface Context {
  log: string[];
}

const SPEC = { name: "agent", instructions: "" };

/** A step whose every field writes down that it was asked. */
function logged(changes: Partial<Step<Context>> = {}): Step<Context> {
  return {
    name: "a",
    spec: ({ log }) => (log.push("spec"), SPEC),
    prompt: ({ log }) => (log.push("prompt"), "start"),
    when: async ({ log }) => log.push("when") > 0,
    gate: async ({ text }, { log }, attempt) => {
      log.push(`gate ${attempt} ${text}`);
      return text === "good" ? true : { rejected: `${text} will not do` };
    },
    onReject: async (reason, _result, { log }) => (log.push(`onReject ${reason}`), `again: ${reason}`),
    reduce: async ({ text }, { log }) => void log.push(`reduce ${text}`),
    ...changes,
  };
}

async function run(
  script: Record<string, Scripted[]>,
  steps: Array<Step<Context>>,
  host = new FakeHost(script),
): Promise<{ ended: Awaited<ReturnType<Workflow<Context>["run"]>>; host: FakeHost; log: string[] }> {
  const context: Context = { log: [] };
  const ended = await new Workflow(steps).run(host, context);
  return { ended, host, log: context.log };
}

const after = (name = "b"): Step<Context> => ({ name, spec: SPEC, prompt: name });

describe("the fields of a step, in order", () => {
  it.each<[string, Scripted[], Partial<Step<Context>>, string[], string | undefined]>([
    ["accepted at once", ["good"], {}, ["when", "spec", "prompt", "gate 1 good", "reduce good"], undefined],
    [
      "accepted at the second attempt",
      ["bad", "good"],
      { retries: 2 },
      ["when", "spec", "prompt", "gate 1 bad", "onReject bad will not do", "gate 2 good", "reduce good"],
      undefined,
    ],
    ["rejected without a retry", ["bad"], {}, ["when", "spec", "prompt", "gate 1 bad"], "bad will not do"],
    [
      "rejected to the end",
      ["bad", "worse"],
      { retries: 1 },
      ["when", "spec", "prompt", "gate 1 bad", "onReject bad will not do", "gate 2 worse"],
      "worse will not do",
    ],
    ["a failed run: no gate", [failure("refused")], { retries: 2 }, ["when", "spec", "prompt"], "refused"],
    ["skipped", [], { when: () => false }, [], undefined],
    ["skipped after a wait", [], { when: async () => Promise.resolve(false) }, [], undefined],
  ])("%s", async (_name, scripted, changes, log, reason) => {
    const ran = await run({ a: scripted.slice(0, 1), "a#round2": scripted.slice(1) }, [logged(changes)]);
    expect(ran.log).toEqual(log);
    expect(ran.ended.stopped).toEqual(reason === undefined ? undefined : { step: "a", reason });
    expect(ran.ended.ok).toBe(reason === undefined);
    expect(ran.ended.results).toHaveLength(scripted.length);
  });

  it("sends what onReject says into the same session, its process kept only while a further attempt may come", async () => {
    const { host } = await run({ a: ["bad"], "a#round2": ["good"] }, [logged({ retries: 1 })]);
    expect(host.calls.map(({ prompt, options }) => [prompt, options.resume, options.keepAlive])).toEqual([
      ["start", undefined, true],
      ["again: bad will not do", "session of a", false],
    ]);
  });

  it("sends the reason itself when there is no onReject", async () => {
    const step = { ...after("a"), gate: () => ({ rejected: "no" }), retries: 1 };
    const { host } = await run({ a: ["x"], "a#round2": ["x"] }, [step]);
    expect(host.call("a#round2").prompt).toBe("no");
  });

  it("says that a step was skipped, with its place", async () => {
    const { host } = await run({ b: ["x"] }, [logged({ when: () => false }), after()]);
    expect(host.events).toEqual([
      { step: "a", event: { type: "step", phase: "skipped", name: "a", index: 1, total: 2 } },
    ]);
    expect(host.call("b").options.position).toEqual({ index: 2, total: 2 });
  });
});

describe("StepAbort", () => {
  it.each<[string, Partial<Step<Context>>]>([
    [
      "in gate",
      {
        gate: () => {
          throw new StepAbort("hopeless");
        },
      },
    ],
    ["in onReject", { onReject: async () => Promise.reject(new StepAbort("hopeless")) }],
  ])("%s ends the attempts with its reason", async (_name, changes) => {
    const { ended, host } = await run({ a: ["bad"] }, [logged({ retries: 5, ...changes })]);
    expect(ended.stopped).toEqual({ step: "a", reason: "hopeless" });
    expect(host.steps).toEqual(["a"]);
  });

  it("any other error is not swallowed", async () => {
    const step = logged({ gate: async () => Promise.reject(new TypeError("a mistake")), onFail: "continue" });
    await expect(run({ a: ["x"] }, [step])).rejects.toThrow("a mistake");
  });
});

describe("onFail", () => {
  it.each<[Step<Context>["onFail"], string[], string[]]>([
    [undefined, ["a"], []],
    ["stop", ["a"], []],
    ["skip", ["a", "b"], []],
    ["continue", ["a", "b"], ["reduce bad"]],
  ])("%s", async (onFail, steps, reduced) => {
    const first = logged(onFail === undefined ? {} : { onFail });
    const { ended, host, log } = await run({ a: ["bad"], b: ["x"] }, [first, after()]);
    expect(host.steps).toEqual(steps);
    expect(log.filter((line) => line.startsWith("reduce"))).toEqual(reduced);
    expect(ended.ok).toBe(steps.includes("b"));
  });

  it("an interruption ends the workflow whatever onFail says", async () => {
    const interrupted = { ok: false, status: "interrupted", error: "interrupted by the person" } as const;
    const { ended, host } = await run({ a: [interrupted] }, [logged({ onFail: "continue" }), after()]);
    expect(host.steps).toEqual(["a"]);
    expect(ended.stopped?.reason).toBe("interrupted by the person");
  });
});

describe("where a step begins", () => {
  const step: Step<Context> = { ...after("a"), resumePrompt: () => "woken" };

  it.each<[string, Partial<Step<Context>>, string, string | undefined]>([
    ["in its last session, with its short prompt", {}, "woken", "s1"],
    ["fresh when it is not continuous", { continuous: false }, "a", undefined],
  ])("%s", async (_name, changes, prompt, resume) => {
    const host = new FakeHost({ a: ["x"] });
    host.sessions["a"] = { sessionId: "s1" };
    await run({}, [{ ...step, ...changes }], host);
    expect(host.call("a")).toMatchObject({ prompt });
    expect(host.call("a").options.resume).toBe(resume);
  });

  it("fresh when the workflow is not continuous", async () => {
    const host = new FakeHost({ a: ["x"] });
    host.sessions["a"] = { sessionId: "s1" };
    await new Workflow([step], { continuous: false }).run(host, { log: [] });
    expect(host.call("a").options.resume).toBeUndefined();
  });

  it.each([
    ["frozen" as const, "the document", "taken over: the document", undefined],
    ["frozen" as const, undefined, "woken", "s1"],
    ["writing" as const, "the document", "woken", "s1"],
    ["started" as const, "the document", "woken", "s1"],
  ])("handoff %s, file %s", async (handoff, document, prompt, resume) => {
    const host = new FakeHost({ a: ["x"] });
    host.sessions["a"] = { sessionId: "s1", handoff };
    if (document !== undefined) host.handoffs["a"] = document;
    await run({}, [{ ...step, successorPrompt: (text) => `taken over: ${text}` }], host);
    expect(host.call("a")).toMatchObject({ prompt });
    expect(host.call("a").options.resume).toBe(resume);
  });

  it("goes on from another step's session, in a copy when it forks", async () => {
    const { host } = await run({ a: ["x"], b: ["x"], c: ["x"] }, [
      after("a"),
      { ...after("b"), resumeFrom: "a", fork: true },
      { ...after("c"), resumeFrom: "b" },
    ]);
    expect(host.call("b").options).toMatchObject({ resume: "session of a", fork: true });
    expect(host.call("c").options.resume).toBe("session of a fork");
    expect(host.call("c").options.fork).toBeUndefined();
  });

  it("does not go on from a step that failed and was skipped", async () => {
    const { host } = await run({ a: ["bad"], b: ["x"] }, [
      logged({ onFail: "skip" }),
      { ...after(), resumeFrom: "a" },
    ]);
    expect(host.call("b").options.resume).toBeUndefined();
    // Neither is done in silence.
    expect(host.said).toContain("the workflow goes on without it (onFail: skip)");
    expect(host.said).toContain('step "b" begins afresh: "a", which it goes on from, left no session');
  });

  it.each([
    ["a name that comes twice", [after("a"), after("a")], /two steps named "a"/],
    ["a later step", [{ ...after("a"), resumeFrom: "b" }, after("b")], /"b", which is no earlier step/],
  ])("refuses %s", (_name, steps, message) => {
    expect(() => new Workflow(steps)).toThrow(message);
  });
});
