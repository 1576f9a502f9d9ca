import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { LONG } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Exit code and output of `npm run probe -- …`. */
async function probe(...args: string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, "probes/main.mjs"), ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

it("the pinned version is as the code takes it to be", async () => {
  const { code, output } = await probe(...(LONG ? [] : ["--quick"]));
  expect(output.split("\n").filter((line) => !line.startsWith("ok"))).toEqual([
    expect.stringMatching(/^SDK \S+, harness \S+$/),
    expect.stringMatching(/^no difference in \d\d+ facts of \d\d+ probes$/),
    "",
  ]);
  expect(code).toBe(0);
}, 300_000);

it("another version is compared fact by fact, and what relies on a changed one is named", async () => {
  const dir = await tempDir();
  const pinned = createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk");
  // A harness whose hooks never deny.
  const sdk = `export * from "${pathToFileURL(pinned).href}";
    import { query as real } from "${pathToFileURL(pinned).href}";
    export const query = ({ prompt, options }) =>
      real({ prompt, options: { ...options, hooks: {}, allowedTools: ["Bash"] } });`;
  await writeFile(join(dir, "sdk.mjs"), sdk);
  await writeFile(join(dir, "package.json"), JSON.stringify({ version: "9.9.9", type: "module" }));

  const { code, output } = await probe("--sdk", dir, "--only", "a call is denied");

  expect(code).toBe(1);
  expect(output).toContain("SDK 9.9.9, harness ?, beside what is known of SDK 0.3.332");
  expect(output).toContain("CHANGED  hooks: a call is denied, or runs with another input");
  expect(output).toMatch(
    /the reason is in the result: expected "PreToolUse:Bash hook error: .*", seen "denied"/,
  );
  expect(output).toContain("relied on by src/harness/hooks.ts");
  expect(output).toMatch(/\n4 different in 5 facts of 1 probes\n/);
});

it("a version like the pinned one has no difference", async () => {
  const pinned = fileURLToPath(new URL("../../node_modules/@anthropic-ai/claude-agent-sdk", import.meta.url));
  const { code, output } = await probe("--sdk", pinned, "--only", "a call is denied");
  expect(output).toContain("no difference in 5 facts");
  expect(code).toBe(0);
});

it("a version that never says anything is different after the limit", async () => {
  const dir = await tempDir();
  await writeFile(
    join(dir, "sdk.mjs"),
    "export const query = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
  );
  await writeFile(join(dir, "package.json"), JSON.stringify({ version: "9.9.9", type: "module" }));
  const { code, output } = await probe("--sdk", dir, "--only", "a call is denied", "--limit", "0.5");
  expect(output).toContain('seen "broke off: not done after 0.5 s"');
  expect(output).toMatch(/\n5 different in 5 facts of 1 probes\n/);
  expect(code).toBe(1);
});

it("what is no package of the SDK is said in one line", async () => {
  const dir = await tempDir();
  const noPackage = await probe("--sdk", dir);
  expect(noPackage).toEqual({
    code: 2,
    output: `--sdk: ${dir} is no package of the SDK: there is no package.json and no sdk.mjs in it\n`,
  });
  await writeFile(join(dir, "package.json"), "{}");
  expect((await probe("--sdk", dir)).output).toMatch(/^--sdk: .* there is no sdk\.mjs in it\n$/);
  await writeFile(join(dir, "sdk.mjs"), "export const = 1;");
  expect((await probe("--sdk", dir)).output).toMatch(/sdk\.mjs cannot be loaded: .*\n$/);
});

it("words that no probe has are an error", async () => {
  expect(await probe("--only", "nothing like this")).toMatchObject({ code: 2 });
});

it("the page lists all probes", async () => {
  const { output } = await probe("--table");
  expect(readFileSync(join(ROOT, "docs/reference/probes.md"), "utf8")).toContain(output.trim());
});
