import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { DOCUMENT, grow, main, SPEC, stage } from "../support/stage.ts";

/** Every file below a directory that holds the text. */
function holding(dir: string, text: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

// Fails when `redacting(…)` is taken out of the runtime's store (the short failure), `bash.clean` out of the hook
// after a failure (the long one), or `redactDeep` out of the hook after a success.
it("a key that a program finds by itself is on no disk afterwards", async () => {
  const key = "sk-planted-0123456789abcdef";
  const show = `a=${key.slice(0, 12)}; b=${key.slice(12)}; echo $a$b`;
  const { workspace, runtime, seen } = await stage(
    [
      main([
        call("Bash", { command: show }),
        call("Bash", { command: `${show}; exit 3` }),
        call("Bash", { command: `seq 1 4000; ${show}; seq 1 4000; exit 3` }),
        say("done"),
      ]),
    ],
    {},
    {},
    { ANTHROPIC_API_KEY: key },
  );
  const result = await runtime.run(SPEC, "look");
  await runtime.close();
  expect(result.ok).toBe(true);
  expect(seen.ofType("toolResult").map((event) => event.isError)).toEqual([false, true, true]);
  expect(JSON.stringify(seen.events)).not.toContain(key);
  expect(JSON.stringify(seen.events)).toContain("[secret removed]");
  // The harness's own directory belongs to a process that is contained with it; flower's files are the rest.
  expect(holding(workspace, key).filter((path) => !path.includes("/runs/harness/"))).toEqual([]);
});

it("a handoff document holds neither values of the workspace's .env nor anything of a token's shape", async () => {
  const password = "correct-horse-battery";
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const workspace = await tempDir();
  await writeFile(join(workspace, ".env"), `DB_PASSWORD=${password}\nMODE=development\n`);
  const { runtime } = await stage(
    [
      main((request) => {
        if (/under exactly these headings/.test(request.lastUserText))
          return say(
            DOCUMENT.replace("plain Node", `password ${password}, token ${token}, mode development`),
          );
        return /^You are taking over/.test(request.firstUserText) ? say("done") : grow;
      }),
    ],
    { workspace, handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
  );
  expect((await runtime.run(SPEC, "do it")).ok).toBe(true);
  const document = await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
  expect(document).not.toContain(password);
  expect(document).not.toContain(token);
  expect(document).toContain("mode development");
});
