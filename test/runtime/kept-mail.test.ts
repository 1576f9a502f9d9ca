import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { call, say, type Rehearsal } from "../../src/testing/index.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";
import { pidsOf } from "../support/processes.ts";
import { main, stage, sub } from "../support/stage.ts";

const team = (channel: HumanChannel) =>
  coordinator("work", "", { worker: worker("works", "You work.") }, { channel });
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
/** How many requests hold a text in what is new in them. */
const told = ({ journal }: Rehearsal, text: string): number =>
  journal.filter(({ lastUserText }) => lastUserText.includes(text)).length;

/** Ends the harness that talks to this rehearsal, with its tools. */
function killHarness({ env }: Rehearsal): void {
  for (const pid of pidsOf("stream-json"))
    if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(env["ANTHROPIC_BASE_URL"] ?? "?"))
      process.kill(pid, "SIGKILL");
}

describe("a message that no session has read", () => {
  // Fails when messages live in memory alone.
  it("is kept, reaches the next run's session, and is forgotten when that has answered", async () => {
    const channel = new HumanChannel();
    const first = await stage([], { channel });
    const path = join(first.workspace, "runs/inbox.json");
    channel.send("use tabs");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await first.runtime.close();

    const next = new HumanChannel();
    const { runtime, rehearsal } = await stage(
      [main(({ turnCount }) => (turnCount < 2 ? send : say("done"))), sub(() => say("report"))],
      { channel: next, workspace: first.workspace },
    );
    const kept: boolean[] = [];
    await runtime.run(team(next), "do it", {
      onEvent: ({ type }) => {
        if (type === "toolResult") kept.push(existsSync(path));
      },
    });
    expect(rehearsal.journal[0]?.lastUserText).toMatch(/^do it\n[^]*use tabs/);
    expect(told(rehearsal, "use tabs")).toBe(1);
    // Not only at the end of the turn, which may be hours away.
    expect(kept).toEqual([false, false]);
  });

  // Fails when `roundEnded` gives nothing back, or finds the words in what is older.
  it("because the harness died as it was handed out goes with the next prompt", async () => {
    const channel = new HumanChannel();
    let levels = 0;
    const { runtime, rehearsal } = await stage(
      [main(({ turnCount }) => (turnCount === 0 ? send : say("done"))), sub(() => say("report"))],
      { channel },
    );
    channel.send("use tabs");
    const result = await runtime.run(team(channel), "do it, and use tabs", {
      onEvent: ({ type }) => {
        if (type === "toolCall") channel.send("use tabs");
        // The first reply says it, then the batch hook before it hands messages out.
        if (type !== "usage") return;
        levels += 1;
        if (levels === 2) killHarness(rehearsal);
      },
    });
    expect(result).toMatchObject({ ok: true, text: "done", attempts: 2 });
    expect(rehearsal.journal.at(-1)?.lastUserText).toContain("use tabs");
    expect(channel.handedOut).toEqual([]);
    expect(channel.undelivered).toEqual([]);
  });

  it("is put away with what an earlier run left, and one of today is not", async () => {
    const channel = new HumanChannel();
    const workspace = await tempDir();
    const open = (channelOfRun: HumanChannel): Runtime => {
      const env = { HOME: workspace, ANTHROPIC_API_KEY: "k", PATH: process.env["PATH"] };
      const runtime = new Runtime({ workspace, env, channel: channelOfRun });
      onCleanup(async () => runtime.close());
      return runtime;
    };
    const first = open(channel);
    channel.send("of the last job");
    await first.close();
    const next = new HumanChannel();
    const runtime = open(next);
    next.send("of this one");
    const [folder = ""] = runtime.startFresh();
    expect(readdirSync(folder)).toContain("inbox.json");
    expect(next.undelivered.map(({ text }) => text)).toEqual(["of this one"]);
    expect(readFileSync(join(workspace, "runs/inbox.json"), "utf8")).not.toContain("last job");
  });

  it.each([
    ["damaged", "no json", /inbox\.json is damaged/],
    ["of a newer version", '{"v":2,"messages":[]}', /newer flower/],
  ])("in a file that is %s is not overwritten", async (_what, text, message) => {
    const workspace = await tempDir();
    const first = await stage([], { workspace });
    await first.runtime.close();
    const path = join(workspace, "runs/inbox.json");
    writeFileSync(path, text);
    const said: string[] = [];
    try {
      const { seen } = await stage([], { workspace, channel: new HumanChannel() });
      said.push(...seen.ofType("system").map((event) => event.message));
    } catch (error) {
      said.push(String(error));
    }
    expect(said.join("\n")).toMatch(message);
    const files = readdirSync(join(workspace, "runs")).filter((name) => name.startsWith("inbox.json"));
    expect(files.map((name) => readFileSync(join(workspace, "runs", name), "utf8"))).toEqual([text]);
  });
});
