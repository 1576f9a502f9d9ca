import { expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { say } from "../../src/testing/index.ts";
import { main, stage } from "../support/stage.ts";

it("a message that no session has read goes with the next prompt, once", async () => {
  const channel = new HumanChannel();
  const spec = coordinator("work", "", { worker: worker("works", "You work.") }, { channel });
  const { runtime, rehearsal } = await stage([main([say("one"), say("two")])], { channel });
  channel.send("use tabs");
  await runtime.run(spec, "do it");
  await runtime.run(spec, "and more");
  const [first, second] = rehearsal.journal.map((row) => row.lastUserText);
  expect(first).toMatch(/^do it\n[\s\S]*use tabs/);
  expect(second).toMatch(/^and more\n/);
});
