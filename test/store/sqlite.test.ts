import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { FlowerError } from "../../src/core/errors.ts";
import type { TranscriptEntry } from "../../src/store/contract.ts";
import { SqliteSessionStore } from "../../src/store/sqlite.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();
const KEY = { projectKey: "project", sessionId: "session" };
const AGENT = { ...KEY, subpath: "subagents/agent-a" };

const entry = (uuid: string): TranscriptEntry => ({ type: "user", uuid });
const freshPath = (): string => join(tempDir(), "sessions.db");

function errorOf(work: () => unknown): FlowerError {
  try {
    work();
  } catch (error) {
    if (error instanceof FlowerError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

async function rejectionOf(work: Promise<unknown>): Promise<FlowerError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof FlowerError) return error;
  throw new Error("no FlowerError was thrown", { cause: error });
}

/** A closed store file that fills a few hundred pages. */
async function filledFile(charsAnEntry = 1_000): Promise<string> {
  const path = freshPath();
  const store = SqliteSessionStore.open({ path });
  const text = "x".repeat(charsAnEntry);
  await store.append(
    KEY,
    Array.from({ length: 1_000 }, (_, n) => ({ ...entry(`e${n}`), text })),
  );
  await store.close();
  return path;
}

describe("a file that is opened again", () => {
  it("holds everything, and goes on dropping known entries and raising times", async () => {
    const path = freshPath();
    const first = SqliteSessionStore.open({ path });
    await first.append(KEY, [entry("a"), { type: "summary" }]);
    await first.append(AGENT, [entry("a")]);
    const [before] = await first.listSessions(KEY.projectKey);
    await first.close();

    const again = SqliteSessionStore.open({ path });
    await again.append(KEY, [entry("a"), entry("b")]);
    expect(await again.load(KEY)).toEqual([entry("a"), { type: "summary" }, entry("b")]);
    expect(await again.load(AGENT)).toEqual([entry("a")]);
    expect((await again.listSessions(KEY.projectKey))[0]!.mtimeMs).toBeGreaterThan(before!.mtimeMs);
    await again.close();
  });

  it("holds what a store wrote that was never closed", async () => {
    const path = freshPath();
    const left = SqliteSessionStore.open({ path });
    await left.append(KEY, [entry("a")]);
    const again = SqliteSessionStore.open({ path });
    expect(await again.load(KEY)).toEqual([entry("a")]);
    await again.close();
    await left.close();
  });

  it("is whole without its write-ahead log after a close", async () => {
    const path = await filledFile();
    const copy = freshPath();
    writeFileSync(copy, readFileSync(path));
    const store = SqliteSessionStore.open({ path: copy });
    expect(await store.load(KEY)).toHaveLength(1_000);
    await store.close();
  });

  it("keeps each entry as the JSON text of what was appended", async () => {
    const path = freshPath();
    const store = SqliteSessionStore.open({ path });
    const given = { ...entry("a"), z: [1, null], a: { "": "🌷" } };
    await store.append(KEY, [given]);
    const db = new Database(path);
    expect(db.prepare("SELECT json FROM entry").all()).toEqual([{ json: JSON.stringify(given) }]);
    db.close();
    await store.close();
  });
});

describe("privacy", () => {
  it("makes directory and files for the owner alone, and takes a wide mode back", async () => {
    const dir = join(tempDir(), "deep", "run");
    const path = join(dir, "sessions.db");
    const store = SqliteSessionStore.open({ path });
    await store.append(KEY, [entry("a")]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const modes = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({
      "sessions.db": 0o600,
      "sessions.db-wal": 0o600,
      "sessions.db-shm": 0o600,
    });
    await store.close();

    const wide = freshPath();
    writeFileSync(wide, "", { mode: 0o644 });
    await SqliteSessionStore.open({ path: wide }).close();
    expect(statSync(wide).mode & 0o777).toBe(0o600);
  });
});

describe("two stores on one file", () => {
  it("lose nothing, agree on the order and on known entries", async () => {
    const path = freshPath();
    const stores = [SqliteSessionStore.open({ path }), SqliteSessionStore.open({ path })];
    const mtimesMs: number[] = [];
    for (let n = 0; n < 200; n += 1) {
      const store = stores[n % 2]!;
      // The entry before comes from the other store: both must know it.
      await store.append(KEY, [entry(`e${Math.max(0, n - 1)}`), entry(`e${n}`)]);
      mtimesMs.push((await store.listSessions(KEY.projectKey))[0]!.mtimeMs);
    }
    for (const store of stores) {
      expect((await store.load(KEY))?.map(({ uuid }) => uuid)).toEqual(
        Array.from({ length: 200 }, (_, n) => `e${n}`),
      );
      await store.close();
    }
    expect(mtimesMs).toEqual([...new Set(mtimesMs)].sort((a, b) => a - b));
  });

  it("throw an append while a third holds the file, and take it afterwards", async () => {
    const path = freshPath();
    const store = SqliteSessionStore.open({ path, busyTimeoutMs: 1 });
    const holder = new Database(path);
    holder.exec("BEGIN IMMEDIATE");
    const error = await rejectionOf(store.append(KEY, [entry("a")]));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: false } });
    expect(error.message).toContain("locked");
    expect(error.nextStep).toContain("end the process");
    holder.exec("ROLLBACK");
    holder.close();
    await store.append(KEY, [entry("a")]);
    expect(await store.load(KEY)).toEqual([entry("a")]);
    await store.close();
  });
});

describe("a batch that fails halfway", () => {
  it("leaves nothing behind and the store usable", async () => {
    const path = freshPath();
    const store = SqliteSessionStore.open({ path });
    await store.append(KEY, [entry("a")]);
    // A trigger stands for a disk that fills up between two rows.
    const db = new Database(path);
    db.exec(
      "CREATE TRIGGER full BEFORE INSERT ON entry WHEN new.uuid = 'bad' BEGIN SELECT raise(FAIL, 'full'); END",
    );
    const error = await rejectionOf(store.append(KEY, [entry("b"), entry("bad")]));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: false } });
    expect(await store.load(KEY)).toEqual([entry("a")]);
    await store.append(KEY, [entry("b")]);
    expect(await store.load(KEY)).toEqual([entry("a"), entry("b")]);
    db.close();
    await store.close();
  });
});

describe("a file that cannot be used", () => {
  it("of a newer version is refused and left as it is", async () => {
    const path = await filledFile();
    const db = new Database(path);
    db.pragma("user_version = 99");
    db.close();
    const error = errorOf(() => SqliteSessionStore.open({ path }));
    expect(error).toMatchObject({ code: "format", data: { path } });
    expect(error.data["damaged"]).toBeUndefined();
    expect(error.message).toContain("99");
    const kept = new Database(path);
    expect(kept.prepare("SELECT count(*) AS n FROM entry").all()).toEqual([{ n: 1_000 }]);
    kept.close();
  });

  it.each<[string, (sound: Buffer) => Buffer]>([
    ["text", () => Buffer.from("this was never a database\n".repeat(400))],
    ["a file cut off within its first page", (sound) => sound.subarray(0, 50)],
    ["a file cut off further on", (sound) => sound.subarray(0, 40_000)],
    // Fails when opening does not look through the file: it would show in the middle of a run.
    ["pages overwritten far behind", (sound) => Buffer.from(sound).fill(0xaa, 16 * 4_096)],
    ["a first page overwritten behind its header", (sound) => Buffer.from(sound).fill(0xaa, 100, 4_096)],
  ])("is called damaged and left as it is: %s", async (_what, damage) => {
    const damaged = damage(readFileSync(await filledFile()));
    const path = freshPath();
    writeFileSync(path, damaged);
    const error = errorOf(() => SqliteSessionStore.open({ path }));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: true } });
    expect(error.message).toContain(path);
    expect(error.nextStep).toContain("move it away");
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  it("is called damaged by the load that meets the bad pages", async () => {
    // Larger than SQLite's cache, which opening fills.
    const path = await filledFile(8_000);
    const bytes = readFileSync(path);
    const store = SqliteSessionStore.open({ path });
    // Behind the pages of the schema, which opening reads.
    writeFileSync(path, bytes.fill(0xaa, 16 * 4_096));
    const error = await rejectionOf(store.load(KEY));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: true } });
    await store.close();
  });

  it("says which place is no directory", () => {
    const file = join(tempDir(), "taken");
    writeFileSync(file, "");
    const path = join(file, "sessions.db");
    const error = errorOf(() => SqliteSessionStore.open({ path }));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: false } });
    expect(error.message).toContain(path);
    expect(error.nextStep).toContain("directory can be written");
  });

  it("says which place is a directory", () => {
    const path = freshPath();
    mkdirSync(path);
    const error = errorOf(() => SqliteSessionStore.open({ path }));
    expect(error).toMatchObject({ code: "store", data: { path, damaged: false } });
    expect(error.message).toContain(path);
  });
});

it("closes twice without complaint", async () => {
  const store = SqliteSessionStore.open({ path: freshPath() });
  await store.close();
  await expect(store.close()).resolves.toBeUndefined();
});
