import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { SqliteSessionStore } from "../../src/store/sqlite.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const PROGRAM = fileURLToPath(new URL("append-many.mjs", import.meta.url));
const BATCHES = 200;

const tempDir = tempDirs();

it("lets processes append to one fresh file at once, losing nothing and keeping each one's order", async () => {
  const path = join(tempDir(), "sessions.db");
  const names = ["x", "y", "z"];
  await Promise.all(
    names.map(async (name) => promisify(execFile)(process.execPath, [PROGRAM, path, name, String(BATCHES)])),
  );
  const store = SqliteSessionStore.open({ path });
  const uuids =
    (await store.load({ projectKey: "p", sessionId: "s" }))?.map((entry) => entry.uuid ?? "") ?? [];
  await store.close();
  for (const name of names) {
    const own = uuids.filter((uuid) => uuid.startsWith(`${name}-`));
    expect(own).toEqual(
      Array.from({ length: BATCHES }, (_, n) => [`${name}-${n}-a`, `${name}-${n}-b`]).flat(),
    );
  }
  expect(uuids).toHaveLength(names.length * BATCHES * 2);
});
