import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { AgentSpec, McpServer } from "../../src/core/spec.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say, type Actor } from "../../src/testing/index.ts";
import { pidsOf } from "../support/processes.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, SPEC, stage, sub } from "../support/stage.ts";

const SECRET = "sides-of-a-die-4711";

/** A server of the Model Context Protocol with one tool, as a program. */
const SERVER = `
import { createInterface } from "node:readline";
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "dice", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "roll", description: "Rolls.", inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "rolled " + process.env.SIDES }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params);
  if (id !== undefined && result) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

const PLUGIN: Record<string, string> = {
  ".claude-plugin/plugin.json": `{ "name": "garden", "version": "1.0.0", "description": "for a test" }`,
  "skills/pruning/SKILL.md":
    "---\nname: pruning\ndescription: How roses are pruned.\n---\n\nCut above an eye.\n",
  "agents/gardener.md": "---\nname: gardener\ndescription: Tends beds.\n---\n\nYou tend the beds.\n",
};

async function write(dir: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
}

it("each role has its model and effort in what it asks", async () => {
  const at = await stage([
    main(({ turnCount }) =>
      turnCount === 0
        ? call("Agent", { subagent_type: "scout", description: "look", prompt: "look around" })
        : say("done"),
    ),
    sub([say("looked")]),
  ]);
  const scout = worker("Searches.", "You search.", { model: "claude-sonnet-5", effort: "low" });
  const lead = coordinator("lead", "You lead.", { scout }, { model: "claude-opus-5", effort: "high" });
  expect(await at.runtime.run(lead, "go")).toMatchObject({ ok: true, text: "done" });
  const asked = at.rehearsal.journal.map(({ agentId }, i) => {
    const { model, output_config } = at.rehearsal.body(i) as { model?: string; output_config?: unknown };
    return [agentId === undefined ? "lead" : "scout", model, output_config];
  });
  const high = ["lead", "claude-opus-5", { effort: "high" }];
  expect(asked).toEqual([high, ["scout", "claude-sonnet-5", { effort: "low" }], high]);
});

it("tools of servers in this process and of a program are offered, and called; what a program gets stays unseen", async () => {
  const workspace = await tempDir();
  await write(workspace, { "dice.mjs": SERVER });
  let exposed: number[] | undefined;
  const handle = async (): Promise<string> => {
    // On some command line, others of this machine could read it.
    exposed = process.platform === "linux" ? pidsOf(SECRET) : [];
    return "five o'clock";
  };
  const clock: McpServer = {
    kind: "inProcess",
    tools: [{ name: "now", description: "The time.", input: {}, handle }],
  };
  const command = process.execPath;
  const dice: McpServer = { kind: "stdio", command, args: ["dice.mjs"], env: { SIDES: SECRET } };
  const spec: AgentSpec = {
    ...SPEC,
    allowedTools: ["Read", "mcp__clock__now", "mcp__dice__roll"],
    mcpServers: { clock, dice },
  };
  const at = await stage(
    [
      main(({ turnCount, toolResults: [result] }) => {
        if (turnCount === 0) return call("mcp__clock__now", {});
        if (turnCount === 1) return call("mcp__dice__roll", {});
        return say(result?.text ?? "");
      }),
    ],
    { workspace },
  );
  expect((await at.runtime.run(spec, "go")).text).toBe(`rolled ${SECRET}`);
  expect(exposed).toEqual([]);
  expect(at.rehearsal.body(0).tools?.map((tool) => tool["name"])).toEqual(
    expect.arrayContaining(["mcp__clock__now", "mcp__dice__roll"]),
  );
  expect(messagesText(at.rehearsal, 1)).toContain("five o'clock");
});

it("a plugin of the project is loaded: its skill is there to be read, its agent to be started", async () => {
  const workspace = await tempDir();
  await write(join(workspace, "plugins/garden"), PLUGIN);
  const spec: AgentSpec = {
    ...SPEC,
    allowedTools: ["Agent", "Read", "Skill"],
    plugins: ["plugins/garden"],
  };
  const lead = main(({ turnCount }) => {
    if (turnCount === 0) return call("Skill", { skill: "garden:pruning" });
    if (turnCount > 1) return say("done");
    return call("Agent", { subagent_type: "garden:gardener", description: "tend", prompt: "tend" });
  });
  const gardener: Actor = {
    name: "gardener",
    when: (r) => r.system.includes("You tend the beds"),
    script: [say("tended")],
  };
  const at = await stage([gardener, lead], { workspace });
  expect(await at.runtime.run(spec, "go")).toMatchObject({ ok: true, text: "done" });
  expect(messagesText(at.rehearsal, 0)).toMatch(/garden:pruning/);
  expect(messagesText(at.rehearsal, 0)).toMatch(/garden:gardener/);
  expect(messagesText(at.rehearsal, 1)).toContain("Cut above an eye.");
  at.rehearsal.assertDone();
});

it("a directory that is no plugin is named, and nothing is asked", async () => {
  const at = await stage([main([])]);
  const spec = { ...SPEC, plugins: ["plugins/gone"] };
  await expect(at.runtime.run(spec, "go")).rejects.toMatchObject({
    code: "usage",
    message: `${join(at.workspace, "plugins/gone")} is no plugin: it has no .claude-plugin/plugin.json`,
  });
  expect(at.rehearsal.journal).toEqual([]);
});
