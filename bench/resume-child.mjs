// One resume of a large stored session in a process of its own: `node resume-child.mjs plain|library|command MEGABYTES`;
// prints the time to the first request. `library` has the runtime's defaults, `command` those of `flower`.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { harnessEnvironment } from "../dist/harness/environment.js";
import { buildOptions } from "../dist/harness/options.js";
import { projectKeyOf } from "../dist/runtime/project-key.js";
import { Runtime } from "../dist/runtime/runtime.js";
import { MemorySessionStore, SqliteSessionStore } from "../dist/store/index.js";
import { say, startRehearsal } from "../dist/testing/index.js";
import { transcript } from "./transcript.mjs";

const [variant, megabytes] = process.argv.slice(2);
const dir = realpathSync(mkdtempSync(join(tmpdir(), "flower-bench-")));
const workspace = join(dir, "work");
const runDir = join(dir, "runs");
mkdirSync(workspace);
const sessionId = randomUUID();
const BATCH = 500;

/** Puts the session into a store, in batches as a harness does. */
async function fill(store, projectKey) {
  let batch = [];
  const flush = async () => store.append({ projectKey, sessionId }, batch.splice(0));
  for (const entry of transcript({ bytes: Number(megabytes) * (1 << 20), sessionId, cwd: workspace })) {
    batch.push(entry);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

const rehearsal = await startRehearsal({
  keepBodies: false,
  // Tens of megabytes are to fit into the window.
  inputTokensPerByte: 0.001,
  scenario: { name: "resume", actors: [{ name: "main", when: () => true, script: () => say("done") }] },
});
const spec = {
  name: "bench",
  instructions: "Be quick.",
  model: "claude-opus-5",
  allowedTools: ["Read", "Bash"],
};
const PROMPT = "Go on.";

async function plain() {
  const store = new MemorySessionStore();
  await fill(store, "");
  const env = harnessEnvironment({
    base: process.env,
    credentials: rehearsal.env,
    configDir: join(dir, "config"),
    window: 1_000_000,
    noCompaction: true,
    extra: {},
  });
  const inOnePlace = (key) => ({ ...key, projectKey: "" });
  const startedMs = Date.now();
  const live = query({
    prompt: PROMPT,
    options: {
      ...buildOptions(spec, { workspace, additionalDirectories: [], portable: true, denyRules: [] }),
      env: { ...env, ANTHROPIC_API_KEY: rehearsal.env.ANTHROPIC_API_KEY },
      includePartialMessages: false,
      resume: sessionId,
      sessionStore: {
        append: (key, entries) => store.append(inOnePlace(key), entries),
        load: (key) => store.load(inOnePlace(key)),
        listSubkeys: (key) => store.listSubkeys(inOnePlace(key)),
      },
    },
  });
  for await (const message of live)
    if (message.type === "result" && message.is_error) throw new Error(message.result);
  return startedMs;
}

async function byFlower() {
  const store = SqliteSessionStore.open({ path: join(runDir, "sessions.db") });
  await fill(store, projectKeyOf(workspace, runDir));
  await store.close();
  const runtime = new Runtime({
    workspace,
    runDir,
    workbench: true,
    trim: variant === "command",
    env: { ...process.env, ...rehearsal.env, HOME: dir },
  });
  const startedMs = Date.now();
  const result = await runtime.run(spec, PROMPT, { resume: sessionId });
  await runtime.close();
  if (!result.ok || result.sessionId !== sessionId) throw new Error(result.error);
  return startedMs;
}

try {
  const startedMs = await (variant === "plain" ? plain() : byFlower());
  const [first] = rehearsal.journal;
  if (rehearsal.journal.length !== 1) throw new Error(`${rehearsal.journal.length} requests`);
  console.log(
    JSON.stringify({
      ms: first.timeMs - startedMs,
      messages: first.messageCount,
      inputTokens: first.inputTokens,
    }),
  );
} finally {
  await rehearsal.close({ check: false });
  rmSync(dir, { recursive: true, force: true });
}
