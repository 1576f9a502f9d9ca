import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loggedRuns, readEvents } from "../../src/runtime/read-events.ts";
import { readRun } from "../../src/runtime/read-run.ts";
import { openTranscripts } from "../../src/runtime/read-transcripts.ts";
import { ownIdentity } from "../../src/runtime/process-identity.ts";
import { SqliteSessionStore } from "../../src/store/sqlite.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";

const ROW = { v: 1, run: "r", step: "work", status: "done", costUsd: 2, later: "field" };
const LINEAGE = { v: 1, workspace: "/w", woke: 1, steps: { work: { sessionId: "s" } } };

/** Every file with its bytes; SQLite's shared memory is no file of ours. */
async function everything(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => !name.endsWith("-shm")).sort();
  const seen: Record<string, string> = {};
  for (const name of names) {
    const stat = await lstat(join(dir, name));
    seen[name] =
      `${stat.mode} ${stat.mtimeMs} ${stat.isFile() ? await readFile(join(dir, name), "hex") : ""}`;
  }
  return seen;
}

describe("manifest, lineage and lock, read without being changed", () => {
  it("are empty where nothing is", async () => {
    const dir = await tempDir();
    expect(readRun(join(dir, "not there"))).toEqual({
      rows: [],
      lineage: undefined,
      holder: undefined,
      problems: [],
    });
  });

  it.each<
    [string, string, unknown, ReturnType<typeof readRun>["problems"][number]["kind"] | undefined, number]
  >([
    ["a row with missing and unknown fields", "manifest.json", [ROW], undefined, 1],
    ["a row that is none among others", "manifest.json", [ROW, 3, { run: 1 }], "damaged", 1],
    ["no list", "manifest.json", { rows: [] }, "damaged", 0],
    ["no JSON", "manifest.json", "[{", "damaged", 0],
    ["a newer row", "manifest.json", [ROW, { ...ROW, v: 2 }], "newer", 0],
    ["a newer lineage", "lineage.json", { ...LINEAGE, v: 2 }, "newer", 0],
    ["a damaged lineage", "lineage.json", { ...LINEAGE, steps: 1 }, "damaged", 0],
    ["a damaged lock", "lock.json", "", "damaged", 0],
    ["a newer lock", "lock.json", { v: 9 }, "newer", 0],
  ])("%s", async (_name, file, content, kind, rows) => {
    const dir = await tempDir();
    await writeFile(join(dir, file), typeof content === "string" ? content : JSON.stringify(content));
    const before = await everything(dir);
    const read = readRun(dir);
    expect(read.problems.map((problem) => [problem.path, problem.kind])).toEqual(
      kind === undefined ? [] : [[join(dir, file), kind]],
    );
    expect(read.rows).toHaveLength(rows);
    expect(await everything(dir)).toEqual(before);
  });

  it("a lock tells whether its process lives", async () => {
    const dir = await tempDir();
    const lock = { v: 1, run: "r", since: "2026-08-01T00:00:00.000Z", step: null };
    const at = async (process: unknown): Promise<boolean | undefined> => {
      await writeFile(join(dir, "lock.json"), JSON.stringify({ ...lock, process }));
      return readRun(dir).holder?.alive;
    };
    expect(await at(ownIdentity())).toBe(true);
    expect(await at({ ...ownIdentity(), started: "another time" })).toBe(false);
  });
});

describe("events", () => {
  const line = (fields: Record<string, unknown>): string =>
    JSON.stringify({ v: 1, seq: 1, runId: "r", step: "work", timeMs: 1, type: "text", text: "x", ...fields });

  it("are read line by line; what is none is counted, and a last line that is not whole is not", async () => {
    const dir = await tempDir();
    await mkdir(join(dir, "events"));
    const long = "é\u2028".repeat(50_000);
    const lines = [
      line({ text: long }),
      "{oops",
      line({ type: "usage", context: "much" }),
      line({ type: "step", phase: "failed", name: "work", note: 7 }),
      line({ type: "later" }),
      line({ v: 2 }),
      line({ text: "last" }),
    ];
    await writeFile(join(dir, "events/r.jsonl"), `${lines.join("\n")}\n${line({}).slice(0, 20)}`);
    await writeFile(join(dir, "events/q.jsonl"), "");
    const log = readEvents(dir, "r");
    const read = [...log.events];
    expect(read.map(({ type }) => type)).toEqual(["text", "later", "text"]);
    expect(read[0] !== undefined && "text" in read[0] && read[0].text === long).toBe(true);
    expect(log.skipped).toEqual({ damaged: 3, newer: 1 });
    expect(loggedRuns(dir)).toEqual(["q", "r"]);
    expect([...readEvents(dir, "nobody").events]).toEqual([]);
  });
});

describe("transcripts", () => {
  const key = (sessionId: string, subpath?: string) => ({
    projectKey: ".",
    sessionId,
    ...(subpath === undefined ? {} : { subpath }),
  });

  async function stored(): Promise<{ workspace: string; runDir: string; store: SqliteSessionStore }> {
    const workspace = await tempDir("flower ?#% 花");
    const runDir = join(workspace, "runs");
    const store = SqliteSessionStore.open({ path: join(runDir, "sessions.db") });
    onCleanup(async () => store.close());
    await store.append(key("s1"), [{ type: "user", uuid: "u1", text: "hello" }]);
    await store.append(key("s1", "subagents/agent-a1"), [{ type: "user", uuid: "u2" }]);
    return { workspace, runDir, store };
  }

  it.each([
    ["while they are written", false],
    ["afterwards", true],
  ])("are read %s without any change", async (_name, isClosed) => {
    const { store, ...places } = await stored();
    if (isClosed) {
      await store.close();
      // Alone, as another process finds it: in this one the connection may still be open.
      const elsewhere = join(places.workspace, "moved");
      await mkdir(elsewhere);
      await copyFile(join(places.runDir, "sessions.db"), join(elsewhere, "sessions.db"));
      places.runDir = elsewhere;
    }
    const before = await everything(places.runDir);
    const read = openTranscripts(places);
    expect([...(read?.sizes().values() ?? [])]).toMatchObject([{ sessionId: "s1", entries: 2 }]);
    expect(read?.agents("s1")).toEqual(["a1"]);
    expect(read?.thread("s1")).toEqual([{ type: "user", uuid: "u1", text: "hello" }]);
    expect(read?.thread("s1", "a1")).toMatchObject([{ uuid: "u2" }]);
    expect(read?.thread("s2")).toEqual([]);
    read?.close();
    expect(await everything(places.runDir)).toEqual(before);
    if (isClosed) expect(await readdir(places.runDir)).toEqual(["sessions.db"]);
    // Nobody is kept from writing.
    else await store.append(key("s1"), [{ type: "user", uuid: "u3" }]);
  });

  it("that are missing or not begun are none; damaged and newer ones say what to do", async () => {
    const workspace = await tempDir();
    const places = { workspace, runDir: workspace };
    const path = join(workspace, "sessions.db");
    expect(openTranscripts(places)).toBeUndefined();
    await writeFile(path, "");
    expect(openTranscripts(places)).toBeUndefined();
    await writeFile(path, "no database at all, and long enough to be looked at ".repeat(100));
    const before = await everything(workspace);
    expect(() => openTranscripts(places)).toThrow(
      expect.objectContaining({
        code: "store",
        nextStep: expect.stringContaining("sets it aside") as string,
      }),
    );
    expect(await everything(workspace)).toEqual(before);
  });

  it("of a newer version are refused", async () => {
    const { store, ...places } = await stored();
    await store.close();
    const path = join(places.runDir, "sessions.db");
    const bytes = await readFile(path);
    // `user_version` is at byte 60 of a database's header.
    bytes.writeUInt32BE(99, 60);
    await writeFile(path, bytes);
    expect(() => openTranscripts(places)).toThrow(
      expect.objectContaining({ code: "format", message: expect.stringContaining("schema 99") as string }),
    );
  });
});
