import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { holdWorkbench } from "../../src/runtime/held-workbench.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { collectEvents } from "../../src/testing/index.ts";
import { workbenchPathsOf } from "../../src/workbench/directories.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";

const hold = (workspace: string, name: string, isolated = false) => {
  const held = holdWorkbench({ workspace, isolated, runDir: join(workspace, name), runId: name });
  onCleanup(async () => {
    held.release();
    return Promise.resolve();
  });
  return { ...held, root: held.workbench.paths.root };
};

// Fails when a workbench is not held: the second run wakes in the first one's brief, and adds its request to it.
describe("the workbench of a workspace", () => {
  it("is one run's at a time; another run directory gets one of its own meanwhile, and keeps it", async () => {
    const workspace = await tempDir();
    const first = hold(workspace, "runs");
    expect([first.root, first.notice]).toEqual([join(workspace, ".flower"), undefined]);
    const second = hold(workspace, "books/two 二");
    expect(second.root).toBe(join(workspace, ".flower/run-books-two-二"));
    expect(second.notice).toContain(second.root);
    first.release();
    second.release();
    expect(hold(workspace, "books/two 二")).toMatchObject({ root: second.root, notice: undefined });
    expect(hold(workspace, "third").root).toBe(first.root);
    expect(workbenchPathsOf(workspace, false, "books/two 二").root).toBe(second.root);
    expect(workbenchPathsOf(workspace, false, "runs").root).toBe(first.root);
  });

  it("beside the workspace is held in the same way", async () => {
    const workspace = join(await tempDir(), "ws");
    await mkdir(workspace);
    const first = hold(workspace, "runs", true);
    expect(hold(workspace, "runs2", true).root).toBe(join(first.root, "run-runs2"));
  });

  it("is let go of when the run ends, also one that could not begin", async () => {
    const workspace = await tempDir();
    const seen = collectEvents();
    const open = (runDir: string): Runtime =>
      new Runtime({ workspace, workbench: true, runDir, onEvent: seen.listener });
    const first = open("runs");
    expect(() => open("runs")).toThrow(/another run works with/);
    const second = open("runs2");
    expect(second.workbench?.paths.root).toBe(join(workspace, ".flower/run-runs2"));
    expect(seen.ofType("system").map(({ message }) => message)).toEqual([
      expect.stringMatching(/another run works in this workspace; .*run-runs2/),
    ]);
    await first.close();
    await second.close();
    expect(existsSync(join(workspace, ".flower/lock.json"))).toBe(false);
  });
});
