import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { timesBrought } from "../../src/runtime/transcript-holds.ts";
import { MemorySessionStore } from "../../src/store/index.ts";
import { say, type FixedReply } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { DOCUMENT, grow, main, SPEC, stage } from "../support/stage.ts";

/** Kills the harness that works in a directory, as the system does when memory runs out. */
function killHarness(workspace: string): boolean {
  let found = false;
  for (const name of readdirSync("/proc")) {
    try {
      const isIt =
        readlinkSync(`/proc/${name}/cwd`) === workspace &&
        /\/claude$/.test(readlinkSync(`/proc/${name}/exe`));
      if (!isIt) continue;
      process.kill(Number(name), "SIGKILL");
      found = true;
    } catch {
      // Not a process, gone meanwhile, or not ours.
    }
  }
  return found;
}

// Fails when `#onward` resumes without looking whether the session has what was asked.
it.runIf(process.platform === "linux")(
  "a successor whose harness dies before its first word starts again from the document, not in the retired session",
  async () => {
    let killed = false;
    const { runtime, rehearsal, workspace } = await stage(
      [
        main((request): FixedReply => {
          if (/under exactly these headings/.test(request.lastUserText)) return say(DOCUMENT);
          return /^You are taking over/.test(request.firstUserText) ? say("finished") : grow;
        }),
      ],
      { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, "do it", {
      onEvent: (event) => {
        if (killed || event.type !== "prompt" || !event.text.startsWith("You are taking over")) return;
        killed = true;
        // Its process comes up in these milliseconds.
        const timer = setInterval(() => {
          if (killHarness(workspace)) clearInterval(timer);
        }, 5);
      },
    });
    expect(killed).toBe(true);
    expect(result).toMatchObject({ ok: true, text: "finished", attempts: 2 });
    expect(result.sessionId).not.toBe(result.retired[0]);
    expect(rehearsal.journal.at(-1)?.lastUserText).toContain("run the tests");
    expect(runtime.lineage.get("work")).toMatchObject({ sessionId: result.sessionId, handoff: "started" });
  },
);

// Fails when `#onward` looks at the whole transcript: the words stand in it already.
it.runIf(process.platform === "linux").each(LONG ? [{}, { fork: true }] : [{}])(
  "a prompt whose words were said before is asked again when the harness died with it (%j)",
  async (how) => {
    const store = new MemorySessionStore();
    let killed = false;
    // Time enough to be killed before it answers.
    const answer = main(({ turnCount }) => ({
      ...say("done"),
      delayMs: turnCount > 0 && !killed ? 3_000 : 0,
    }));
    const { runtime, rehearsal, workspace } = await stage([answer], { store });
    const { sessionId: resume = "" } = await runtime.run(SPEC, "Build the parser and write the docs.");
    const append = store.append.bind(store);
    store.append = async (key, entries) => {
      const kept = entries.filter((entry) => !JSON.stringify(entry).includes('"write the docs"'));
      // What else it was about to keep arrives.
      await append(key, killed ? entries : kept);
      if (kept.length < entries.length) killed ||= killHarness(workspace);
    };
    const result = await runtime.run(SPEC, "write the docs", { resume, ...how });
    expect(killed).toBe(true);
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    expect(rehearsal.journal.at(-1)?.lastUserText).toMatch(/^write the docs/);
  },
);

describe("what was brought since a moment", () => {
  const entry = (type: string, timestamp: number, text: string) => ({
    type,
    timestamp: new Date(timestamp).toISOString(),
    message: { content: text },
  });
  it.each([
    ["a prompt", [entry("user", 5, 'say "a"')], 1],
    ["context of a hook", [entry("attachment", 6, 'say "a"')], 1],
    ["two in one", [entry("user", 5, 'say "a" and say "a"')], 2],
    ["an older prompt", [entry("user", 4, 'say "a"')], 0],
    ["a reply", [entry("assistant", 6, 'say "a"')], 0],
    ["an entry without a time", [{ type: "user", message: { content: 'say "a"' } }], 0],
  ])("%s", (_what, entries, times) => expect(timesBrought(entries, 'say "a"', 5)).toBe(times));
});
