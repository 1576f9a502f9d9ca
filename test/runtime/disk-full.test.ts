import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const DELETED: ReadonlyArray<readonly [string, string]> = [
  ["the run directory", ""],
  ...(LONG ? [["the database", "sessions.db"] as const] : []),
];

describe("a run directory that gives out while a step runs", () => {
  it("full: the step ends saying what to free, and the database is sound afterwards", async () => {
    const { runtime, workspace } = await stage([
      main((request) =>
        call("Bash", { command: `head -c 3000 /dev/zero | tr '\\0' ${request.turnCount % 10}` }),
      ),
    ]);
    const path = join(workspace, "runs/sessions.db");
    const db = new Database(path);
    // The file may not grow much more: what a full disk does, for one connection or all. A trigger does it for all.
    db.exec(
      "CREATE TRIGGER full BEFORE INSERT ON entry WHEN (SELECT count(*) FROM entry) > 20 BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    db.close();
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed" });
    expect(result.error).toMatch(/disk is full.*free disk space/s);
    await runtime.close();
    const again = new Database(path);
    expect(again.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
    again.close();
  });

  it.each(DELETED)(
    "deleted, %s: the step ends at once, says so, and its row is in the books",
    async (_what, name) => {
      const { runtime, workspace, rehearsal } = await stage([
        main(({ turnCount }) =>
          turnCount < 30 ? call("Bash", { command: `sleep 0.05; echo ${turnCount}` }) : say("done"),
        ),
      ]);
      let deleted = false;
      const result = await runtime.run(SPEC, "do it", {
        onEvent: (event) => {
          if (event.type !== "toolCall" || deleted) return;
          deleted = true;
          rmSync(join(workspace, "runs", name), { recursive: true, force: true });
        },
      });
      expect(result).toMatchObject({ ok: false, status: "failed" });
      expect(result.error).toMatch(/deleted or replaced.*from what is on disk/s);
      expect(rehearsal.journal.length).toBeLessThan(15);
      await runtime.close();
      expect(readManifest(join(workspace, "runs")).map(({ status }) => status)).toEqual(["failed"]);
    },
  );
});
