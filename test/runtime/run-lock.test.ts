import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockRunDir } from "../../src/runtime/run-lock.ts";
import { ownIdentity } from "../../src/runtime/process-identity.ts";
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
    // The shell becomes a program that never asks for what became of the child.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"]);
    onCleanup(async () => parent.kill("SIGKILL"));
    const [out] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(out.toString());
    await until(() => readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "));
    write(dir, { pid, host: hostname() });
    lockRunDir(dir, "a").release();
  });

  it("waits for another that decides at this moment, and passes one that died in it", async () => {
    const dir = await tempDir();
    mkdirSync(`${dir}.lock`);
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
