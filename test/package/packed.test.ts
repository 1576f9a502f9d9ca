import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { install, pack, type Packed } from "../support/packed.ts";
import { tempDir } from "../support/rehearse.ts";

const run = promisify(execFile);
/** Of the packed tarball, bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(async () => packed.remove());

it("the tarball is small, and has what is needed and nothing else", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(packed.size).toBeLessThan(MAX_BYTES);
  expect(paths).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "README.md",
      "dist/cli/main.js",
      "dist/harness/supervisor.js",
      "dist/index.d.ts",
      "dist/index.js",
      "dist/store/index.d.ts",
      "dist/testing/index.d.ts",
      "docs/reference/events.schema.json",
      "examples/01-single-agent.ts",
    ]),
  );
  const allowed =
    /^(?:dist\/.+\.(?:js|d\.ts)|docs\/.+\.(?:md|json)|examples\/[\w-]+\.ts|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  expect(paths.filter((path) => /(?:^|\/)(?:test|tests|demo-out|flower-demo|runs)\//.test(path))).toEqual([]);
});

// Fails when a file that the command needs at run time is left out of the package, or `bin` is taken out.
it("`npx flower-agent demo` works from the tarball in an empty directory", async () => {
  const dir = await tempDir();
  await install(packed.tarball, dir);
  const { stdout } = await run("npx", ["--no", "--offline", "flower-agent", "demo"], {
    cwd: dir,
    env: { ...process.env, ANTHROPIC_API_KEY: "", HOME: dir, XDG_CONFIG_HOME: join(dir, ".config") },
    timeout: 180_000,
  });
  expect(stdout).toMatch(/all \d+ tests pass/);
  expect(await readdir(join(dir, "flower-demo"))).toContain("md2html.mjs");
}, 200_000);
