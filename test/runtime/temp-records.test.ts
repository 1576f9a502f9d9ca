import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
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

it("removes what dead processes noted as their own, and nothing else", async () => {
  const runDir = await tempDir();
  const make = (prefix: string): string => {
    const path = mkdtempSync(join(tmpdir(), prefix));
    onCleanup(async () => rm(path, { recursive: true, force: true }));
    return path;
  };
  const [dead, living, foreign] = [make("claude-resume-"), make("flower-copy-"), make("precious-")];
  left(runDir, dead, gone());
  left(runDir, living, ownIdentity());
  left(runDir, foreign, gone());
  left(runDir, join(runDir, "claude-resume-x"), gone());
  mkdirSync(join(runDir, "claude-resume-x"));
  expect(new TempRecords(runDir).sweep()).toEqual([dead]);
  expect([dead, living, foreign, join(runDir, "claude-resume-x")].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
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
