import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

it("a command that is stopped leaves what it had printed in a file, and the model hears which", async () => {
  const { runtime, rehearsal } = await stage([
    main([call("Bash", { command: "echo half of it; sleep 30", timeout: 1_000 }), say("done")]),
  ]);
  await runtime.run(SPEC, "do it");
  expect(messagesText(rehearsal, 1)).toMatch(/before it ended is in .*\/spill\/failed-\w+\.txt/);
});
