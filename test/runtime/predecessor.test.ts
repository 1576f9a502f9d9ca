import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import type { RoundResult } from "../../src/harness/contract.ts";
import type { ResolvedOptions } from "../../src/runtime/options.ts";
import { PredecessorDesk, type Successor } from "../../src/runtime/predecessor-desk.ts";
import { predecessorCostUsd } from "../../src/runtime/predecessor.ts";
import type { SessionFactory, StepPart } from "../../src/runtime/session-factory.ts";
import { call, say, type FixedReply, type RehearsalRequest } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { DOCUMENT, isDocumentRound, isSuccessor, main, messagesText, stage, sub } from "../support/stage.ts";

const isQuestion = (r: RehearsalRequest): boolean => /took over your work asks/.test(r.lastUserText);
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
const spec = coordinator("work", "", { worker: worker("works", "You work.") });

/** A coordinator that hands over; its successor then asks the session before it. */
const actors = [
  main((request): FixedReply => {
    if (isQuestion(request)) return say("it was the parser\n".repeat(20));
    if (isDocumentRound(request)) return say(DOCUMENT);
    if (!isSuccessor(request)) return send;
    return request.turnCount === 0
      ? call("mcp__flower__predecessor", { question: "why not the lexer?" })
      : say(request.toolResults[0]?.text ?? "");
  }),
  sub(() => say(`a report\n${"evidence ".repeat(400)}`)),
];

describe("a retired session", () => {
  it("answers its successor in ten lines, from a copy that leaves no trace but its cost", async () => {
    const { workspace, runtime, rehearsal } = await stage(actors, {
      handoff: { enabled: true, window: 60_000 },
    });
    const result = await runtime.run(spec, "do it");
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    expect(result.text.split("\n")).toEqual(Array.from({ length: 10 }, () => "it was the parser"));
    const asked = rehearsal.journal.find((row) => /took over your work asks/.test(row.lastUserText));
    expect(messagesText(rehearsal, asked?.index ?? 0)).toContain("a report");
    expect([...result.retired, result.sessionId]).not.toContain(asked?.sessionId);
    expect(result.predecessorCostUsd).toBeGreaterThan(0);
    expect(runtime.spent().costUsd).toBeCloseTo(result.costUsd + result.predecessorCostUsd, 9);
    await runtime.close();
    const db = await readFile(join(workspace, "runs/sessions.db"), "latin1");
    const lineage = await readFile(join(workspace, "runs/lineage.json"), "utf8");
    expect(lineage).not.toContain(asked?.sessionId);
    expect(db).not.toContain(asked?.sessionId);
    expect(db).toContain(result.sessionId);
  });

  it.runIf(LONG)(
    "is not asked when that would cost more than allowed, and not offered when it may cost nothing",
    async () => {
      const { runtime, rehearsal } = await stage(actors, {
        handoff: { enabled: true, window: 60_000, predecessorBudgetUsd: 0.0001 },
      });
      const result = await runtime.run(spec, "do it");
      expect(result.text).toMatch(/^Not asked: it would cost about \$0\.\d\d, and \$0\.00 are allowed/);
      expect(rehearsal.journal.filter((row) => /took over your work asks/.test(row.lastUserText))).toEqual(
        [],
      );

      const off = await stage(actors, {
        handoff: { enabled: true, window: 60_000, predecessorBudgetUsd: 0 },
      });
      await off.runtime.run(spec, "do it");
      const tools = off.rehearsal.journal.map((row) => JSON.stringify(off.rehearsal.body(row.index).tools));
      expect(tools.some((text) => text.includes("predecessor"))).toBe(false);
    },
  );

  it.runIf(LONG)("is offered to a later run as well, and not before there is one", async () => {
    const first = await stage(actors, { handoff: { enabled: true, window: 60_000 } });
    const done = await first.runtime.run(spec, "do it");
    await first.runtime.close();
    const tools = (row: number) => JSON.stringify(first.rehearsal.body(row).tools);
    expect(tools(0)).not.toContain("predecessor");
    const later = await stage([main(() => say("woken"))], { workspace: first.workspace });
    await later.runtime.run(spec, "go on", { resume: done.sessionId ?? "" });
    expect(JSON.stringify(later.rehearsal.body(0).tools)).toContain("predecessor");
  });
});

const RETIRED = {
  sessionId: "x",
  contextAtCut: 100_000,
  reason: "level",
  degraded: false,
  path: null,
  costUsd: 1,
  tokens: { input: 0, cacheRead: 0, cacheWrite: 80_000, output: 0 },
} as const;

/** A step that has spent a dollar of its limit, and what asks the session before it; each question costs 50 cents. */
function asking(
  maxBudgetUsd: number | undefined,
  answers: ReadonlyArray<Partial<RoundResult>>,
  { read, opened }: { read?: Promise<void>; opened?: Promise<void> } = {},
) {
  const left = [...answers];
  const levels: unknown[] = [];
  const factory = {
    shrunkShare: async (_id: string, level: number) => {
      await read;
      return level === 2 ? 0.5 : 0.3;
    },
    open: async ({ origin }: StepPart) => {
      levels.push(origin.shrink);
      await opened;
      const round = { context: 50_000, lastOutput: 9, text: "because", costUsd: 0.5, ...left.shift() };
      return {
        session: { round: async () => round, close: async () => undefined },
        turn: { line: { window: 200_000 } },
      };
    },
  } as unknown as SessionFactory;
  const options = { runDir: "", handoff: { enabled: true } } as unknown as ResolvedOptions;
  const run: Successor = { retired: RETIRED, predecessorCostUsd: 0, snapshot: () => ({ costUsd: 1 }) };
  const limited = { ...spec, ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }) };
  const desk = new PredecessorDesk(options, factory);
  desk.begin(run, "work", limited);
  const offered = desk.offer(limited, run, { lineageStep: "work", tookOver: false });
  const server = offered.mcpServers?.["flower"];
  const tool = server?.kind === "inProcess" ? server.tools.at(-1) : undefined;
  const ask = async () => tool?.handle({ question: "why?" }, { signal: new AbortController().signal });
  return { ask, run, levels, desk };
}

describe("a question counts against the budget of the step", () => {
  // 65 cents by estimate.
  it("one after another, until the next one is above it", async () => {
    const { ask, run } = asking(2.5, []);
    expect([await ask(), await ask(), await ask()]).toEqual([
      "because",
      "because",
      expect.stringMatching(/^Not asked: it would cost about \$0\.6\d, and \$0\.50 are allowed/),
    ]);
    expect(run.predecessorCostUsd).toBeCloseTo(1, 9);
  });

  // Fails when a question is booked when it is answered: all of a batch would be asked.
  it("also those that are asked at the same time", async () => {
    const { ask, run } = asking(2.5, []);
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.filter((answer) => answer === "because")).toHaveLength(2);
    expect(run.predecessorCostUsd).toBeCloseTo(1, 9);
  });

  it("where there is one", async () => {
    const { ask } = asking(undefined, []);
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(Array(4).fill("because"));
  });
});

it.each<[string, Array<Partial<RoundResult>>, unknown, unknown[]]>([
  [
    "is refused",
    [{ costUsd: 0, failure: { message: "Prompt is too long", status: 400 } }],
    "because",
    [2, 3],
  ],
  ["is cut by the server", [{ context: 210_000 }], "because", [2, 3]],
  // Fails when only the first try has to fit into what a question may cost.
  [
    "is cut by the server, for much",
    [{ context: 210_000, costUsd: 0.7 }],
    expect.stringMatching(/^Its history did not fit. Not asked again: .* about \$0\.4\d, and \$0\.30 /),
    [2],
  ],
  [
    "fits at no level",
    Array(2).fill({ costUsd: 0, failure: { message: "Prompt is too long", status: 400 } }),
    "It could not be asked: Prompt is too long",
    [2, 3],
  ],
  [
    "fails of something else",
    [{ failure: { message: "Overloaded", status: 529 } }],
    "It could not be asked: Overloaded",
    [2],
  ],
])(
  "a question whose history %s is asked on a shorter one where that helps",
  async (_what, answers, said, shrunk) => {
    const { ask, levels } = asking(undefined, answers);
    expect(await ask()).toEqual(said);
    expect(levels).toEqual(shrunk);
  },
);

// Fails when only open copies are known: a store that reads slowly would ask, and pay, after the step.
it.each(["read", "opened"] as const)(
  "a question does not outlive its step: ended while its history is %s",
  async (slow) => {
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (go = resolve));
    const { ask, run, desk, levels } = asking(undefined, [], { [slow]: waits });
    const asked = ask();
    await setImmediate();
    const ended = desk.end(run);
    go();
    await ended;
    expect(await asked).toBe("Not asked: the call was given up.");
    expect(levels).toEqual(slow === "read" ? [] : [2]);
    expect(run.predecessorCostUsd).toBe(0);
  },
);

it("the estimate follows what the session's own tokens have cost", () => {
  // One dollar for 100,000 weighted tokens; 125,000 for the history and 3,000 for the answer.
  expect(predecessorCostUsd(RETIRED, 1)).toBeCloseTo(1.28, 9);
  // Half of it is left after shrinking.
  expect(predecessorCostUsd(RETIRED, 0.5)).toBeCloseTo(0.655, 9);
});

// Fails when the hooks go by the step's own cost: the questions were paid, and the step would go on.
it.runIf(LONG)("what questions have cost ends a step at its next boundary, and is said", async () => {
  const asks: FixedReply = call("mcp__flower__predecessor", { question: "why not the lexer?" });
  const { runtime, seen } = await stage(
    [
      main((request): FixedReply => {
        const usage = { input_tokens: 2_000, output_tokens: 30_000 };
        if (isQuestion(request)) return { ...say("it was the parser"), usage };
        if (isDocumentRound(request)) return say(DOCUMENT);
        return isSuccessor(request) ? asks : send;
      }),
      sub(() => say(`a report\n${"evidence ".repeat(400)}`)),
    ],
    { handoff: { enabled: true, window: 60_000 }, budgetUsd: 1.5 },
  );
  const result = await runtime.run(spec, "do it");
  expect(result).toMatchObject({ ok: false });
  expect(result.error).toMatch(/budget/);
  // One more than the limit, at most: the price of an answer is not known before.
  expect(result.predecessorCostUsd + result.costUsd).toBeLessThan(2.5);
  const said = seen.ofType("system").map(({ message }) => message);
  expect(said.join("\n")).toMatch(/\d\d % of the budget/);
});
