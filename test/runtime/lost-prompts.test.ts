import { readdirSync, readlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { say, type FixedReply } from "../../src/testing/index.ts";
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
