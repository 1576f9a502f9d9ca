import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tryItLine } from "../../src/cli/demo.ts";
import { textsFor } from "../../src/cli/texts.ts";
import { tempDir } from "../support/rehearse.ts";

it("says in the person's language how to try what was made", () => {
  const command = "cd /tmp/demo && node md2html.mjs sample.md && node --test";
  expect(tryItLine("/tmp/demo", textsFor("en"))).toBe(`try it: ${command}`);
  expect(tryItLine("/tmp/demo", textsFor("zh"))).toBe(`试一试: ${command}`);
});

it("says it as a line that a shell takes, whatever the directory is called", async () => {
  const workspace = join(await tempDir(), "it's $HOME");
  await mkdir(workspace);
  const line = tryItLine(workspace, textsFor("en")).replace(/^try it: /, "");
  const [cd = ""] = line.split(" && ");
  expect(spawnSync("sh", ["-c", `${cd} && pwd`], { encoding: "utf8" }).stdout).toBe(`${workspace}\n`);
});
