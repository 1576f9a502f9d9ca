import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
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
