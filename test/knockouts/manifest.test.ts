import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openManifest, readManifest } from "../../src/runtime/manifest.ts";
import { say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("only rows whose process is known to be gone are marked as interrupted", async () => {
  const runDir = await tempDir();
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  const row = { v: 1, run: "earlier", step: "work", status: "running", host: hostname() };
  const rows = [
    { ...row, pid: gone },
    { ...row, pid: process.pid },
    { ...row, pid: gone, host: "another machine" },
    { ...row, pid: gone, status: "done" },
  ];
  await writeFile(join(runDir, "manifest.json"), JSON.stringify(rows));
  openManifest(runDir, "now");
  expect(readManifest(runDir).map(({ status }) => status)).toEqual([
    "interrupted",
    "running",
    "running",
    "done",
  ]);
});

it("a run keeps the rows of the runs before it", async () => {
  const workspace = await tempDir();
  await mkdir(join(workspace, "runs"));
  for (const words of ["one", "two"]) {
    const { runtime } = await stage([main([say(words)])], { workspace });
    await runtime.run(SPEC, "do it");
    await runtime.close();
  }
  expect(readManifest(join(workspace, "runs")).map((row) => row["text"])).toEqual(["one", "two"]);
});
