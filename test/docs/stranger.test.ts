import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { cleanEnv } from "../support/flower.ts";
import { install, pack } from "../support/packed.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";
import { blocksOf } from "./pages.ts";

const run = promisify(execFile);
const PAGE = "docs/start.md";
/** What npx comes to for an installed command, without the second and a half that it thinks about it. */
const NPX = 'npx() { "./node_modules/.bin/$@"; }';

/** The way of somebody who has the page and the packed package, and nothing else: no key, no network. */
it("a stranger comes from the page to a manifest", async () => {
  const blocks = blocksOf(PAGE);
  const position = (command: string): number => {
    const found = blocks.findIndex(({ language, text }) => language === "sh" && text.includes(command));
    expect(found, `${PAGE} has a block with ${command}`).toBeGreaterThan(-1);
    return found;
  };
  const directory = await tempDir("stranger 花");
  const env = cleanEnv({ HOME: directory, XDG_CONFIG_HOME: "", LC_ALL: "C" });
  const shell = async (text: string): Promise<string> => {
    const { stdout } = await run("sh", ["-ec", `${NPX}\n${text}`], { cwd: directory, env });
    return stdout;
  };

  // In place of the line `npm install`: it would ask a registry for the dependencies.
  position("npm install ./flower-agent-");
  const packed = await pack();
  onCleanup(() => packed.remove());
  await install(packed.tarball, directory);

  const files = blocks.flatMap(({ meta, text }) => {
    const [, name] = /^\[(.+)\]$/.exec(meta) ?? [];
    return name === undefined ? [] : [{ name, text }];
  });
  expect(files.map(({ name }) => name)).toEqual(["hello.mjs", "rehearse.mjs"]);
  for (const { name, text } of files) await writeFile(join(directory, name), text);

  const rehearse = position("node rehearse.mjs");
  const printed = await shell(blocks[rehearse]?.text ?? "");
  expect(printed.trim()).toBe(blocks[rehearse + 1]?.text);
  expect(await readFile(join(directory, "hello.txt"), "utf8")).toBe("Hello!\n");

  const look = position("npx flower cost");
  const seen = await shell(blocks[look]?.text ?? "");
  expect(seen).toContain("hello.txt is written.");

  const shown = JSON.parse(blocks[look + 1]?.text ?? "") as Array<Record<string, unknown>>;
  const rows = JSON.parse(await readFile(join(directory, "runs/manifest.json"), "utf8")) as typeof shown;
  const stable = ["v", "step", "status", "ok", "text", "numTurns", "attempts"];
  const pick = (row: Record<string, unknown>) => Object.fromEntries(stable.map((name) => [name, row[name]]));
  expect(rows.map(pick)).toEqual(shown.map(pick));
  expect(rows.flatMap(Object.keys)).toEqual(expect.arrayContaining(shown.flatMap(Object.keys)));
}, 180_000);
