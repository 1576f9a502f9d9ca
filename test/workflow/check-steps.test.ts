import { describe, expect, it } from "vitest";
import type { AgentSpec } from "../../src/core/spec.ts";
import type { StepResult } from "../../src/runtime/contract.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { FakeHost, type Scripted } from "./fake-host.ts";

const step = (changes: object = {}): Step<object> => ({
  name: "a",
  spec: { name: "a", instructions: "" },
  prompt: "do",
  ...changes,
});

describe("a workflow from JavaScript", () => {
  it.each([
    [[step({ name: "" })], /has a wrong `name`/],
    [[step({ onFail: "abort" })], /step "a" has a wrong `onFail`/],
    [[step({ retries: "1" })], /wrong `retries`/],
    [[step({ retries: -1 })], /wrong `retries`/],
    [[step({ gate: "yes" })], /wrong `gate`/],
    [[step({ fork: "yes" })], /wrong `fork`/],
    [[step({ gates: () => false })], /wrong form: .*gates/],
    [[step(), step()], /two steps named "a"/],
    [[step({ resumeFrom: "b" })], /which is no earlier step/],
    [[undefined], /a step of the workflow has a wrong form/],
    [undefined, /needs a list of steps/],
    [[step({ spec: undefined })], /the agent of step "a" has a wrong form/],
    [[step({ spec: "a" })], /the agent of step "a" has a wrong form/],
    [[step({ spec: { name: "w", instructions: "", maxTurn: 3 } })], /the agent "w" of step "a" .*maxTurn/],
  ])("is refused when a step cannot be run as it is written: %#", (steps, message) => {
    expect(() => new Workflow(steps as Step<object>[])).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringMatching(message) as string }) as Error,
    );
  });

  it.each([undefined, null, "no", 0, { rejected: 1 }])("ends when its gate answers %j", async (answer) => {
    const host = new FakeHost({ a: ["made"] });
    const flow = new Workflow([step({ gate: () => answer })]);
    await expect(flow.run(host, {})).rejects.toThrow(/the gate of step "a" answered/);
  });

  it.each([() => undefined, () => ({ name: "a" }), async () => Promise.resolve(step().spec)])(
    "ends when a step makes no agent: %#",
    async (spec) => {
      const flow = new Workflow([step({ spec })]);
      await expect(flow.run(new FakeHost({}), {})).rejects.toThrow(
        /^the agent (?:"a" )?of step "a" has a wrong/,
      );
    },
  );

  it("ends when a prompt is a promise", async () => {
    const flow = new Workflow([step({ prompt: async () => Promise.resolve("do") })]);
    await expect(flow.run(new FakeHost({}), {})).rejects.toThrow(/`prompt` of step "a" made no text/);
  });
});

// Fails when `undefined` as a reason is taken for a yes.
it("a gate that answers false rejects, and the next attempt is told so", async () => {
  const host = new FakeHost({ a: ["one"], "a#round2": ["two"] });
  let reduced = false;
  const flow = new Workflow([step({ gate: () => false, retries: 1, reduce: () => (reduced = true) })]);
  const ended = await flow.run(host, {});
  expect(ended).toMatchObject({ ok: false, stopped: { step: "a" } });
  expect(reduced).toBe(false);
  expect(host.calls.at(-1)?.prompt).toMatch(/not accepted/);
});

describe("limits of a step", () => {
  const limited = async (limits: Partial<AgentSpec>, rounds: Array<Partial<StepResult>>) => {
    const script: Record<string, Scripted[]> = {};
    for (const [i, round] of rounds.entries()) script[i === 0 ? "a" : `a#round${i + 1}`] = [round];
    const host = new FakeHost(script);
    const spec = { name: "a", instructions: "", ...limits };
    const ended = await new Workflow([step({ spec, retries: 5, gate: () => ({ rejected: "not yet" }) })]).run(
      host,
      {},
    );
    return { reason: ended.stopped?.reason, spent: host.calls.map(({ options }) => options.spent) };
  };

  it("are for all of its rounds", async () => {
    expect(await limited({ maxTurns: 3 }, [{ numTurns: 1 }, { numTurns: 2 }])).toEqual({
      reason: "the limit of 3 turns is used up: not yet",
      spent: [undefined, { turns: 1, costUsd: 0 }],
    });
    expect(
      await limited({ maxBudgetUsd: 0.5 }, [
        { costUsd: 0.25 },
        { costUsd: 0.125, predecessorCostUsd: 0.125 },
      ]),
    ).toEqual({
      reason: "the limit of $0.5 is used up: not yet",
      spent: [undefined, { turns: 1, costUsd: 0.25 }],
    });
  });
});

describe("a step that goes on from one that an earlier run did", () => {
  const steps = [step({ when: () => false }), step({ name: "b", resumeFrom: "a", fork: true })];
  const start = async (sessions: FakeHost["sessions"], continuous = true) => {
    const host = new FakeHost({ b: ["x"] });
    Object.assign(host.sessions, sessions);
    await new Workflow(steps, { continuous }).run(host, {});
    return { ...host.calls[0]?.options, said: host.said };
  };

  it("has its session", async () => {
    expect(await start({ a: { sessionId: "s1" } })).toMatchObject({ resume: "s1", fork: true });
    expect(await start({ a: { sessionId: "s1", handoff: "started" } })).toMatchObject({ resume: "s1" });
  });

  it("has none of one that this run did and skips for its failure", async () => {
    const host = new FakeHost({ a: ["x"], b: ["y"] }, ({ options }) => {
      host.sessions[options.stepName ?? ""] = { sessionId: "s1" };
    });
    const gate = (): { rejected: string } => ({ rejected: "bad" });
    await new Workflow([step({ gate, onFail: "skip" }), steps[1] ?? step()]).run(host, {});
    expect(host.calls[1]?.options).not.toHaveProperty("resume");
  });

  it("has its own, where there is one", async () => {
    expect(await start({ a: { sessionId: "s1" }, b: { sessionId: "s2" } })).toMatchObject({ resume: "s2" });
  });

  it("has none that is being handed over, nor one of another run where nothing goes on", async () => {
    expect(await start({ a: { sessionId: "s1", handoff: "frozen" } })).not.toHaveProperty("resume");
    expect(await start({ a: { sessionId: "s1" } }, false)).not.toHaveProperty("resume");
  });
});
