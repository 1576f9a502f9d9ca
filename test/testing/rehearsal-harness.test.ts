import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query, type Options, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  call,
  say,
  startRehearsal,
  think,
  together,
  type Rehearsal,
  type Scenario,
} from "../../src/testing/index.ts";

const scenario: Scenario = {
  name: "one worker, one command",
  actors: [
    {
      name: "worker",
      when: (request) => request.isSubagent,
      script: [
        together(
          think("Look around first."),
          call("Bash", { command: "echo worker-was-here", description: "Say something" }),
          call("Bash", { command: "pwd", description: "Show the directory" }),
        ),
        (request) => say(`The command said: ${request.toolResults[0]?.text ?? "nothing"}`),
      ],
    },
    {
      name: "main",
      when: (request) => !request.isSubagent,
      script: [
        together(
          think("A worker can do this."),
          say("I send a worker."),
          call("Agent", { description: "Look around", prompt: "Run a command.", subagent_type: "worker" }),
        ),
        together(
          think("Now a command of my own."),
          call("Bash", { command: "echo main-was-here", description: "Say something" }),
        ),
        say("All done."),
      ],
    },
  ],
};

let dir: string;
let rehearsal: Rehearsal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "flower-rehearsal-"));
});

afterEach(async () => {
  await rehearsal.close({ check: false });
  await rm(dir, { recursive: true, force: true });
});

function harnessEnv(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ANTHROPIC_"));
  return {
    ...Object.fromEntries(inherited),
    ...rehearsal.env,
    CLAUDE_CONFIG_DIR: join(dir, "config"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    DISABLE_AUTO_COMPACT: "1",
  };
}

async function run(options: Options): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  const session = query({
    prompt: "Have a look around.",
    options: {
      cwd: dir,
      env: harnessEnv(),
      settingSources: [],
      systemPrompt: { type: "preset", preset: "claude_code", append: "Keep it short." },
      thinking: { type: "adaptive" },
      agents: { worker: { description: "Looks around.", prompt: "You look around.", tools: ["Bash"] } },
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async () => ({
                hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
              }),
            ],
          },
        ],
      },
      ...options,
    },
  });
  for await (const message of session) messages.push(message);
  return messages;
}

test.each(["claude-opus-5", "claude-haiku-4-5"])(
  "the real harness plays a scenario with %s",
  async (model) => {
    rehearsal = await startRehearsal({ scenario });

    const messages = await run({ model });

    rehearsal.assertDone();
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "All done." });
    const { journal } = rehearsal;
    expect(journal.map((row) => row.actor)).toEqual(["main", "worker", "worker", "main", "main"]);
    expect(journal.filter((row) => row.refusal)).toEqual([]);
    expect(journal.filter((row) => row.agentId !== undefined).map((row) => row.actor)).toEqual([
      "worker",
      "worker",
    ]);
    expect(journal[0]?.lastUserText).toBe("Have a look around.");
    const [, , workerSecond, mainSecond] = journal;
    for (const row of [workerSecond, mainSecond])
      expect(row!.cacheRead).toBeGreaterThan(row!.inputTokens / 2);
    // Thinking is on for both threads and comes back with the results of the calls behind it.
    for (const row of [workerSecond, mainSecond]) {
      const body = rehearsal.body(row!.index);
      expect(body.thinking?.type).toMatch(/adaptive|enabled/);
      const blocks = body.messages.flatMap((message) =>
        typeof message.content === "string" ? [] : message.content,
      );
      expect(blocks.filter((block) => block.type === "thinking")).toHaveLength(1);
    }
    const usesSystemMessages = rehearsal.body(0).messages.some((message) => message.role === "system");
    expect(usesSystemMessages).toBe(model === "claude-opus-5");
  },
);
