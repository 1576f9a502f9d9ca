import { describe, expect, it } from "vitest";
import type { GatePolicy } from "../../src/gate/gate.ts";
import { decide, mainCall, ruleOf, workerCall } from "./policy.ts";

describe("a main thread that delegates", () => {
  it.each<[string, Record<string, unknown>]>([
    ["Agent", { prompt: "x" }],
    ["Read", { file_path: "/home/me/ws/src/a.ts" }],
    ["Read", { file_path: "/home/me/ws/.flower/notes/brief.md" }],
    ["Read", { file_path: "src/a.ts" }],
    ["Read", { file_path: "/tmp/x" }],
    ["Grep", { pattern: "/etc" }],
    ["Grep", { pattern: "x", path: "src" }],
    ["Glob", { pattern: "**/*.ts" }],
    ["TodoWrite", {}],
    ["TaskCreate", {}],
    ["TaskUpdate", {}],
    ["mcp__flower__ask", {}],
    ["Bash", { command: "git status -s && git log --oneline -5" }],
    ["Bash", { command: "cat src/a.ts /tmp/x" }],
    ["Bash", { command: "grep -rn /etc/passwd src" }],
    ["Bash", { command: "ls /dev/null" }],
    ["Bash", { command: "ls {src,test}/*.ts" }],
  ])("may use %s with %j", (name, input) => {
    expect(decide(mainCall(name, input))).toEqual({ allow: true, rule: "allowed" });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["delegate", "Write", { file_path: "/home/me/ws/a" }],
    ["delegate", "Edit", { file_path: "/home/me/ws/a" }],
    ["delegate", "NotebookEdit", {}],
    ["delegate", "WebFetch", {}],
    ["delegate", "WebSearch", {}],
    ["delegate", "AskUserQuestion", {}],
    ["delegate", "Skill", {}],
    ["delegate", "mcp__other__tool", {}],
    ["delegate", "mcp__flowerx__tool", {}],
    ["delegate", "constructor", {}],
    ["delegate", "Bash", { command: "npm test" }],
    ["delegate", "Bash", { command: "ls; touch x" }],
    ["delegate", "Bash", { command: "ls 'x" }],
    ["delegate", "Bash", { command: "ls", run_in_background: true }],
    ["bad-input", "Bash", {}],
    ["read-outside", "Read", { file_path: "/etc/passwd" }],
    ["read-outside", "Read", { file_path: "/home/me/ws/../other/x" }],
    ["read-outside", "Read", { file_path: "~/other" }],
    ["read-outside", "Grep", { pattern: "x", path: "/etc" }],
    ["read-outside", "Glob", { pattern: "/srv/*" }],
    ["read-outside", "Glob", { pattern: "../**" }],
    ["credential", "Glob", { pattern: "id_*", path: "/home/me/.ssh" }],
    ["credential", "Read", { file_path: "/home/me/.ssh/id_rsa" }],
    ["credential", "Read", { file_path: "/home/me/ws/.env" }],
    ["credential", "Read", { file_path: "/etc/flower.env" }],
    ["credential", "Read", { file_path: "/proc/self/environ" }],
    ["glance-path", "Bash", { command: "cat /etc/passwd" }],
    ["glance-path", "Bash", { command: "cat ../other/x" }],
    ["glance-path", "Bash", { command: "ls && head -n 3 ~/notes" }],
    ["glance-path", "Bash", { command: "ls ~root" }],
    ["glance-path", "Bash", { command: "ls {src,/etc}/x" }],
    ["glance-path", "Bash", { command: "ls {src,..}/.." }],
    ["glance-path", "Bash", { command: "ls src/../../*" }],
    ["glance-path", "Bash", { command: "git -C /srv/other log" }],
    ["glance-path", "Bash", { command: "git diff --no-index /etc/passwd x" }],
    ["glance-path", "Bash", { command: "find / -name x" }],
    ["glance-path", "Bash", { command: "echo /srv/*" }],
    ["credential", "Bash", { command: "cat .env" }],
    ["credential", "Bash", { command: "git show HEAD:.env" }],
    ["credential", "Bash", { command: "cat ~/.ssh/id_rsa" }],
    ["credential", "Bash", { command: "cat /home/me/.s*/id_rsa" }],
    ["credential", "Bash", { command: "grep -f.env x" }],
  ])("is refused by %s: %s %j", (rule, name, input) => {
    expect(decide(mainCall(name, input))).toMatchObject({ allow: false, rule });
  });

  it("says how to delegate, and what was no glance", () => {
    const verdict = decide(mainCall("Bash", { command: "git status && rm -rf x" }));
    const reason = verdict.allow ? "" : verdict.reason;
    for (const word of ["`rm`", "Agent", "goal and acceptance", "artifacts", "paths and conclusions"]) {
      expect(reason).toContain(word);
    }
    expect(decide(mainCall("Write"))).toMatchObject({ reason: expect.stringContaining("Agent") as string });
  });

  it("runs no command at all without glance", () => {
    expect(ruleOf(mainCall("Bash", { command: "ls" }), { glance: false })).toBe("delegate");
  });

  it("leaves subagents to do the work", () => {
    expect(ruleOf(workerCall("Bash", { command: "npm test" }))).toBe("allowed");
    expect(ruleOf(workerCall("Write", { file_path: "/home/me/ws/a" }))).toBe("allowed");
    expect(ruleOf(workerCall("WebFetch"))).toBe("allowed");
    expect(ruleOf(workerCall("mcp__other__tool"))).toBe("allowed");
  });
});

describe("a role that reads", () => {
  const role: Partial<GatePolicy> = {
    delegateOnly: false,
    readOnly: true,
    glance: false,
    mainAllowed: ["Read", "Grep", "mcp__flower__ask"],
  };

  it.each<[string, string, Record<string, unknown>]>([
    ["allowed", "Read", { file_path: "/etc/hosts" }],
    ["allowed", "mcp__flower__ask", {}],
    ["credential", "Read", { file_path: "/home/me/.aws/credentials" }],
    ["read-only", "Glob", { pattern: "*" }],
    ["read-only", "Agent", {}],
    ["read-only", "Task", {}],
    ["read-only", "Bash", { command: "ls" }],
    ["read-only", "Write", { file_path: "/home/me/ws/a" }],
    ["read-only", "mcp__flower__other", {}],
  ])("%s: %s %j", (rule, name, input) => {
    expect(ruleOf(mainCall(name, input), role)).toBe(rule);
  });

  it("refuses writing and running even when the list names them", () => {
    const listed = { ...role, mainAllowed: ["Write", "Bash", "Agent"] };
    expect(ruleOf(mainCall("Write", { file_path: "/home/me/ws/a" }), listed)).toBe("read-only");
    expect(ruleOf(mainCall("Agent"), listed)).toBe("read-only");
    expect(ruleOf(mainCall("Bash", { command: "ls" }), listed)).toBe("delegate");
    expect(ruleOf(mainCall("Bash", { command: "ls" }), { ...listed, glance: true })).toBe("allowed");
    expect(ruleOf(mainCall("Bash", { command: "touch x" }), { ...listed, glance: true })).toBe("delegate");
  });

  it("has no subagents, and reads when no list is given", () => {
    expect(ruleOf(workerCall("Read", { file_path: "/home/me/ws/a" }), role)).toBe("read-only");
    const unlisted = { delegateOnly: false, readOnly: true, glance: false };
    expect(ruleOf(mainCall("Glob", { pattern: "*" }), unlisted)).toBe("allowed");
    expect(ruleOf(mainCall("WebFetch"), unlisted)).toBe("read-only");
  });
});

describe("a judge in a throwaway copy", () => {
  const judge: Partial<GatePolicy> = {
    workspace: "/tmp/copy",
    delegateOnly: false,
    readOnly: true,
    throwaway: true,
    mainAllowed: ["Read", "Bash", "Write"],
  };
  const inCopy = (command: string) => ({ ...mainCall("Bash", { command }), cwd: "/tmp/copy" });

  it.each<[string, string]>([
    ["allowed", "npm test"],
    ["allowed", "rm -rf node_modules && git reset --hard && git clean -fdx"],
    ["allowed", "rm -rf .git"],
    ["allowed", "echo x > .git/config"],
    ["allowed", "touch out && mv src other"],
    ["publish", "git push"],
    ["sudo", "sudo npm test"],
    ["credential", "cat ~/.ssh/id_rsa"],
    ["write-outside", "touch /home/me/ws2/x"],
    ["frozen-document", "echo x > /home/me/ws/.flower/notes/goal.md"],
    ["run-dir", "rm -rf /home/me/ws/runs"],
  ])("%s: %s", (rule, command) => {
    expect(ruleOf(inCopy(command), judge)).toBe(rule);
  });

  it("writes with tools in the copy only", () => {
    expect(ruleOf(mainCall("Write", { file_path: "/tmp/copy/a" }), judge)).toBe("allowed");
    expect(ruleOf(mainCall("Write", { file_path: "/tmp/other/a" }), judge)).toBe("write-outside");
    expect(ruleOf(mainCall("Edit", { file_path: "/tmp/copy/a" }), judge)).toBe("read-only");
  });
});

describe("a main thread that works itself", () => {
  const plain: Partial<GatePolicy> = { delegateOnly: false };

  it("goes by the same rules as a worker, and by its list of tools", () => {
    expect(ruleOf(mainCall("Bash", { command: "npm test" }), plain)).toBe("allowed");
    expect(ruleOf(mainCall("Bash", { command: "sudo npm test" }), plain)).toBe("sudo");
    expect(ruleOf(mainCall("Bash", { command: "ls" }), { ...plain, mainAllowed: ["Read"] })).toBe(
      "read-only",
    );
    expect(ruleOf(workerCall("Bash", { command: "ls" }), { ...plain, mainAllowed: ["Read"] })).toBe(
      "allowed",
    );
  });
});

describe("a gate that fails", () => {
  it("refuses", () => {
    const realpath = (): string => {
      throw new Error("no disk");
    };
    const late = {
      workspace: "/home/me/ws",
      realpath: (path: string) => (path.endsWith("/a") ? realpath() : path),
    };
    expect(decide(workerCall("Write", { file_path: "/home/me/ws/a" }), late)).toMatchObject({
      allow: false,
      rule: "gate-failed",
      reason: expect.stringContaining("no disk") as string,
    });
  });
});
