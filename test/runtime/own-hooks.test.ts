import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  delegateGuard,
  indexGuard,
  isolateGuard,
  spillGuard,
  whitelistGuard,
  Workbench,
  type ToolCall,
  type ToolHook,
} from "../../src/index.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { ownHooks } from "../../src/runtime/own-hooks.ts";
import { call, say, type FixedReply } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

const bash = (command: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id: "1",
  name: "Bash",
  input: { command },
  cwd: "/ws",
  ...more,
});
const IN_AGENT = { agentId: "a1", agentType: "fixer" };

describe("hooks of a spec", () => {
  // Fails when they are not asked, when what they refuse runs, or when they hear of what the gate refuses.
  it("refuse calls and change results, of the main thread and of subagents", async () => {
    const heard: string[] = [];
    const hook: ToolHook = {
      beforeTool({ input, agentId }) {
        const command = typeof input["command"] === "string" ? input["command"] : "";
        heard.push(`${agentId === undefined ? "main" : "sub"}: ${command}`);
        return command.includes("forbidden") ? "not in this project" : undefined;
      },
      afterTool: ({ name }, output) =>
        name === "Bash"
          ? { output: { ...(output as object), stdout: "changed" }, context: "a word of the hook" }
          : undefined,
    };
    const spec = coordinator("work", "", { worker: worker("works", "You work.", { tools: ["Bash"] }) });
    const { runtime, rehearsal } = await stage([
      main((request): FixedReply => {
        if (request.turnCount === 0) return call("Bash", { command: "rm -rf x" });
        return request.turnCount === 1
          ? call("Agent", { description: "p", prompt: "p", subagent_type: "worker" })
          : say("done");
      }),
      sub((request): FixedReply => {
        if (request.turnCount === 0) return call("Bash", { command: "echo forbidden > made.txt" });
        return request.turnCount === 1 ? call("Bash", { command: "echo fine" }) : say("a report");
      }),
    ]);
    const result = await runtime.run({ ...spec, hooks: [hook] }, "do it");
    expect(result).toMatchObject({ ok: true, refusals: 2 });
    expect(heard.filter((line) => !line.endsWith(": "))).toEqual([
      "sub: echo forbidden > made.txt",
      "sub: echo fine",
    ]);
    const results = rehearsal.journal.flatMap((row) => JSON.stringify(rehearsal.body(row.index).messages));
    expect(results.at(-2)).toContain("changed");
    expect(results.at(-2)).toContain("a word of the hook");
    expect(results.at(-2)).toContain("not in this project");
  });

  it("ask the person although the runtime does not, where the spec says so", async () => {
    const script = main((request): FixedReply =>
      request.turnCount === 0 ? call("Bash", { command: "touch made.txt" }) : say("done"),
    );
    const { runtime, rehearsal } = await stage([script]);
    const result = await runtime.run({ ...SPEC, permissionMode: "ask" }, "do it");
    expect(result.refusals).toBe(1);
    expect(JSON.stringify(rehearsal.body(1).messages)).toMatch(/nobody/i);
  });

  it("that throw refuse a call, and leave a result as it was", async () => {
    const warnings: string[] = [];
    const broken: ToolHook = {
      beforeTool: () => {
        throw new Error("zorp");
      },
      afterTool: async () => Promise.reject(new Error("zorp")),
    };
    const own = ownHooks([{}, broken, { afterTool: () => ({ output: 2, context: "two" }) }], (message) =>
      warnings.push(message),
    );
    expect(await own.refusal(bash("ls"))).toMatch(/failed on the call \(zorp\), so it is refused/);
    expect(await own.result(bash("ls"), 1)).toEqual({ output: 2, contexts: ["two"] });
    expect(warnings).toEqual([expect.stringContaining("zorp")]);
  });
});

describe("guards", () => {
  const places = { workspace: "/ws", home: "/home/p" };
  it.each<[string, ToolHook, ToolCall, RegExp | undefined]>([
    ["delegate: work", delegateGuard(places), bash("npm test"), /Use Agent/],
    ["delegate: no glances unless allowed", delegateGuard(places), bash("git status -s"), /Use Agent/],
    ["delegate: a glance", delegateGuard({ ...places, glance: true }), bash("git status -s"), undefined],
    ["delegate: a worker", delegateGuard(places), bash("npm test", IN_AGENT), undefined],
    ["whitelist: on it", whitelistGuard(["Bash"]), bash("npm test"), undefined],
    [
      "whitelist: not on it",
      whitelistGuard(["Read"]),
      bash("npm test"),
      /not among your tools here \(Read\)/,
    ],
    ["whitelist: empty", whitelistGuard([]), bash("npm test"), /\(none\)/],
    ["whitelist: a worker", whitelistGuard([]), bash("npm test", IN_AGENT), undefined],
  ])("%s", async (_what, guard, toolCall, reason) => {
    const refused = await guard.beforeTool?.(toolCall);
    if (reason === undefined) expect(refused).toBeUndefined();
    else expect(refused).toMatch(reason);
  });

  it("isolate: a worker stays in its own worktree", async () => {
    const guard = isolateGuard({ ...places, agents: ["fixer"], worktrees: ["/wt"] });
    const write = (path: string, more: Partial<ToolCall>): ToolCall => ({
      ...bash(""),
      name: "Write",
      input: { file_path: path, content: "x" },
      cwd: "/wt/one",
      ...more,
    });
    expect(await guard.beforeTool?.(write("/wt/one/a.txt", IN_AGENT))).toBeUndefined();
    expect(await guard.beforeTool?.(write("/wt/two/a.txt", IN_AGENT))).toMatch(/worktree|checkout/);
    expect(await guard.beforeTool?.(write("/ws/a.txt", IN_AGENT))).toMatch(/worktree|checkout/);
    expect(
      await guard.beforeTool?.(write("/ws/a.txt", { agentId: "b", agentType: "other" })),
    ).toBeUndefined();
  });

  it("spill: long results go to disk, what reads them back is whole", async () => {
    const workspace = await tempDir();
    const workbench = Workbench.open({ workspace });
    const guard = spillGuard({ workbench, thresholdChars: 100, redact: (text) => text });
    const long = { stdout: "x".repeat(200), stderr: "" };
    const spilled = guard.afterTool(bash("seq 9"), long)?.output as { stdout: string };
    const path = /whole text is in (.*\.txt);/.exec(spilled.stdout)?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toBe(long.stdout);
    expect(guard.afterTool(bash(`cat '${path}'`, { cwd: workspace }), long)).toBeUndefined();
    expect(guard.afterTool(bash("seq 9"), { stdout: "short", stderr: "" })).toBeUndefined();
    const mainOnly = spillGuard({ workbench, thresholdChars: 100, mainOnly: true });
    expect(mainOnly.afterTool(bash("seq 9", IN_AGENT), long)).toBeUndefined();
  });

  it("index: news come with a subagent's result, once", async () => {
    const workspace = await tempDir();
    const workbench = Workbench.open({ workspace });
    const guard = indexGuard({ workbench });
    const agent = { ...bash(""), name: "Agent" };
    mkdirSync(workbench.paths.scripts, { recursive: true });
    writeFileSync(join(workbench.paths.scripts, "go.sh"), "# desc: goes\n");
    expect(await guard.afterTool?.(bash("ls"), {})).toBeUndefined();
    expect(await guard.afterTool?.({ ...agent, ...IN_AGENT }, {})).toBeUndefined();
    expect((await guard.afterTool?.(agent, {}))?.context).toContain("go.sh");
    expect(await guard.afterTool?.(agent, {})).toBeUndefined();
  });
});
