import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LearnedWindows } from "../../src/config/learned-windows.ts";
import { learnedWindowsPath } from "../../src/runtime/window-book.ts";
import { MemorySessionStore } from "../../src/store/index.ts";
import { apiError, call, say, type FixedReply } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import {
  DOCUMENT,
  grow,
  isDocumentRound,
  isSuccessor,
  main,
  messagesText,
  SPEC,
  stage,
} from "../support/stage.ts";

const TOO_LONG = apiError(400, "prompt is too long: 208310 tokens > 200000 maximum");

describe("a context that does not fit", () => {
  // Fails when `shrink` is taken out of the session's store (`#storeFor`), or `reopen` out of `write`.
  it("lets the session still write its document, on a history that is shrunk step by step", async () => {
    const refused: string[] = [];
    const { workspace, runtime, rehearsal } = await stage(
      [
        main((request): FixedReply => {
          if (isSuccessor(request)) return say("finished");
          if (request.turnCount < 8) return grow;
          // The endpoint takes the document round only once all results but the last are gone.
          const whole = JSON.stringify(request.messages).length;
          if (whole < 60_000) return say(DOCUMENT);
          refused.push(request.lastUserText);
          return TOO_LONG;
        }),
      ],
      { spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
    expect(result.generations).toMatchObject([{ reason: "overflow", degraded: false }]);
    expect(new Set(rehearsal.journal.map((row) => row.sessionId)).size).toBe(2);
    // Work, then the document at levels 1 (six results stay) and 2.
    expect(refused.map((text) => text === "" || /headings/.test(text))).toEqual([true, true]);
    expect(rehearsal.failures).toEqual([]);
    const file = await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
    expect(file).toContain("run the tests");
    // Nothing of the stored history went: only what was sent was shorter.
    const writing = rehearsal.journal.find((row) => /headings/.test(row.lastUserText) && row.status === 200);
    expect(messagesText(rehearsal, writing?.index ?? 0)).toContain("the whole text is in");
  });

  it.runIf(LONG)(
    "is put together mechanically when even the shortest history does not fit, and says what was said last",
    async () => {
      const { runtime, rehearsal } = await stage([
        main((request): FixedReply => {
          if (isSuccessor(request)) return say("finished");
          return request.turnCount === 0 ? call("Bash", { command: "echo x" }) : TOO_LONG;
        }),
      ]);
      const result = await runtime.run(SPEC, "the original task");
      expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
      expect(result.generations).toMatchObject([{ reason: "overflow", degraded: true }]);
      expect(result.errors.join()).toMatch(/degraded/);
      expect(rehearsal.journal.at(-1)?.lastUserText).toContain("the original task");
      expect(rehearsal.journal.at(-1)?.lastUserText).toContain("## Facts");
    },
  );

  it.runIf(LONG)("is noticed when a server cuts the prompt by itself and calls that a success", async () => {
    const { runtime } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          if (request.turnCount === 0) return call("Bash", { command: "echo x" });
          return { ...say("an answer to half of it"), usage: { input_tokens: 70_000 } };
        }),
      ],
      { handoff: { enabled: true, window: 60_000 } },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "finished" });
    expect(result.generations).toMatchObject([{ reason: "overflow", degraded: false }]);
  });

  // Fails when the document round does not ask whether it fitted: an empty reply would be an empty document.
  it.runIf(LONG)(
    "is noticed in the round that writes the document, which is then written on a shorter history",
    async () => {
      const { runtime, rehearsal } = await stage(
        [
          main((request): FixedReply => {
            if (isSuccessor(request)) return say("finished");
            if (!isDocumentRound(request)) return grow;
            if (JSON.stringify(request.messages).length < 40_000) return say(DOCUMENT);
            return { ...say(""), content: [], usage: { input_tokens: 59_900, output_tokens: 0 } };
          }),
        ],
        { handoff: { enabled: true, window: 60_000, headroom: 20_000 }, spillThreshold: 0 },
      );
      const result = await runtime.run(SPEC, "do it");
      expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
      expect(result.generations).toMatchObject([{ reason: "level", degraded: false }]);
      expect(rehearsal.journal.some((row) => /headings/.test(row.lastUserText))).toBe(true);
    },
    60_000,
  );

  // Fails when the harness's words for the stop reason are taken for a fault: six tries, each of four requests.
  it.runIf(LONG)(
    "is a reply for which no room was left",
    async () => {
      const { runtime } = await stage([
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          if (request.turnCount === 0) return call("Bash", { command: "echo x" });
          const usage = { input_tokens: 199_000 };
          return { ...say("half"), stopReason: "model_context_window_exceeded", usage };
        }),
      ]);
      const result = await runtime.run({ ...SPEC, model: "gateway-model" }, "do it");
      expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
      expect(result.generations).toMatchObject([{ reason: "overflow", degraded: false }]);
    },
    60_000,
  );

  // Fails when what the API took while the document was written is not counted: the window believed is too small.
  it.runIf(LONG)(
    "is the document's reply: what it read is known to fit",
    async () => {
      let documents = 0;
      const script = main((request): FixedReply => {
        if (isSuccessor(request)) return say("finished");
        if (isDocumentRound(request)) documents += 1;
        if (documents === 0)
          return {
            ...call("Bash", { command: "echo x" }),
            ...(request.turnCount === 0 ? {} : { usage: { input_tokens: 155_000 } }),
          };
        const usage = { input_tokens: 185_000 };
        return documents > 1
          ? say(DOCUMENT)
          : { ...say("half"), stopReason: "model_context_window_exceeded", usage };
      });
      const { runtime, seen } = await stage([script], { handoff: { enabled: true, window: 200_000 } });
      const result = await runtime.run({ ...SPEC, model: "gateway-model" }, "do it");
      expect(result.generations).toMatchObject([{ reason: "level", degraded: false }]);
      const believed = seen.ofType("usage").at(-1)?.window ?? 0;
      expect(believed).toBeGreaterThanOrEqual(185_000);
      expect(believed).toBeLessThan(200_000);
    },
    60_000,
  );

  // Fails when what only informs (the floor, the level) is read without a net: the step would end with a raw error.
  it("stays to be handed over when the store cannot be read any more", async () => {
    const store = new MemorySessionStore();
    const read = store.load.bind(store);
    let isLocked = false;
    store.load = async (key) => (isLocked ? Promise.reject(new Error("database is locked")) : read(key));
    const script = main((request): FixedReply => {
      if (isSuccessor(request)) return say("finished");
      if (isDocumentRound(request)) return say(DOCUMENT);
      if (request.turnCount === 0) return say("begun");
      isLocked = true;
      return TOO_LONG;
    });
    const { runtime } = await stage([script], { store });
    const begun = await runtime.run(SPEC, "do it");
    const result = await runtime.run(SPEC, "go on", { resume: begun.sessionId ?? "" });
    expect(result).toMatchObject({ ok: false, status: "failed", generations: [] });
    expect(result.error).toContain("database is locked");
    expect(runtime.lineage.get("work")).toMatchObject({ handoff: "writing" });
  }, 60_000);

  // Fails when each successor, which starts with the same, is handed over in its turn: eight documents of nothing.
  it("is the first request of a session: nobody takes over, and the cause is named", async () => {
    const { runtime, rehearsal } = await stage([main(() => TOO_LONG)]);
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, generations: [] });
    expect(result.error).toMatch(
      /first request of a new session does not fit \(Prompt is too long; the endpoint takes 200000 tokens\)/,
    );
    expect(rehearsal.journal.length).toBeLessThan(6);
  }, 60_000);

  it("teaches the window to this run at once and to later ones by a file", async () => {
    const { workspace, runtime, rehearsal, seen } = await stage([
      main((request): FixedReply => {
        if (isDocumentRound(request)) return say(DOCUMENT);
        if (isSuccessor(request)) return say("finished");
        return request.turnCount === 0 ? call("Bash", { command: "echo x" }) : TOO_LONG;
      }),
    ]);
    await runtime.run(SPEC, "do it");
    const places = { env: { XDG_CONFIG_HOME: "" }, home: workspace };
    const learned = LearnedWindows.open(learnedWindowsPath(places));
    expect(learned.get(rehearsal.url, "claude-opus-5")).toBe(200_000);
    expect(seen.ofType("usage").at(-1)?.window).toBe(200_000);
    expect(seen.ofType("usage")[0]?.window).toBe(1_000_000);
  });
});

// The endpoint's limit is real here: the rehearsal refuses whatever is above it.
it.runIf(LONG)(
  "hands over by level in every later generation once an overflow told the window",
  async () => {
    let successors = 0;
    const { runtime } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request) && request.turnCount === 0) successors += 1;
          return successors >= 3 ? say("finished") : grow;
        }),
      ],
      { spillThreshold: 0, handoff: { enabled: true, headroom: 30_000 } },
      { contextWindow: 90_000 },
    );
    const result = await runtime.run({ ...SPEC, model: "gateway-model" }, "do it");
    expect(result).toMatchObject({ ok: true, text: "finished" });
    expect(result.generations.map(({ reason, degraded }) => [reason, degraded])).toEqual([
      ["overflow", false],
      ["level", false],
      ["level", false],
    ]);
  },
  60_000,
);

it.each([
  ["nobody knows", "gateway-model", [], "1000000", 1_000_000],
  ["only its name tells", "gateway-haiku", [], "200000", 200_000],
  ["the person tells", "gateway-model", ["131072"], "131072", 131_072],
])(
  "tells the harness its own figure of a window that %s",
  async (_how, model, [window], told, believed) => {
    const { runtime, rehearsal, seen } = await stage(
      [main([call("Bash", { command: "echo told=$CLAUDE_CODE_MAX_CONTEXT_TOKENS" }), say("done")])],
      {},
      {},
      window === undefined ? {} : { FLOWER_WINDOW: window },
    );
    expect(await runtime.run({ ...SPEC, model }, "do it")).toMatchObject({ ok: true, text: "done" });
    expect(messagesText(rehearsal, 1)).toContain(`told=${told}`);
    expect(seen.ofType("usage").at(-1)?.window).toBe(believed);
  },
  60_000,
);
