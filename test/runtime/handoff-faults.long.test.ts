import { describe, expect, it } from "vitest";
import { DEGRADED } from "../../src/documents/handoff.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import {
  apiError,
  call,
  drop,
  say,
  together,
  type FixedReply,
  type RehearsalRequest,
} from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import {
  DOCUMENT,
  grow,
  isDocumentRound,
  isSuccessor,
  main,
  messagesText,
  SPEC,
  stage,
  sub,
} from "../support/stage.ts";

const policy = { enabled: true, window: 60_000 };

/** Works until the line, then writes as `document` says, then the successor is done. */
const scripted = (document: (request: RehearsalRequest, asked: number) => FixedReply) => {
  let asked = 0;
  return main((request): FixedReply => {
    if (isSuccessor(request)) return say("finished");
    if (asked === 0 && !isDocumentRound(request)) return grow;
    asked += 1;
    return document(request, asked);
  });
};

describe("the round that writes the document", () => {
  const DOCUMENTS: [string, (request: RehearsalRequest, asked: number) => FixedReply, boolean][] = [
    // What is lost on the way is waited for: the document is worth it.
    ["a network that comes back", (_, asked) => (asked <= 4 ? drop() : say(DOCUMENT)), false],
    ["an overloaded API", (_, asked) => (asked <= 3 ? apiError(529, "overloaded") : say(DOCUMENT)), false],
    // Fails when the second one must be whole by itself, or when the words of a mark make a document degraded.
    [
      "a section that comes with the second try, and a quoted mark",
      (_, asked) =>
        say(
          asked === 1
            ? `## Doing now\ntook over from a document marked ${DEGRADED}`
            : "## Next step\nrun the tests",
        ),
      false,
    ],
    ["nonsense twice", () => say("I would rather not structure this."), true],
    ["a refusal", () => ({ ...say("I can't help with that."), stopReason: "refusal" }), true],
  ];
  it.each(rows(DOCUMENTS, ([name]) => !["an overloaded API", "a refusal"].includes(name)))(
    "%s",
    async (_name, document, degraded) => {
      const { runtime, seen } = await stage([scripted(document)], { handoff: policy, spillThreshold: 0 });
      const result = await runtime.run(SPEC, "do it");
      expect(result).toMatchObject({ ok: true, text: "finished" });
      expect(result.generations).toMatchObject([{ reason: "level", degraded }]);
      expect(seen.ofType("error").some((event) => event.kind === "degraded")).toBe(degraded);
    },
  );

  it("stops when nobody could go on: the account is refused, and a later run writes the document first", async () => {
    const { runtime } = await stage([scripted(() => apiError(403, "forbidden"))], {
      handoff: policy,
      spillThreshold: 0,
    });
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, refused: true, retired: [] });
    expect(result.error).toMatch(/refused the credentials/);
    expect(runtime.lineage.get("work")).toMatchObject({ handoff: "writing" });
  });

  it("comes after all subagents of the batch, and no report is lost", async () => {
    const send = (task: string) =>
      call("Agent", { description: task, prompt: task, subagent_type: "worker" });
    const { runtime, rehearsal } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          return together(send("one"), send("two"), send("three"));
        }),
        sub((request) =>
          request.turnCount === 0
            ? call("Bash", { command: `sleep ${request.firstUserText.includes("two") ? 2 : 0.1}` })
            : say(`report of ${request.firstUserText.trim()}\n${"evidence ".repeat(380)}`),
        ),
      ],
      // Room for three reports of any length, and for the document behind them.
      { handoff: { enabled: true, window: 68_000 } },
    );
    const result = await runtime.run(
      coordinator("work", "", { worker: worker("works", "You work.") }),
      "do it",
    );
    expect(result.generations).toMatchObject([{ reason: "level", degraded: false }]);
    const writing = rehearsal.journal.findIndex((row) => /headings/.test(row.lastUserText));
    for (const task of ["one", "two", "three"])
      expect(messagesText(rehearsal, writing)).toContain(`report of ${task}`);
    // The batch of three was the last thing before the document.
    expect(rehearsal.journal.slice(writing - 1, writing).every((row) => row.agentId !== undefined)).toBe(
      true,
    );
  });

  // The API's own window is enforced; max_tokens of 64,000 must fit in as well, so the harness asks again with less.
  it("fits at 950,000 of 1,000,000 tokens although 64,000 may be answered", async () => {
    const { runtime, rehearsal } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          return call("Bash", { command: "head -c 3000 /dev/zero | tr '\\0' x" });
        }),
      ],
      { spillThreshold: 0 },
      { contextWindow: 1_000_000, inputTokensPerByte: 30 },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "finished" });
    expect(result.generations[0]).toMatchObject({ reason: "level", degraded: false });
    expect(result.generations[0]?.contextAtCut).toBeGreaterThanOrEqual(950_000);
    expect(rehearsal.journal.some((row) => row.refusal?.kind === "window")).toBe(true);
  });
});

const grow0 = call("Bash", { command: "ls -la / /usr /etc" });

describe("a batch near the line", () => {
  // Fails when `leavesRoom` is taken out of the gate's hook.
  it("is held back beyond what surely leaves room for the document, with the reason", async () => {
    const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
    const { runtime, rehearsal, seen } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          if (request.turnCount === 0) return call("Bash", { command: "ls" });
          const batch = together(...Array.from({ length: 12 }, () => send));
          return { ...batch, usage: { input_tokens: 30_000, output_tokens: 100 } };
        }),
        sub(() => say("x".repeat(3_500))),
      ],
      { handoff: { enabled: true, window: 75_000 } },
    );
    const result = await runtime.run(
      coordinator("work", "", { worker: worker("works", "You work.") }),
      "do it",
    );
    expect(result.generations[0]).toMatchObject({ reason: "level", degraded: false });
    const held = seen.ofType("toolResult").filter((event) => /Held back/.test(event.text));
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(12);
    const writing = rehearsal.journal.find((row) => /headings/.test(row.lastUserText));
    expect(writing?.inputTokens).toBeLessThan(75_000);
  });

  it("below what a session starts with is refused with that figure, after one request", async () => {
    const { runtime, rehearsal } = await stage([main(() => grow0)], {
      handoff: { enabled: true, window: 30_000, headroom: 28_000 },
    });
    const big = `do it\n${"words ".repeat(8_000)}`;
    const result = await runtime.run(SPEC, big);
    expect(result).toMatchObject({ ok: false, retired: [] });
    expect(result.error).toMatch(/starts with \d+ tokens.*--window.*--no-handoff/s);
    expect(rehearsal.journal).toHaveLength(1);
  });
});
