import { describe, expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { main, SPEC, stage } from "../support/stage.ts";

/** A last reply that takes long enough to say something meanwhile. */
const slow = { ...say("all done"), delayMs: 1_500 };

/** Resolves when the model is at its reply. */
async function atReply(journal: readonly unknown[]): Promise<void> {
  while (journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

// Fails when `#round` looks for the person's words only after a cut or a failure.
describe("said during the last reply", () => {
  it.runIf(LONG)("words of two interruptions reach the same session, in order", async () => {
    const { runtime, rehearsal } = await stage([main([slow, say("blue it is")])]);
    const running = runtime.run(SPEC, "do it");
    await atReply(rehearsal.journal);
    runtime.interrupt("make it blue");
    runtime.interrupt("and large");
    expect(await running).toMatchObject({ ok: true, text: "blue it is", attempts: 1 });
    expect(rehearsal.journal.at(-1)?.lastUserText).toMatch(/make it blue\n\nand large/);
  });

  it("an interruption without words ends the step as interrupted, its text kept", async () => {
    const { runtime, rehearsal } = await stage([main([slow])]);
    const running = runtime.run(SPEC, "do it");
    await atReply(rehearsal.journal);
    runtime.interrupt();
    expect(await running).toMatchObject({ ok: false, status: "interrupted", text: "all done" });
  });

  it("a message is read in one more round", async () => {
    const channel = new HumanChannel();
    const { runtime, rehearsal } = await stage([main([slow, say("tabs then")])], { channel });
    const spec = coordinator("work", "", { worker: worker("works", "You work.") }, { channel });
    const running = runtime.run(spec, "do it");
    await atReply(rehearsal.journal);
    channel.send("use tabs");
    expect(await running).toMatchObject({ ok: true, text: "tabs then" });
    expect(channel.undelivered).toEqual([]);
    expect(rehearsal.journal.at(-1)?.lastUserText).toContain("use tabs");
  });
});
