import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StepResult } from "../../src/runtime/contract.ts";
import { openRunDir } from "../../src/runtime/run-dir.ts";
import { lockRunDir } from "../../src/runtime/run-lock.ts";
import { ownIdentity } from "../../src/runtime/process-identity.ts";
import { MemorySessionStore } from "../../src/store/index.ts";
import { onCleanup, tempDir, until } from "../support/rehearse.ts";

const write = (dir: string, process: unknown): void =>
  writeFileSync(
    join(dir, "lock.json"),
    JSON.stringify({ v: 1, run: "other", since: "2026-01-01T00:00:00Z", step: "work", process }),
  );

describe("a run directory", () => {
  it("is held by one run, which the second is told with its step and what to do", async () => {
    const dir = await tempDir();
    const lock = lockRunDir(dir, "first");
    lock.atStep("work#round2");
    expect(() => lockRunDir(dir, "second")).toThrow(
      expect.objectContaining({
        code: "locked",
        message: expect.stringMatching(new RegExp(`process ${process.pid} .*work#round2`)) as string,
        nextStep: expect.stringContaining("--run-dir") as string,
      }) as Error,
    );
    lock.release();
    lockRunDir(dir, "second").release();
  });

  it("that cannot be locked is named, with what to do", async () => {
    const file = join(await tempDir(), "runs");
    writeFileSync(file, "in the way");
    expect(() => lockRunDir(file, "first")).toThrow(
      expect.objectContaining({
        code: "workspace",
        message: expect.stringContaining(file) as string,
        nextStep: expect.stringMatching(/move away what is in its place/) as string,
      }) as Error,
    );
  });

  it("is taken over from a process that is gone, or whose pid another one has now", async () => {
    const dir = await tempDir();
    const { pid } = spawnSync("true");
    write(dir, { pid, host: hostname() });
    lockRunDir(dir, "a").release();
    write(dir, { ...ownIdentity(), started: "another start" });
    const lock = lockRunDir(dir, "b");
    expect(readFileSync(join(dir, "lock.json"), "utf8")).toContain('"run": "b"');
    lock.release();
  });

  it.runIf(process.platform === "linux")("is taken over from a process that nobody reaped", async () => {
    const dir = await tempDir();
    // The shell becomes a program that never asks for what became of the child; it must have become it by then.
    const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 60"]);
    onCleanup(async () => parent.kill("SIGKILL"));
    const [out] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(out.toString());
    await until(() => readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "));
    write(dir, { pid, host: hostname() });
    lockRunDir(dir, "a").release();
  });

  it("waits for another that decides at this moment, and passes one that died in it", async () => {
    const dir = await tempDir();
    mkdirSync(join(dir, "lock.deciding"));
    const lock = lockRunDir(dir, "a");
    expect(readFileSync(join(dir, "lock.json"), "utf8")).toContain('"run": "a"');
    lock.release();
  }, 20_000);

  it("is not taken from another machine, of which nothing is known", async () => {
    const dir = await tempDir();
    write(dir, { pid: 1, host: "elsewhere" });
    expect(() => lockRunDir(dir, "a")).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("on elsewhere") as string,
        nextStep: expect.stringContaining(`remove ${join(dir, "lock.json")}`) as string,
      }) as Error,
    );
  });

  it("opens again when its lock is damaged", async () => {
    const dir = await tempDir();
    writeFileSync(join(dir, "lock.json"), "not json");
    lockRunDir(dir, "a").release();
  });

  // Fails when `check` is taken out of any of them: the run whose directory is gone writes over the other one's books.
  it("that was deleted and is another run's now is not written by the first", async () => {
    const workspace = await tempDir();
    const runDir = join(workspace, "runs");
    const open = (runId: string) => {
      mkdirSync(runDir, { recursive: true });
      const store = new MemorySessionStore();
      const opened = openRunDir({
        ...{ runDir, runId, workspace, store },
        redact: (it) => it,
        listener: undefined,
        workbench: undefined,
      });
      onCleanup(async () => opened.close());
      return opened;
    };
    const first = open("first");
    first.lineage.wake();
    rmSync(runDir, { recursive: true });
    // What is put back without a lock is nobody's: the run goes on there.
    mkdirSync(runDir);
    first.lock.atStep("work");
    rmSync(runDir, { recursive: true });
    const second = open("second");
    second.lock.atStep("theirs");
    second.lineage.set("work", { sessionId: "theirs" });
    const books = (): string[] =>
      readdirSync(runDir)
        .filter((name) => name.endsWith(".json"))
        .map((name) => `${name}: ${readFileSync(join(runDir, name), "utf8")}`);
    const before = books();
    const theirs = expect.objectContaining({
      code: "locked",
      message: expect.stringMatching(/deleted or replaced, and is another run's now: process \d+/) as string,
    }) as Error;
    const row = { run: "first", step: "work", startedAt: "", endedAt: null };
    const result = {} as StepResult;
    for (const write of [
      () => first.lock.atStep("work"),
      () => first.lineage.set("work", { sessionId: "mine" }),
      () => first.lineage.startFresh(join(runDir, "archive")),
      () => first.manifest.write({ ...row, status: "running", result }),
      () => first.mail.write([{ text: "words", sentAtMs: 1 }]),
      () => first.mail.archive(join(runDir, "archive")),
    ])
      expect(write).toThrow(theirs);
    expect(books()).toEqual(before);
  });

  it("does not lose its lock to one that gave up its own", async () => {
    const dir = await tempDir();
    const first = lockRunDir(dir, "first");
    first.release();
    const second = lockRunDir(dir, "second");
    first.release();
    expect(() => lockRunDir(dir, "third")).toThrow(/another run/);
    second.release();
  });
});
