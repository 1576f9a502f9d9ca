import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/core/tool-call.ts";
import { createGate, type GatePolicy } from "../../src/gate/gate.ts";
import { mainCall, POLICY, ruleOf, workerCall } from "./policy.ts";

const ASK: GatePolicy = { ...POLICY, mode: "ask" };

/** What would be put to the person. */
function requestOf(call: ToolCall, changes: Partial<GatePolicy> = {}) {
  const verdict = createGate({ ...ASK, ...changes }).decide(call);
  return verdict.allow ? undefined : verdict.ask;
}

describe("the mode ask puts to the person", () => {
  it.each<[string, Record<string, unknown>, { kind: string; what: string; where?: string }]>([
    ["Bash", { command: "npm test" }, { kind: "command", what: "npm test", where: "/home/me/ws" }],
    ["Bash", { command: "ls; touch x" }, { kind: "command", what: "ls; touch x" }],
    ["Bash", { command: "ls 'x' > y" }, { kind: "command", what: "ls 'x' > y" }],
    ["Bash", { command: "ls", run_in_background: true }, { kind: "command", what: "ls" }],
    ["Bash", { command: "cat /etc/hosts" }, { kind: "command", what: "cat /etc/hosts" }],
    ["Bash", { command: "env" }, { kind: "command", what: "env" }],
    ["Write", { file_path: "src/a" }, { kind: "write", what: "/home/me/ws/src/a", where: "/home/me/ws/src" }],
    ["Edit", { file_path: "/tmp/a" }, { kind: "write", what: "/tmp/a", where: "/tmp" }],
    ["NotebookEdit", { notebook_path: "n.ipynb" }, { kind: "write", what: "/home/me/ws/n.ipynb" }],
    ["Read", { file_path: "/usr/x/y.h" }, { kind: "read", what: "/usr/x/y.h", where: "/usr/x" }],
    ["Grep", { pattern: "a", path: "/usr/x" }, { kind: "search", what: "/usr/x" }],
    ["Glob", { pattern: "/srv/{a,b}/*" }, { kind: "search", what: "/srv/a/*\n/srv/b/*" }],
    ["WebFetch", { url: "http://a/b" }, { kind: "tool", what: "http://a/b" }],
    ["WebSearch", { query: "q" }, { kind: "tool", what: '{"query":"q"}' }],
    ["mcp__other__do", { n: 1 }, { kind: "tool", what: '{"n":1}' }],
    ["mcp__flowerx__ask", {}, { kind: "tool", what: "{}" }],
    ["ToolOfTomorrow", {}, { kind: "tool", what: "{}" }],
  ])("%s %j", (tool, input, expected) => {
    expect(requestOf(workerCall(tool, input))).toMatchObject({ tool, ...expected });
    const main = requestOf(mainCall(tool, input), { delegateOnly: false });
    expect(main).toMatchObject({ tool, ...expected });
  });

  it("the web that a clarifier reads", () => {
    const policy = { delegateOnly: false, readOnly: true, mainAllowed: ["Read", "WebFetch"] };
    expect(requestOf(mainCall("WebFetch", { url: "u" }), policy)).toMatchObject({ what: "u" });
  });

  it("a link by what it leads to", () => {
    const realpath = (path: string): string => path.replace("/ws/link/", "/ws/deep/down/");
    expect(requestOf(workerCall("Write", { file_path: "link/a" }), { realpath })).toMatchObject({
      what: "/home/me/ws/link/a -> /home/me/ws/deep/down/a",
      where: "/home/me/ws/deep/down",
    });
  });
});

describe("the mode ask says by itself", () => {
  it.each<[string, Record<string, unknown>]>([
    ["Bash", { command: "git status -s && git log --oneline -5" }],
    ["Bash", { command: "cat src/a /tmp/x" }],
    ["Read", { file_path: "/home/me/ws/a" }],
    ["Read", { file_path: "/home/me/ws/.flower/notes/brief.md" }],
    ["Grep", { pattern: "/etc" }],
    ["TodoWrite", {}],
    ["mcp__flower__ask", {}],
  ])("yes to %s %j", (name, input) => {
    expect(ruleOf(workerCall(name, input), ASK)).toBe("allowed");
  });

  it("yes to an agent that is started", () => expect(ruleOf(mainCall("Agent"), ASK)).toBe("allowed"));

  it("yes to whatever a judge does in its copy", () => {
    const policy = { ...ASK, delegateOnly: false, readOnly: true, throwaway: true, mainAllowed: ["Bash"] };
    expect(ruleOf(mainCall("Bash", { command: "npm test" }), policy)).toBe("allowed");
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["sudo", "Bash", { command: "sudo ls" }],
    ["write-outside", "Write", { file_path: "/srv/a" }],
    ["write-outside", "Bash", { command: "touch /srv/a" }],
    ["publish", "Bash", { command: "git push" }],
    ["publish", "Bash", { command: "npm publish" }],
    ["frozen-document", "Write", { file_path: "/home/me/ws/.flower/notes/brief.md" }],
    ["credential", "Read", { file_path: "/home/me/.netrc" }],
    ["git-discard", "Bash", { command: "git reset --hard" }],
    ["bad-input", "Bash", {}],
  ])("no, by the rule %s, to %s %j", (rule, name, input) => {
    expect(ruleOf(workerCall(name, input), ASK)).toBe(rule);
    expect(requestOf(workerCall(name, input))).toBeUndefined();
  });

  it("no to hands-on work of a coordinator", () => {
    expect(ruleOf(mainCall("Write", { file_path: "a" }), ASK)).toBe("delegate");
  });
});

describe("what is allowed for the run covers", () => {
  const bash = (command: string, cwd = "/home/me/ws"): ToolCall => ({
    ...workerCall("Bash", { command }),
    cwd,
  });
  const write = (file_path: string, name = "Write"): ToolCall => workerCall(name, { file_path });
  const use = (name: string, input: Record<string, unknown> = {}): ToolCall => workerCall(name, input);

  it.each<[string, boolean, ToolCall, ToolCall]>([
    ["the same command in its directory", true, bash("npm test"), bash("npm test")],
    ["not another command", false, bash("npm test"), bash("npm test -- -u")],
    ["not another spelling", false, bash("npm test"), bash("npm  test")],
    ["not another directory", false, bash("npm test"), bash("npm test", "/home/me/ws/sub")],
    ["files of the directory", true, write("src/a"), write("/home/me/ws/src/b")],
    ["files of the directory for each tool", true, write("src/a"), write("src/b", "Edit")],
    ["not directories beneath", false, write("src/a"), write("src/deep/b")],
    ["not what is above", false, write("src/a"), write("b")],
    ["not reading where writing is", false, write("/tmp/a"), use("Read", { file_path: "/usr/a" })],
    [
      "reading in the directory",
      true,
      use("Read", { file_path: "/u/a" }),
      use("Read", { file_path: "/u/b" }),
    ],
    ["no search of it", false, use("Read", { file_path: "/u/a" }), use("Grep", { pattern: "x", path: "/u" })],
    ["another input of the tool", true, use("WebFetch", { url: "a" }), use("WebFetch", { url: "b" })],
    ["not another tool", false, use("mcp__a__b"), use("mcp__a__c")],
    ["no tool that is named like a command", false, bash("x"), use("x")],
  ])("%s: %s", (_, covered, granted, later) => {
    const gate = createGate({ ...ASK, delegateOnly: false });
    const verdict = gate.decide(granted);
    const key = verdict.allow ? "" : (verdict.ask?.key ?? "");
    expect(gate.decide(granted, new Set([key]))).toEqual({ allow: true, rule: "allowed" });
    expect(gate.decide(later, new Set([key])).allow).toBe(covered);
  });

  it("nothing that a rule refuses", () => {
    const gate = createGate(ASK);
    const key = JSON.stringify(["command", "/home/me/ws", "sudo ls"]);
    expect(gate.decide(bash("sudo ls"), new Set([key]))).toMatchObject({ allow: false, rule: "sudo" });
  });
});
