import { describe, expect, it } from "vitest";
import type { EventDraft } from "../../src/core/events.ts";
import {
  BOOKS_FAILED,
  type Containment,
  type HarnessSession,
  type SessionHooks,
} from "../../src/harness/contract.ts";
import { harnessEnvironment } from "../../src/harness/environment.ts";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import { openSession } from "../../src/harness/session.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import type { SessionStore } from "../../src/store/contract.ts";
import { apiError, call, say, together, type Actor, type Rehearsal } from "../../src/testing/index.ts";
import { onCleanup, rehearse, tempDir } from "../support/rehearse.ts";
import { main, sub } from "../support/stage.ts";

const IDLE: SessionHooks = {
  beforeTool: async () => ({ allow: true }),
  afterTool: async () => ({}),
  afterFailure: async () => undefined,
  afterBatch: async () => ({}),
  behindPrompt: () => undefined,
  afterCompaction: () => undefined,
  createWorktree: async () => "",
  subagentStarted: async () => undefined,
};

interface Opened {
  session: HarnessSession;
  events: EventDraft[];
  rehearsal: Rehearsal;
  store: SessionStore;
  ids: string[];
}

async function open(
  actors: readonly Actor[],
  extra: {
    hooks?: Partial<SessionHooks>;
    containment?: Containment;
    resume?: string;
    store?: SessionStore;
    workspace?: string;
    onSessionId?: (id: string) => void;
  } = {},
): Promise<Opened> {
  const workspace = extra.workspace ?? (await tempDir());
  const rehearsal = await rehearse({
    scenario: { name: "session", actors },
  });
  const events: EventDraft[] = [];
  const ids: string[] = [];
  const store = extra.store ?? new MemorySessionStore();
  const session = openSession({
    spec: {
      name: "test",
      instructions: "You are under test.",
      model: "claude-opus-5",
      allowedTools: ["Agent", "Bash", "Read"],
      agents: {
        coder: {
          description: "codes",
          prompt: "You code.",
          tools: ["Bash"],
          model: "inherit",
          isolate: false,
        },
      },
    },
    workspace,
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
    hooks: { ...IDLE, ...extra.hooks },
    onEvent: (event) => events.push(event),
    onSessionId: extra.onSessionId ?? ((id) => ids.push(id)),
    ...(extra.resume === undefined ? {} : { resume: extra.resume }),
    ...(extra.containment === undefined ? {} : { containment: extra.containment }),
  });
  onCleanup(async () => session.close());
  return { session, events, rehearsal, store, ids };
}

const CONTAINMENTS: Containment[] = bubblewrapWorks() ? ["bubblewrap", "supervisor"] : ["supervisor"];

describe("a harness session", () => {
  it.each(CONTAINMENTS)("runs two rounds in one process under %s", async (containment) => {
    const { session, rehearsal, ids } = await open(
      [main([call("Bash", { command: "echo one" }), say("first"), say("second")])],
      { containment },
    );
    const first = await session.round("begin");
    const second = await session.round("more");
    expect([first.text, second.text]).toEqual(["first", "second"]);
    expect(first.numTurns).toBe(2);
    expect(second.numTurns).toBe(1);
    // Differences, not cumulative figures: the second round has one request's tokens.
    expect(second.tokens.main.output).toBeLessThan(first.tokens.main.output);
    expect(second.costUsd).toBeGreaterThan(0);
    expect(second.costUsd).toBeLessThan(first.costUsd);
    expect(ids).toEqual([session.sessionId]);
    const sessions = new Set(rehearsal.journal.map((row) => row.sessionId));
    expect([...sessions]).toEqual([session.sessionId]);
    // The further round found its prefix in the cache.
    const [last, before] = [rehearsal.journal.at(-1), rehearsal.journal.at(-2)];
    expect(last?.cacheRead).toBeGreaterThanOrEqual(before?.inputTokens ?? Number.NaN);
  });

  it("cuts at a batch boundary and takes a further prompt without an API call in between", async () => {
    const { session, rehearsal } = await open(
      [main([call("Bash", { command: "echo x" }), say("the document")])],
      {
        hooks: { afterBatch: async () => ({ cut: "enough" }) },
      },
    );
    const cut = await session.round("work");
    expect(cut.cut).toBe("enough");
    expect(cut.failure).toBeUndefined();
    expect(rehearsal.journal).toHaveLength(1);
    const next = await session.round("write it down");
    expect(next.text).toBe("the document");
    expect(rehearsal.journal).toHaveLength(2);
  });

  it("tells the level inside the batch hook as the API counted it", async () => {
    const levels: number[] = [];
    const { session, rehearsal } = await open([main([call("Bash", { command: "true" }), say("ok")])], {
      hooks: {
        afterBatch: async (batch) => {
          levels.push((await batch.level()).tokens);
          return {};
        },
      },
    });
    await session.round("go");
    const [row] = rehearsal.journal;
    expect(levels).toEqual([row?.inputTokens ?? 0]);
  });

  it.each(["/clear", "/compact", "look at @package.json", "/cost now"])(
    "delivers %s as text",
    async (text) => {
      const { session, rehearsal } = await open([main([say("heard"), say("heard again")])]);
      await session.round(text);
      const id = session.sessionId;
      await session.round(`again ${text}`);
      expect(rehearsal.journal.map((row) => row.lastUserText)).toEqual([text, `again ${text}`]);
      expect(session.sessionId).toBe(id);
    },
  );

  it("keeps a subagent's words out of the round's text, and marks its events", async () => {
    const { session, events } = await open([
      main([call("Agent", { description: "d", prompt: "do it", subagent_type: "coder" }), say("main says")]),
      sub([together(say("looking"), call("Bash", { command: "echo sub" })), say("sub report")]),
    ]);
    const round = await session.round("go");
    expect(round.text).toBe("main says");
    expect(round.tokens.subagents.output).toBeGreaterThan(0);
    const bash = events.find((event) => event.type === "toolCall" && event.name === "Bash");
    expect(bash?.agentId).toBeDefined();
    expect(
      events.some(
        (event) => event.type === "text" && event.text === "sub report" && event.agentId !== undefined,
      ),
    ).toBe(true);
  });

  it("blocks a call when the gate throws", async () => {
    const { session, events } = await open([main([call("Bash", { command: "echo leaked" }), say("ok")])], {
      // Fails when sdkHooks lets a throwing gate through (`catch` in PreToolUse).
      hooks: {
        beforeTool: async () => {
          throw new Error("gate broke");
        },
      },
    });
    await session.round("go");
    const result = events.find((event) => event.type === "toolResult");
    expect(result).toMatchObject({ isError: true, denied: true });
    expect(JSON.stringify(events)).not.toContain("leaked\\n");
  });

  it("books a resumed session from where it stood, and finds its history", async () => {
    const workspace = await tempDir();
    const first = await open([main([say("one")])], { workspace });
    await first.session.round("begin");
    await first.session.close();
    const id = first.session.sessionId ?? "";
    const again = await open([main([say("two")])], { resume: id, store: first.store, workspace });
    const round = await again.session.round("go on");
    expect(round.text).toBe("two");
    expect(again.session.sessionId).toBe(id);
    expect(round.tokens.subagents.output).toBe(0);
    expect(again.rehearsal.body(0).messages.length).toBeGreaterThan(2);
  });

  it("ends a wrong key within its first retry as a failure with its status", async () => {
    const { session, rehearsal } = await open([main(() => apiError(401, "invalid x-api-key"))]);
    const round = await session.round("go");
    expect(round.failure).toMatchObject({ status: 401, category: "authentication_failed" });
    expect(round.text).toBe("");
    expect(rehearsal.journal.length).toBeLessThanOrEqual(3);
  });

  it("keeps the key out of the tools' environment", async () => {
    const { session, events, rehearsal } = await open([
      main([call("Bash", { command: "env; tr '\\0' '\\n' < /proc/$PPID/environ" }), say("ok")]),
    ]);
    await session.round("go");
    expect(rehearsal.failures).toEqual([]);
    const result = events.find((event) => event.type === "toolResult");
    expect(result?.type === "toolResult" && result.text).toContain("PATH=");
    expect(JSON.stringify(result)).not.toContain(rehearsal.env["ANTHROPIC_API_KEY"]);
  });
});

// Fails when the second round is sent: it ends by itself only, and nothing of it is kept.
it("a session of which nothing can be kept answers no further round", async () => {
  const { session, rehearsal } = await open([main(() => say("done"))], {
    onSessionId: () => {
      throw new Error("no space left");
    },
  });
  const failure = { message: "no space left", category: BOOKS_FAILED };
  expect(await session.round("begin")).toMatchObject({ failure });
  const before = rehearsal.journal.length;
  expect(await session.round("more")).toMatchObject({ failure, numTurns: 0 });
  expect(rehearsal.journal).toHaveLength(before);
});
