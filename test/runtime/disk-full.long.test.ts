import { mkdirSync, rmSync } from "node:fs";
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
  it.runIf(LONG)(
    "full: the step ends saying what to free, and the database is sound afterwards",
    async () => {
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
    },
  );

  // Fails when the error goes up into the reading of the harness's messages: it would look like a fault to try again.
  it("in the lineage's place a directory: the step ends at once, saying what to do", async () => {
    const { runtime, workspace, rehearsal } = await stage([
      main(({ turnCount }) => call("Bash", { command: `sleep 0.1; echo ${turnCount}` })),
    ]);
    mkdirSync(join(workspace, "runs/lineage.json"));
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
    expect(result.error).toMatch(/lineage\.json cannot be written.*move away/s);
    expect(rehearsal.journal.length).toBeLessThan(4);
  });

  // Fails when the lock's error is thrown: no row, and no word of what to do.
  it("deleted between two steps: the next one is not begun, says so, and is in the books", async () => {
    const { runtime, workspace, rehearsal } = await stage([]);
    const runs = join(workspace, "runs");
    rmSync(runs, { recursive: true });
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed" });
    expect(result.error).toMatch(/lock\.json cannot be written.*put it back/s);
    expect(rehearsal.journal).toEqual([]);
    expect(readManifest(runs)).toMatchObject([{ step: "work", status: "failed", error: result.error }]);
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
