import { describe, expect, it } from "vitest";
import { expandBraces, mayMean } from "../../src/gate/path-pattern.ts";
import type { ToolCall } from "../../src/core/tool-call.ts";
import { decide, mainCall, ruleOf, workerCall } from "./policy.ts";

const WS = "/home/me/ws";

describe("writing tools of a worker", () => {
  it.each<[string, string]>([
    ["allowed", `${WS}/src/a.ts`],
    ["allowed", "src/a.ts"],
    ["allowed", `${WS}/.flower/artifacts/a.md`],
    ["allowed", `${WS}/.flower/notes/decision.md`],
    ["allowed", `${WS}/.flower/scripts/a.sh`],
    ["allowed", `${WS}/docs/brief.md`],
    ["allowed", `${WS}/.gitignore`],
    ["allowed", `${WS}/.github/x.yml`],
    ["allowed", `${WS}/.claude/agents/x.md`],
    ["allowed", `${WS}/.env.example`],
    ["allowed", `${WS}/runs.md`],
    ["allowed", "/tmp/x"],
    ["allowed", "/tmp/fixture/.git/config"],
    ["write-outside", "/etc/passwd"],
    ["write-outside", "/home/me/ws2/a"],
    ["write-outside", `${WS}/../other`],
    ["write-outside", "/home/me/.bashrc"],
    ["write-outside", "~/x"],
    ["frozen-document", `${WS}/.flower/notes/brief.md`],
    ["frozen-document", `${WS}/.flower/notes/需求.md`],
    ["frozen-document", `${WS}/.flower/notes/x/../goal.md`],
    ["frozen-document", `${WS}/.flower/Notes/Brief.md`],
    ["frozen-document", `${WS}/.flower/INDEX.md`],
    ["run-dir", `${WS}/runs/manifest.json`],
    ["spill", `${WS}/.flower/spill/0123456789abcdef.txt`],
    ["git-internals", `${WS}/.git/config`],
    ["git-internals", `${WS}/.git/hooks/pre-commit`],
    ["git-internals", `${WS}/.GIT/hooks/pre-commit`],
    ["git-internals", `${WS}/sub/.git/x`],
    ["harness-settings", `${WS}/.mcp.json`],
    ["harness-settings", `${WS}/.claude/settings.json`],
    ["harness-settings", `${WS}/.claude/settings.local.json`],
    ["credential", "/home/me/.ssh/authorized_keys"],
    ["credential", "/home/me/.config/flower/.env"],
    ["credential", `${WS}/.env`],
  ])("%s: %s", (rule, file_path) => {
    expect(ruleOf(workerCall("Write", { file_path }))).toBe(rule);
    expect(ruleOf(workerCall("Edit", { file_path }))).toBe(rule);
    expect(ruleOf(workerCall("NotebookEdit", { notebook_path: file_path }))).toBe(rule);
  });

  it("want a path", () => {
    expect(ruleOf(workerCall("Write"))).toBe("bad-input");
    expect(ruleOf(workerCall("Write", { file_path: "" }))).toBe("bad-input");
  });

  it("write into the worktrees of isolated workers", () => {
    const worktrees = ["/home/me/trees"];
    expect(ruleOf(workerCall("Write", { file_path: "/home/me/trees/a/x" }), { worktrees })).toBe("allowed");
    expect(ruleOf(workerCall("Write", { file_path: "/home/me/trees/a/.git" }), { worktrees })).toBe(
      "git-internals",
    );
  });

  it("of an isolated worker end at its own worktree", () => {
    const isolated = {
      worktrees: ["/home/me/bench/worktrees"],
      isolatedAgents: ["coder"],
      workbench: "/home/me/bench",
    };
    const decided = (file_path: string, cwd = "/home/me/bench/worktrees/a1/src") =>
      decide({ ...workerCall("Write", { file_path }), cwd }, isolated);
    expect(decided("x.ts").rule).toBe("allowed");
    expect(decided("/home/me/bench/worktrees/a1/x.ts").rule).toBe("allowed");
    expect(decided("/home/me/bench/artifacts/x.txt").rule).toBe("allowed");
    expect(decided("/tmp/x.txt").rule).toBe("allowed");
    expect(decided("/home/me/bench/worktrees/a1/.git").rule).toBe("git-internals");
    expect(decided("/home/me/bench/worktrees/a2/x.ts").rule).toBe("shared-checkout");
    const shared = decided(`${WS}/src/x.ts`);
    expect(shared.rule).toBe("shared-checkout");
    // Fails when the refusal does not say where to write instead.
    expect("reason" in shared ? shared.reason : "").toContain("/home/me/bench/worktrees/a1/src/x.ts");
    // The harness did not isolate it: then nothing of the checkout is its own.
    expect(decided("x.ts", WS).rule).toBe("shared-checkout");
    // Others may finish what is left in a worktree, but not take it away.
    const other = { ...isolated, isolatedAgents: [] };
    const command = (text: string) => ruleOf(workerCall("Bash", { command: text }), other);
    expect(command("git -C /home/me/bench/worktrees/a1 commit -am x")).toBe("allowed");
    expect(command("rm -rf /home/me/bench/worktrees/a1")).toBe("remove-root");
    expect(command("git worktree remove --force /home/me/bench/worktrees/a1")).toBe("remove-root");
    expect(command("mv /home/me/bench/worktrees/a* /tmp")).toBe("remove-root");
  });

  it("follow links when they are told how", () => {
    const realpath = (path: string) =>
      path
        .replace(/^\/tmp/, "/private/tmp")
        .replace(`${WS}/out`, "/etc")
        .replace(`${WS}/hooks`, `${WS}/.git/hooks`);
    const write = (file_path: string) => ruleOf(workerCall("Write", { file_path }), { realpath });
    expect(write("/tmp/x")).toBe("allowed");
    expect(write("/private/tmp/x")).toBe("allowed");
    expect(write(`${WS}/out/x`)).toBe("write-outside");
    expect(write(`${WS}/hooks/x`)).toBe("git-internals");
    expect(ruleOf(workerCall("Bash", { command: "echo > out/x" }), { realpath })).toBe("write-outside");
  });
});

describe("reading tools of a worker", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["allowed", "Read", { file_path: "/usr/include/stdio.h" }],
    ["allowed", "Grep", { pattern: "x", path: "/usr" }],
    ["allowed", "Read", { file_path: `${WS}/.flower/notes/brief.md` }],
    ["allowed", "Read", { file_path: `${WS}/.git/config` }],
    ["allowed", "Read", { file_path: "/proc/cpuinfo" }],
    ["credential", "Read", { file_path: "/home/me/.netrc" }],
    ["credential", "Read", { file_path: "/home/me/.claude.json" }],
    ["credential", "Read", { file_path: "/proc/1/environ" }],
    ["credential", "Read", { file_path: `${WS}/.env` }],
    ["credential", "Grep", { pattern: "x", path: "/home/me/.config/gh" }],
    ["credential", "Glob", { pattern: "/home/me/.aws/*" }],
  ])("%s: %s %j", (rule, name, input) => {
    expect(ruleOf(workerCall(name, input))).toBe(rule);
  });
});

/** Braces with so many names, and one more. */
const braced = (count: number, last: string): string =>
  `{${Array.from({ length: count }, (_, i) => `a${i}`).join(",")},${last}}`;

describe("a word of many names in braces", () => {
  const manyPairs = `${"{a,b}".repeat(12)}{,/../../../etc/passwd}`;
  it.each<[string, ToolCall]>([
    ["glance-path", mainCall("Bash", { command: `head -qn 1 ${braced(65, "/etc/passwd")}` })],
    ["unparsable", mainCall("Bash", { command: `cat ${manyPairs}` })],
    ["allowed", mainCall("Bash", { command: `cat ${braced(65, "b")}` })],
    ["read-outside", mainCall("Glob", { pattern: "{a,b}".repeat(12) })],
    ["credential", workerCall("Bash", { command: `cat ~/${braced(65, ".ssh/id_rsa")}` })],
    ["credential", workerCall("Bash", { command: `cd; cat ${braced(65, ".ssh/id_rsa")}` })],
    ["unparsable", workerCall("Bash", { command: `cd; cat ${braced(2000, ".ssh/id_rsa")}` })],
    ["unparsable", workerCall("Bash", { command: `cd; cat <${braced(2000, ".ssh/id_rsa")}` })],
    [
      "unparsable",
      workerCall("Bash", { command: `cd; for f in ${braced(2000, ".ssh/id")}; do cat $f; done` }),
    ],
    ["credential", workerCall("Glob", { pattern: braced(2000, ".ssh/id_rsa") })],
    [
      "credential",
      workerCall("Grep", {
        pattern: "x",
        path: "/home/me",
        glob: braced(2000, "id_rsa"),
        output_mode: "content",
      }),
    ],
    [
      "credential",
      workerCall("Grep", {
        pattern: "x",
        path: "/home/me",
        glob: `!${braced(2000, "x")}`,
        output_mode: "content",
      }),
    ],
    ["allowed", workerCall("Bash", { command: `mkdir -p src/${braced(100, "x")}/{1..5000}` })],
  ])("%s: %#", (rule, call) => {
    expect(ruleOf(call, { exists: () => true })).toBe(rule);
  });
});

describe("patterns", () => {
  it.each<[string, string[]]>([
    ["a{b,c}d", ["abd", "acd"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["x{1..3}", ["x*"]],
    ["x{y}", ["xy"]],
    ["plain", ["plain"]],
    [`{${"{a,".repeat(12)}b${"}".repeat(13)}`, ["a", "b"]],
  ])("expand %s", (text, expected) => {
    expect(expandBraces(text)?.sort()).toEqual(expected.sort());
  });

  it("expand to a list of many names", () => {
    const names = Array.from({ length: 200 }, (_, i) => `a${i}`);
    expect(expandBraces(`{${names.join(",")}}`)).toEqual(names);
  });

  it.each([
    "{a,b}".repeat(30),
    `{${"a".repeat(9000)},b}{1,2,3}{4,5,6}`,
    "{a}".repeat(99),
    "{a,b}{".repeat(20) + "x",
  ])("are not expanded beyond bounds: %#", (text) => expect(expandBraces(text)).toBeUndefined());

  it.each<[string, string, boolean, boolean]>([
    ["/a/*", "/a/b", false, true],
    ["/a/*", "/a/.b", false, false],
    ["/a/.*", "/a/.b", false, true],
    ["/a/[b]", "/a/b", false, true],
    ["/a/b*", "/a/c", false, false],
    ["/a", "/a/b", false, false],
    ["/a", "/a/b", true, true],
    ["/a/b/c", "/a/b", false, true],
    ["/*/b/c", "/a/b", false, true],
  ])("%s may mean %s (tree %s): %s", (path, target, tree, expected) => {
    expect(mayMean(path, target, tree)).toBe(expected);
  });
});
