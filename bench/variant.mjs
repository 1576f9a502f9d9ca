// One variant of the bench in a process of its own: `node variant.mjs hooks|bare|runtime TURNS`; prints its figures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { harnessEnvironment } from "../dist/harness/environment.js";
import { buildOptions } from "../dist/harness/options.js";
import { Runtime } from "../dist/runtime/runtime.js";
import { MemorySessionStore } from "../dist/store/index.js";
import { call, say, startRehearsal } from "../dist/testing/index.js";

const [variant, turns] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
const workspace = join(dir, "work");
mkdirSync(workspace);
writeFileSync(join(workspace, "note.txt"), "a short note\n");

const rehearsal = await startRehearsal({
  keepBodies: false,
  scenario: {
    name: "bench",
    actors: [
      {
        name: "main",
        when: () => true,
        script: (request) =>
          request.turnCount < Number(turns)
            ? // Never the same call twice: a session that repeats itself is ended.
              call("Read", { file_path: join(workspace, "note.txt"), limit: 1 + request.turnCount })
            : say("done"),
      },
    ],
  },
});

const spec = {
  name: "bench",
  instructions: "Be quick.",
  model: "claude-opus-5",
  allowedTools: ["Read", "Bash"],
};
const env = harnessEnvironment({
  base: process.env,
  credentials: rehearsal.env,
  configDir: join(dir, "config"),
  window: 1_000_000,
  noCompaction: true,
  extra: {},
});

async function bySdk(withHooks) {
  const matcher = (hook) => [{ hooks: [hook], timeout: 3_600, onFailure: "block" }];
  const empty = matcher(async () => ({}));
  async function* prompts() {
    yield { type: "user", message: { role: "user", content: "begin" }, parent_tool_use_id: null };
    await finished;
  }
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  const store = new MemorySessionStore();
  const live = query({
    prompt: prompts(),
    options: {
      ...buildOptions(spec, { workspace, additionalDirectories: [], portable: true, denyRules: [] }),
      env: { ...env, ANTHROPIC_API_KEY: rehearsal.env.ANTHROPIC_API_KEY },
      // flower's own way of seeing that a long reply is alive; a plain user does not pay for it.
      includePartialMessages: false,
      sessionStore: {
        append: (key, entries) => store.append(key, entries),
        load: (key) => store.load(key),
        listSubkeys: (key) => store.listSubkeys(key),
      },
      sessionStoreFlush: "eager",
      canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
      ...(withHooks
        ? {
            hooks: {
              PreToolUse: matcher(async () => ({
                hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
              })),
              PostToolUse: empty,
              PostToolUseFailure: empty,
              PostToolBatch: matcher(async () => {
                await live.getContextUsage({ detail: "summary" });
                return {};
              }),
              UserPromptSubmit: empty,
              SubagentStart: empty,
            },
          }
        : {}),
    },
  });
  for await (const message of live) if (message.type === "result") finish();
}

async function byRuntime() {
  const runtime = new Runtime({
    workspace,
    runDir: join(dir, "runs"),
    workbench: true,
    env: { ...process.env, ...rehearsal.env, HOME: dir },
  });
  const result = await runtime.run(spec, "begin");
  await runtime.close();
  if (!result.ok) throw new Error(result.error);
}

const started = performance.now();
try {
  if (variant === "runtime") await byRuntime();
  else await bySdk(variant === "hooks");
  const wallMs = performance.now() - started;
  if (rehearsal.journal.length !== Number(turns) + 1) throw new Error(`${rehearsal.journal.length} requests`);
  console.log(JSON.stringify({ wallMs }));
} finally {
  await rehearsal.close({ check: false });
  rmSync(dir, { recursive: true, force: true });
}
