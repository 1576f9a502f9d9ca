import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isolateAgent } from "../../src/gate/isolate-agent.ts";
import { runFile } from "../../src/gate/rewrites.ts";
import { mainCall, workerCall } from "./policy.ts";

/** Its name has the word that the harness looks for, a quote, a space and CJK. */
const dir = mkdtempSync(join(tmpdir(), "flower's Git 花 "));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** How the harness gets to see a command. */
function seenOf(command: string): string {
  const path = join(dir, "digit.sh");
  writeFileSync(path, command);
  return runFile(path);
}

const sh = (command: string) => spawnSync("bash", ["-c", command], { encoding: "utf8" });

describe("the last rewrite of an isolated worker's command", () => {
  it.each([
    ["git", "git --version"],
    ["any case", "echo git Git GIT giT gIt legitimate.git"],
    ["an exit code", "echo git; exit 7"],
    ["both streams", "echo git; echo git >&2"],
    ["a here-document", "cat <<'END'\ngit ' \" ( $x `y`\nEND\necho git"],
    ["marks in the text", "echo git @1 @1s@ @1l@ @11s@"],
    ["words of its own", "cat <<'FLOWER_END'\ngit\nFLOWER_END"],
    ["quotes that end nowhere", "# git's\necho git"],
    ["other characters", "echo 'git 花 \u{1f33c}'; printf 'git \\xff\\n' | od -c"],
    ["a long text", `cat <<'END'\n${"git 花\n".repeat(10_000)}END`],
    ["backslashes", "echo 'git \\1 & / \\n'"],
  ])("keeps %s", (_name, command) => {
    const hidden = seenOf(command);
    // The harness looks for the word in any spelling, and refuses what is long (0.3.332).
    expect(hidden).not.toMatch(/git/i);
    expect(hidden.length).toBeLessThan(500);
    const { stdout, stderr, status } = sh(hidden);
    const plain = sh(command);
    expect({ stdout, status }).toEqual({ stdout: plain.stdout, status: plain.status });
    expect(stderr).toBe(plain.stderr);
  });

  it("runs in the shell itself: directory and variables stay", () => {
    expect(sh(`${seenOf("cd /tmp; x=git")}\npwd; echo $x`).stdout).toBe("/tmp\ngit\n");
  });
});

describe("the input of an Agent call", () => {
  const input = { description: "d", prompt: "p", subagent_type: "coder" };
  it.each<[string, object, object | undefined]>([
    ["of an isolated type", input, { ...input, isolation: "worktree" }],
    [
      "of an isolated type, sent away by the model",
      { ...input, isolation: "remote" },
      { ...input, isolation: "worktree" },
    ],
    ["of another type", { ...input, subagent_type: "merger" }, undefined],
    [
      "of another type, isolated by the model",
      { ...input, subagent_type: "merger", isolation: "worktree" },
      { ...input, subagent_type: "merger" },
    ],
    ["without a type", { description: "d", prompt: "p" }, undefined],
  ])("%s", (_name, given, wanted) => {
    expect(isolateAgent(mainCall("Agent", given as Record<string, unknown>), ["coder"])).toEqual(wanted);
  });

  it("is all that is looked at", () => {
    expect(
      isolateAgent(workerCall("Bash", { isolation: "x", subagent_type: "coder" }), ["coder"]),
    ).toBeUndefined();
  });
});
