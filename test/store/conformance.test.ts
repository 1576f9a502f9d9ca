import { join } from "node:path";
import { describe, it } from "vitest";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { rewriting } from "../../src/store/rewriting.ts";
import { SqliteSessionStore } from "../../src/store/sqlite.ts";
import { runStoreConformance } from "../../src/testing/store-conformance.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

describe("SqliteSessionStore", () => {
  runStoreConformance({ it }, async () =>
    SqliteSessionStore.open({ path: join(tempDir(), "with space 花", "sessions.db") }),
  );
});

describe("MemorySessionStore", () => {
  runStoreConformance({ it }, async () => new MemorySessionStore());
});

describe("rewriting without passes", () => {
  runStoreConformance({ it }, async () => rewriting(new MemorySessionStore(), []));
});
