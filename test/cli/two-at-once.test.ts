import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { say } from "../../src/testing/index.ts";
import { FLOWER } from "../support/flower.ts";
import { onCleanup, rehearse, tempDir } from "../support/rehearse.ts";

// Fails when the runtime does not take the lock (`lockRunDir`).
it("of two runs started at once in one directory exactly one works; the other spends nothing and says why", async () => {
  const workspace = await tempDir();
  const rehearsal = await rehearse({
    scenario: {
      name: "two",
      actors: [{ name: "main", when: () => true, script: () => ({ ...say("done"), delayMs: 1_500 }) }],
    },
  });
  const run = async (prompt: string): Promise<{ code: number | null; err: string }> => {
    const child = spawn(process.execPath, [FLOWER, "once", "-w", workspace, prompt], {
      env: { ...process.env, ...rehearsal.env, HOME: workspace, XDG_CONFIG_HOME: "" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onCleanup(async () => child.kill("SIGKILL"));
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, err };
  };
  const both = await Promise.all([run("first"), run("second")]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(both.find(({ code }) => code === 1)?.err).toMatch(/another run works with .*process \d+.*--run-dir/);
  expect(rehearsal.journal).toHaveLength(1);
  const rows = JSON.parse(await readFile(join(workspace, "runs/manifest.json"), "utf8")) as unknown[];
  expect(rows).toHaveLength(1);
}, 60_000);
