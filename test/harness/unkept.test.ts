import { expect, it } from "vitest";
import { BOOKS_FAILED } from "../../src/harness/contract.ts";
import { harnessEnvironment } from "../../src/harness/environment.ts";
import { openSession } from "../../src/harness/session.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { say } from "../../src/testing/index.ts";
import { onCleanup, rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

// Fails when the second round is sent: it ends by itself only, and nothing of it is kept.
it("a session of which nothing can be kept answers no further round", async () => {
  const rehearsal = await rehearse({ scenario: { name: "unkept", actors: [main(() => say("done"))] } });
  const store = new MemorySessionStore();
  const session = openSession({
    spec: { name: "test", instructions: "", model: "claude-opus-5" },
    workspace: await tempDir(),
    additionalDirectories: [],
    env: harnessEnvironment({
      base: process.env,
      credentials: { ANTHROPIC_BASE_URL: rehearsal.url },
      configDir: await tempDir(),
      window: 200_000,
      noCompaction: true,
      longCache: false,
      extra: {},
    }),
    apiKey: rehearsal.env["ANTHROPIC_API_KEY"] ?? "",
    redact: (text) => text,
    store,
    originals: store,
    projectKey: "test",
    silenceMs: 600_000,
    denyRules: [],
    portable: true,
    hooks: {
      beforeTool: async () => ({ allow: true }),
      afterTool: async () => ({}),
      afterFailure: async () => undefined,
      afterBatch: async () => ({}),
      behindPrompt: () => undefined,
      afterCompaction: () => undefined,
      createWorktree: async () => "",
      subagentStarted: async () => undefined,
    },
    onEvent: () => undefined,
    onSessionId: () => {
      throw new Error("no space left");
    },
  });
  onCleanup(async () => session.close());
  const failure = { message: "no space left", category: BOOKS_FAILED };
  expect(await session.round("begin")).toMatchObject({ failure });
  const before = rehearsal.journal.length;
  expect(await session.round("more")).toMatchObject({ failure, numTurns: 0 });
  expect(rehearsal.journal).toHaveLength(before);
});
