import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

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

  it("deleted: the step still ends, with its row in the books or word that it has no place", async () => {
    const { runtime, workspace, seen } = await stage([
      main((request) =>
        request.turnCount === 0 ? call("Bash", { command: "rm -rf nothing; true" }) : say("done"),
      ),
    ]);
    let deleted = false;
    const result = await runtime.run(SPEC, "do it", {
      onEvent: (event) => {
        if (event.type !== "toolCall" || deleted) return;
        deleted = true;
        rmSync(join(workspace, "runs"), { recursive: true, force: true });
      },
    });
    expect(result).toMatchObject({ ok: true, text: "done" });
    await runtime.close();
    // The harness may have made the directory again meanwhile; else it is said that the row has no place.
    const said = seen.ofType("system").map((event) => event.message);
    const rows = readManifest(join(workspace, "runs")).map((row) => row.status);
    expect([...rows, ...said.filter((message) => /manifest cannot be written/.test(message))]).not.toEqual(
      [],
    );
    expect(rows.filter((status) => status !== "done")).toEqual([]);
  });
});
