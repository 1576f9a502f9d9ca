import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

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
