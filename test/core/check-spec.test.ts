import { describe, expect, it } from "vitest";
import { checkSpec } from "../../src/core/check-spec.ts";
import type { AgentSpec } from "../../src/core/spec.ts";
import { z } from "zod";
import { judge, merger, clarifier, coordinator, oracle, worker } from "../../src/roles/roles.ts";

const spec = (changes: object): AgentSpec => ({ name: "a", instructions: "", ...changes });
const tool = {
  name: "t",
  description: "",
  input: { n: z.number() },
  handle: async () => Promise.resolve(""),
};

describe("an agent", () => {
  it.each([
    [{ effort: "huge" }, /`effort`: .*"low"/],
    [{ model: "" }, /`model`/],
    [{ maxTurns: 0 }, /`maxTurns`/],
    [{ maxBudgetUsd: "1" }, /`maxBudgetUsd`/],
    [{ tools: ["Read"] }, /a wrong form: .*"tools"/],
    [{ allowedTools: "Read" }, /`allowedTools`/],
    [{ plugins: [{ path: "x" }] }, /`plugins.0`/],
    [{ agents: { w: { description: "d", prompt: "p", tools: [], model: "inherit" } } }, /`agents.w.isolate`/],
    [{ mcpServers: { s: { command: "x" } } }, /`mcpServers.s.kind`/],
    [{ mcpServers: { s: { kind: "http", url: "no" } } }, /`mcpServers.s.url`/],
    [{ mcpServers: { s: { kind: "stdio", command: "x", arg: ["y"] } } }, /`mcpServers.s`: .*"arg"/],
    [
      { mcpServers: { s: { kind: "inProcess", tools: [{ ...tool, handle: 1 }] } } },
      /tools.0.handle`: is no function/,
    ],
    [{ compact: { mode: "never" } }, /`compact.mode`/],
    [{ hooks: [{ beforeTool: true }] }, /`hooks.0.beforeTool`: is no function/],
    [{ env: { A: 1 } }, /`env.A`/],
  ])("is refused with %j", (changes, wrong) => {
    const refused = { code: "usage", message: expect.stringMatching(wrong) as string };
    expect(() => checkSpec(spec(changes))).toThrow(expect.objectContaining(refused) as Error);
  });

  class Hook {
    beforeTool(): undefined {
      return undefined;
    }
  }

  it.each<[string, AgentSpec]>([
    ["all fields", spec({ effort: "low", maxTurns: 1, maxBudgetUsd: 0.1, plugins: ["p"], env: { A: "1" } })],
    ["undefined, as JavaScript leaves it", spec({ model: undefined, agents: undefined })],
    ["a hook of a class", spec({ hooks: [new Hook()] })],
    [
      "servers",
      spec({
        mcpServers: {
          a: { kind: "inProcess", tools: [tool] },
          b: { kind: "stdio", command: "x", args: [], env: {} },
          c: { kind: "http", url: "http://127.0.0.1:1/mcp", headers: {} },
        },
      }),
    ],
    ["a coordinator", coordinator("c", "", { w: worker("d", "p"), m: merger() })],
    ["a clarifier", clarifier()],
    ["a judge of goals", judge({ mode: "goal" })],
    ["a judge", judge({ mode: "verdict" })],
    ["an oracle", oracle()],
  ])("passes with %s", (_name, agent) => {
    expect(() => checkSpec(agent)).not.toThrow();
  });
});
