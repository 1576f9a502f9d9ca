import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { ownIdentity } from "../../src/runtime/process-identity.ts";
import { TempRecords } from "../../src/runtime/temp-records.ts";
import { say } from "../../src/testing/index.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const gone = (): { pid: number; host: string } => ({ pid: spawnSync("true").pid, host: hostname() });

function left(runDir: string, path: string, process: unknown): void {
  mkdirSync(join(runDir, "temp"), { recursive: true });
  writeFileSync(join(runDir, "temp", `${Math.random()}.json`), JSON.stringify({ v: 1, path, process }));
}

const make = (prefix: string, dir = tmpdir()): string => {
  const path = mkdtempSync(join(dir, prefix));
  onCleanup(async () => rm(path, { recursive: true, force: true }));
  return path;
};
const noted = (runDir: string): number => readdirSync(join(runDir, "temp")).length;

it("removes what dead processes noted as their own, and nothing else", async () => {
  const runDir = await tempDir();
  const [dead, living, foreign] = [make("claude-resume-"), make("flower-copy-"), make("precious-")];
  left(runDir, dead, gone());
  left(runDir, living, ownIdentity());
  left(runDir, foreign, gone());
  left(runDir, join(runDir, "claude-resume-x"), gone());
  mkdirSync(join(runDir, "claude-resume-x"));
  expect(await new TempRecords(runDir).sweep()).toEqual([dead]);
  expect([dead, living, foreign, join(runDir, "claude-resume-x")].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

it("forgets what is gone by itself", async () => {
  const runDir = await tempDir();
  left(runDir, join(tmpdir(), "flower-copy-gone"), gone());
  expect(await new TempRecords(runDir).sweep()).toEqual([]);
  expect(noted(runDir)).toBe(0);
});

// Fails when a record goes before what it names: nobody would remove that any more.
it("keeps a note of what lies in another temp directory, until that is this one's", async () => {
  const [runDir, other] = [await tempDir(), await tempDir()];
  const path = make("flower-copy-", other);
  left(runDir, path, gone());
  expect(await new TempRecords(runDir).sweep()).toEqual([]);
  expect([existsSync(path), noted(runDir)]).toEqual([true, 1]);
  vi.stubEnv("TMPDIR", other);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await new TempRecords(runDir).sweep()).toEqual([path]);
  expect(noted(runDir)).toBe(0);
});

// Fails when a copy, which is noted by its real path, is looked for by the spelling of TMPDIR: on macOS that is a link.
it("removes what lies in a temp directory that is a symbolic link", async () => {
  const [runDir, real, parent] = [await tempDir(), await tempDir(), await tempDir()];
  const link = join(parent, "tmp");
  symlinkSync(real, link);
  vi.stubEnv("TMPDIR", link);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = make("flower-copy-", realpathSync(real));
  left(runDir, path, gone());
  expect(await new TempRecords(runDir).sweep()).toEqual([path]);
});

// Fails for people other than root when directories are not opened up: module caches are made like that.
it("removes a copy with a read-only directory in it", async () => {
  const runDir = await tempDir();
  const path = make("flower-copy-");
  mkdirSync(join(path, "cache"));
  writeFileSync(join(path, "cache/module"), "x");
  chmodSync(join(path, "cache"), 0o555);
  left(runDir, path, gone());
  expect(await new TempRecords(runDir).sweep()).toEqual([path]);
});

// Fails when the note goes first, or the error comes through: no run could start.
it("keeps a note of what cannot be removed, and goes on with the others", async () => {
  const runDir = await tempDir();
  const [stuck, easy] = [make("flower-copy-"), make("flower-copy-")];
  left(runDir, stuck, gone());
  left(runDir, easy, gone());
  const remove = async (path: string): Promise<void> => {
    if (path === stuck) throw new Error("EACCES");
    await rm(path, { recursive: true });
  };
  expect(await new TempRecords(runDir).sweep(remove)).toEqual([easy]);
  expect(noted(runDir)).toBe(1);
  expect(await new TempRecords(runDir).sweep()).toEqual([stuck]);
  expect(noted(runDir)).toBe(0);
});

it("a resumed session's copy of its history is noted while it lives", async () => {
  let noted: string[] = [];
  const { runtime, workspace } = await stage([
    main((request) => {
      if (request.turnCount > 0) noted = readdirSync(join(workspace, "runs/temp"));
      return say("done");
    }),
  ]);
  const { sessionId = "" } = await runtime.run(SPEC, "begin");
  await runtime.run(SPEC, "go on", { resume: sessionId });
  expect(noted.some((name) => name.startsWith("claude-resume-"))).toBe(true);
});
