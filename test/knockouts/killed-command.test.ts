import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "./stage.ts";

it("a command that is stopped leaves what it had printed in a file, and the model hears which", async () => {
  const { runtime, messages } = await stage([
    main([call("Bash", { command: "echo half of it; sleep 30", timeout: 1_000 }), say("done")]),
  ]);
  await runtime.run(SPEC, "do it");
  expect(messages(1)).toMatch(/before it was stopped is in [^\s]*.*\/spill\/failed-\w+\.txt/);
});
