import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../../chaos/main.mjs", import.meta.url));

// A short form of `npm run chaos`: flower, its harness, and both are killed once each at moments that the seed gives.
it.runIf(process.platform === "linux")(
  "a job that is killed at any moment is finished by the next run, with nothing lost and nothing done again",
  async () => {
    const child = spawn(process.execPath, [MAIN, "--runs", "3", "--seed", "7"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (out += text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(out).toContain("3 of 3 jobs finished");
    expect(code).toBe(0);
  },
  120_000,
);
