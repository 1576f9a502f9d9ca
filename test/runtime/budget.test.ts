import { describe, expect, it } from "vitest";
import { apiError, call, say, type FixedReply } from "../../src/testing/index.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { Budget } from "../../src/runtime/budget.ts";
import { LONG } from "../support/long.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

// Fails when `bounded` leaves the spec as it is, or `refusal` lets every step start.
it("the budget is the run's: said at 50 and 80 %, it ends the step, and no further one starts", async () => {
  const { runtime, rehearsal, seen } = await stage(
    [main((request) => (request.turnCount < 40 ? call("Bash", { command: "date +%N" }) : say("done")))],
    { budgetUsd: 0.06 },
  );
  const first = await runtime.run(SPEC, "do it");
  expect(first).toMatchObject({ ok: false, status: "failed" });
  expect(first.error).toMatch(/budget.*run again with a larger one/);
  expect(first.costUsd).toBeGreaterThanOrEqual(0.06);
  const said = seen.ofType("system").filter((event) => /% of the budget/.test(event.message));
  expect(said.length).toBeGreaterThanOrEqual(1);
  const requests = rehearsal.journal.length;
  const second = await runtime.run(SPEC, "and this");
  expect(second).toMatchObject({ ok: false, costUsd: 0 });
  expect(second.error).toMatch(/budget of \$0\.06 is used up.*--budget/);
  expect(rehearsal.journal).toHaveLength(requests);
});

// Fails when a subagent's boundary goes by the age of the figure, which each of its calls makes new.
it.runIf(LONG)(
  "the budget holds inside of a subagent whose replies are slow and whose calls are quick",
  async () => {
    const { runtime, rehearsal, seen } = await stage(
      [
        main(({ turnCount }) =>
          turnCount === 0
            ? call("Agent", { description: "part", prompt: "part", subagent_type: "worker" })
            : say("done"),
        ),
        sub(({ turnCount }) => ({
          ...(turnCount < 12 ? call("Bash", { command: `echo ${turnCount}` }) : say("never")),
          delayMs: 2_200,
          usage: { input_tokens: 2_000, output_tokens: 10_000 },
        })),
      ],
      { budgetUsd: 1 },
    );
    const result = await runtime.run(
      coordinator("work", "", { worker: worker("works", "You work.") }),
      "do it",
    );
    expect(result.error).toMatch(/budget/);
    expect(rehearsal.journal.length).toBeLessThan(9);
    expect(
      seen
        .ofType("system")
        .map(({ message }) => message)
        .join("\n"),
    ).toMatch(/[5-9]\d % of the budget/);
  },
  60_000,
);

/** A call that costs about $0.04. */
const costly = (n: number): FixedReply => ({
  ...call("Bash", { command: `echo ${n}` }),
  usage: { input_tokens: 1_000, output_tokens: 1_000 },
});

/** Fails once, which is three times to the harness, when the model has replied as often as told. */
const fault = (afterReplies: number): ((turnCount: number) => FixedReply | undefined) => {
  let left = 3;
  return (turnCount) => {
    if (turnCount !== afterReplies || left === 0) return undefined;
    left -= 1;
    return apiError(529, "Overloaded");
  };
};

// Fails when a new process, or a kept one, is given limits that the harness counts by itself.
describe("with handing over off, the limits are still the step's", () => {
  it.runIf(LONG)(
    "over the processes that a fault ends",
    async () => {
      const failing = fault(4);
      const { runtime, seen } = await stage(
        [main(({ turnCount }) => failing(turnCount) ?? costly(turnCount))],
        { handoff: false, budgetUsd: 0.3 },
      );
      const result = await runtime.run(SPEC, "do it");
      expect(result.error).toMatch(/limit of this step .*budget/);
      expect(result.attempts).toBe(2);
      expect(result.costUsd).toBeLessThan(0.4);
      expect(seen.ofType("system").map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^1\d\d % of the budget of \$0\.30/),
      );
    },
    60_000,
  );

  it.runIf(LONG)(
    "in turns as well, and with a policy of compacting",
    async () => {
      const failing = fault(2);
      const { runtime } = await stage([
        main(({ turnCount }) => failing(turnCount) ?? call("Bash", { command: `echo ${turnCount}` })),
      ]);
      const result = await runtime.run({ ...SPEC, maxTurns: 4, compact: { mode: "auto" } }, "do it");
      expect(result).toMatchObject({
        error: expect.stringMatching(/limit of this step/) as string,
        attempts: 2,
      });
      expect(result.numTurns).toBeLessThan(6);
    },
    60_000,
  );

  it("in the next round of a kept process", async () => {
    const { runtime } = await stage(
      [main(({ turnCount }) => (turnCount === 3 ? { ...costly(0), ...say("first") } : costly(turnCount)))],
      { handoff: false, budgetUsd: 0.3 },
    );
    const first = await runtime.run(SPEC, "do it", { keepAlive: true });
    expect(first).toMatchObject({ ok: true });
    const second = await runtime.run(SPEC, "not yet", { resume: first.sessionId ?? "" });
    expect(second.error).toMatch(/limit of this step .*budget/);
    expect(runtime.spent().costUsd).toBeLessThan(0.4);
  }, 60_000);
});

describe("what steps side by side spend", () => {
  const spec = (maxBudgetUsd?: number) => ({
    ...SPEC,
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
  });
  const ended = (costUsd: number) => ({ costUsd, costIsEstimate: false, predecessorCostUsd: 0 });

  it("counts for each of them, and for those that come", () => {
    const said: string[] = [];
    const budget = new Budget(1, (message) => said.push(message), "en");
    const [one, other, bounded] = [budget.share(spec()), budget.share(spec()), budget.share(spec(0.3))];
    const cost = { one: 0, other: 0 };
    one.starts(() => cost.one);
    other.starts(() => cost.other);
    bounded.starts(() => 0);
    cost.one = 0.4;
    budget.look();
    expect(said).toEqual([]);
    cost.other = 0.2;
    budget.look();
    expect(said).toEqual([expect.stringMatching(/^60 %/)]);
    // Of its own limit nothing is gone before the run's is nearer.
    expect([one, other, bounded].map((share) => share.takenUsd().toFixed(2))).toEqual([
      "0.20",
      "0.40",
      "0.00",
    ]);
    one.ends(ended(0.7));
    one.ends(ended(0.7));
    expect(other.takenUsd()).toBeCloseTo(0.7);
    expect(bounded.takenUsd()).toBeCloseTo(0.2);
    expect(budget.share(spec()).spec.maxBudgetUsd).toBeCloseTo(0.1);
    other.ends(ended(0.3));
    expect(budget.share(spec()).refusal).toMatch(/used up/);
    expect(budget.ended.costUsd).toBeCloseTo(1);
  });

  it("is nothing without a budget", () => {
    const budget = new Budget(undefined, () => undefined, "en");
    const share = budget.share(spec());
    share.starts(() => 5);
    budget.share(spec()).starts(() => 7);
    expect(share).toMatchObject({ spec: spec(), refusal: undefined });
    expect(share.takenUsd()).toBe(0);
  });

  it.runIf(LONG)(
    "ends all of them where the budget does",
    async () => {
      const { runtime } = await stage([main(({ turnCount }) => costly(turnCount))], { budgetUsd: 0.6 });
      const results = await Promise.all(
        ["a", "b", "c"].map(async (stepName) => runtime.run(SPEC, "do it", { stepName })),
      );
      for (const { error } of results) expect(error).toMatch(/limit of this step/);
      // Each by itself would spend as much as the budget; what the others have spent is known within two seconds.
      const { costUsd } = runtime.spent();
      expect(costUsd).toBeLessThan(1.5);
    },
    60_000,
  );
});
