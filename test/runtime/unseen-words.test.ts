import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { UnseenWords } from "../../src/runtime/unseen-words.ts";
import { collectEvents, say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const inbox = (workspace: string): string => join(workspace, "runs/inbox.json");
const KEPT = /no session has seen these words .*: make it blue$/;

// Fails when nobody looks for words once no step follows.
describe("words that come when nothing is left to hear them", () => {
  it.each(["result", "step"] as const)("at the last `%s` event are kept, and said", async (at) => {
    const channel = new HumanChannel();
    const { runtime, workspace, seen } = await stage([main([say("done")])], { channel });
    const result = await runtime.run(SPEC, "do it", {
      onEvent: (event) => {
        const isLast = event.type === at && (event.type !== "step" || event.phase === "done");
        if (isLast) runtime.interrupt("make it blue");
      },
    });
    expect(result).toMatchObject({ ok: true, text: "done" });
    await runtime.close();
    expect(readFileSync(inbox(workspace), "utf8")).toContain("make it blue");
    expect(seen.ofType("system").map(({ message }) => message)).toContainEqual(expect.stringMatching(KEPT));
  });

  it("between the last step and the end are kept once, without waiting for ever", async () => {
    const workspace = await tempDir();
    const channel = new HumanChannel();
    const seen = collectEvents();
    const runtime = new Runtime({ workspace, channel, onEvent: seen.listener });
    let typed: (words: string) => void = () => undefined;
    runtime.interrupt(new Promise<string>((resolve) => (typed = resolve)));
    const kept = runtime.keepWords();
    typed("make it blue");
    await kept;
    expect(channel.undelivered.map(({ text }) => text)).toEqual(["make it blue"]);
    runtime.interrupt(new Promise<string>(() => undefined));
    runtime.interrupt();
    await runtime.close();
    expect(seen.ofType("system").filter(({ message }) => KEPT.test(message))).toHaveLength(1);
    expect(readFileSync(inbox(workspace), "utf8").match(/make it blue/g)).toHaveLength(1);
  });

  it("are said where there is no channel", async () => {
    const said: string[] = [];
    const unseen = new UnseenWords(undefined);
    unseen.add([Promise.resolve("make it blue"), Promise.resolve(" ")]);
    await unseen.keepSaid((message) => said.push(message));
    expect(said).toEqual([expect.stringMatching(/say them again.*: make it blue$/)]);
    // The one without words still ends what comes.
    expect(await Promise.all(unseen.take())).toEqual([undefined]);
  });

  it("nothing said, nothing kept", async () => {
    const workspace = await tempDir();
    await new Runtime({ workspace, channel: new HumanChannel() }).close();
    expect(existsSync(inbox(workspace))).toBe(false);
  });
});
