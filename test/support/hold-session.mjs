// Holds one harness session until it is killed; started by test/harness/containment.test.ts.
import { holdFile } from "../../dist/gate/rewrites.js";
import { harnessEnvironment } from "../../dist/harness/environment.js";
import { openSession } from "../../dist/harness/session.js";
import { MemorySessionStore } from "../../dist/store/memory.js";

const env = process.env;
const store = new MemorySessionStore();
const session = openSession({
  spec: { name: "held", instructions: "You are held.", model: "claude-opus-5", allowedTools: ["Bash"] },
  workspace: env.HOLD_WORKSPACE,
  additionalDirectories: [],
  env: harnessEnvironment({
    base: env,
    credentials: { ANTHROPIC_BASE_URL: env.HOLD_URL },
    configDir: env.HOLD_CONFIG,
    window: 200_000,
    noCompaction: true,
    longCache: false,
    extra: {},
  }),
  apiKey: env.HOLD_KEY,
  redact: (text) => text,
  store,
  originals: store,
  projectKey: "test",
  silenceMs: 600_000,
  denyRules: [],
  portable: true,
  containment: env.HOLD_CONTAINMENT,
  hooks: {
    beforeTool: async ({ input }) => ({ allow: true, input: { ...input, command: holdFile(input.command) } }),
    afterTool: async () => ({}),
    afterFailure: async () => undefined,
    afterBatch: async () => ({}),
    behindPrompt: () => undefined,
    afterCompaction: () => undefined,
    subagentStarted: async () => undefined,
  },
  onEvent: () => undefined,
  onSessionId: () => undefined,
});
await session.round("begin");
// Stays, as flower does when only its harness was killed.
setInterval(() => undefined, 1_000);
