import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openManifest, readManifest } from "../../src/runtime/manifest.ts";
import { say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("rows that a dead run left running are marked as interrupted, whoever has its pid now", async () => {
  const runDir = await tempDir();
  const row = { v: 1, run: "earlier", step: "work", status: "running", host: hostname() };
  const rows = [
    { ...row, pid: process.pid },
    { ...row, host: "another machine" },
    { ...row, status: "done" },
    { ...row, run: "now" },
  ];
  await writeFile(join(runDir, "manifest.json"), JSON.stringify(rows));
  openManifest(runDir, "now", () => undefined);
  expect(readManifest(runDir).map(({ status }) => status)).toEqual([
    "interrupted",
    "interrupted",
    "done",
    "running",
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
