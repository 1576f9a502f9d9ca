import { expect, it } from "vitest";
import { Budget } from "../../src/runtime/budget.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("a budget that is used up is said in the language of the run", () => {
  const share = new Budget(0, () => undefined, "zh").share(SPEC);
  expect(share.refusal).toBe("预算 $0.00 已用完:用更大的 --budget 再次运行,会从停下的地方继续");
});

it("so is the person's interruption, in the books, too", async () => {
  const { runtime } = await stage(
    [main(({ turnCount }) => (turnCount < 9 ? call("Bash", { command: "date +%N" }) : say("done")))],
    { locale: "de" },
  );
  const result = await runtime.run(SPEC, "do it", {
    onEvent: ({ type }) => {
      if (type === "toolCall") runtime.interrupt(Promise.resolve(undefined));
    },
  });
  expect(result).toMatchObject({ status: "interrupted", error: "von der Person unterbrochen" });
});
