import { describe, expect, it } from "vitest";
import { foldCosts } from "../../src/cli/run-view-costs.ts";
import { costLines } from "../../src/cli/cost-lines.ts";
import { statusOf, type StatusFacts } from "../../src/cli/run-view-status.ts";
import { foldEvents } from "../../src/cli/run-view.ts";
import { statusLines } from "../../src/cli/status-lines.ts";
import type { Event } from "../../src/core/events.ts";
import { LOCALES } from "../../src/core/locale.ts";
import { NO_TOKENS } from "../../src/core/tokens.ts";
import type { BookRow, Holder } from "../../src/runtime/read-run.ts";

const row = (fields: Partial<BookRow>): BookRow => ({
  run: "r2",
  step: "work",
  status: "done",
  sessionId: "11112222-aaaa",
  costUsd: 1,
  costIsEstimate: false,
  numTurns: 3,
  text: "",
  error: null,
  startedAt: "2026-08-01T00:00:00.000Z",
  endedAt: "2026-08-01T00:01:00.000Z",
  context: 10,
  window: 100,
  generations: [],
  tokens: { main: { input: 1, cacheRead: 60, cacheWrite: 19, output: 5 }, subagents: NO_TOKENS },
  predecessorCostUsd: 0,
  ...fields,
});
const HOLDER: Holder = {
  run: "r2",
  since: "2026-08-01T00:00:00.000Z",
  step: "work",
  process: { pid: 7, host: "box" },
  alive: true,
};
const step = (phase: string, costUsd?: number): Event =>
  ({ type: "step", phase, name: "work", step: "work", runId: "r2", timeMs: 1, costUsd }) as Event;
const facts = (fields: Partial<StatusFacts>, ...events: Event[]): StatusFacts => ({
  run: "r2",
  rows: [],
  holder: undefined,
  view: foldEvents(events),
  place: { workspace: "/w x", runDir: undefined, isolated: false },
  ...fields,
});
const ruled = (word: string): BookRow =>
  row({ step: "work·verdict#1", text: `## Conclusion\n${word}\n\n## Reason\nr\n\n## Failed\n` });
const BEGUN = step("started");

describe("how a run stands", () => {
  it.each<[string, StatusFacts, Partial<ReturnType<typeof statusOf>>]>([
    ["nothing was there", facts({ run: undefined }), { state: "fresh", next: "flower -w '/w x'" }],
    [
      "held by a living process",
      facts({ rows: [row({ status: "running" })], holder: HOLDER }, BEGUN),
      { state: "running", holder: { pid: 7, host: "box", since: HOLDER.since, step: "work" }, next: null },
    ],
    [
      "held by one that is gone",
      facts({ rows: [row({})], holder: { ...HOLDER, alive: false } }, BEGUN, step("done")),
      { state: "cut", holder: null },
    ],
    ["a step that never ended", facts({ rows: [row({ status: "interrupted" })] }, BEGUN), { state: "cut" }],
    ["the same without events", facts({ rows: [row({ status: "running" })] }), { state: "cut" }],
    ["ended by a signal", facts({ rows: [row({ status: "killed-by-signal" })] }), { state: "cut" }],
    [
      "a failed step",
      facts({ rows: [row({ status: "failed", error: "budget" })] }, BEGUN, step("failed")),
      { state: "stopped", reason: "budget" },
    ],
    [
      "interrupted",
      facts({ rows: [row({ status: "interrupted" })] }, BEGUN, step("interrupted")),
      { state: "interrupted" },
    ],
    [
      "a bequest behind work that was not enough",
      facts(
        { rows: [ruled("not yet"), row({ step: "bequest", status: "failed", error: "no reply" })] },
        { ...BEGUN, step: "bequest" },
        { ...step("failed"), step: "bequest" },
      ),
      { state: "stopped", reason: null, verdict: "notYet" },
    ],
    [
      "a bequest that failed behind work that is done",
      facts(
        { rows: [ruled("achieved"), row({ step: "bequest", status: "failed" })] },
        { ...BEGUN, step: "bequest" },
        { ...step("failed"), step: "bequest" },
      ),
      { state: "done", verdict: "achieved" },
    ],
    [
      "done without a judge",
      facts({ rows: [row({})] }, BEGUN, step("done")),
      { state: "done", verdict: null },
    ],
    ["achieved", facts({ rows: [row({}), ruled("achieved")] }), { state: "done", verdict: "achieved" }],
    ["not yet", facts({ rows: [row({}), ruled("not yet")] }), { state: "stopped", verdict: "notYet" }],
    ["judged in Chinese", facts({ rows: [ruled("达成")] }), { state: "done", verdict: "achieved" }],
    ["not judged", facts({ rows: [row({ step: "work·verdict#1" })] }), { state: "stopped", verdict: null }],
    [
      "books that are gone",
      facts({}, BEGUN, step("done", 2)),
      { state: "done", cost: { runUsd: 2, totalUsd: 2, isEstimate: false } },
    ],
    [
      "another run's costs, and what events know before the row does",
      facts({ rows: [row({ run: "r1" }), row({ status: "running", costUsd: 1 })], holder: HOLDER }, BEGUN, {
        type: "usage",
        context: 1,
        window: 2,
        at: null,
        costUsd: 1.5,
        costIsEstimate: true,
        tokens: NO_TOKENS,
        runId: "r2",
        step: "work",
        timeMs: 2,
      }),
      { cost: { runUsd: 1.5, totalUsd: 2.5, isEstimate: true } },
    ],
    [
      "a run directory and a workbench elsewhere",
      facts({ rows: [row({})], place: { workspace: "/w", runDir: "my runs", isolated: true } }),
      { next: "flower -w /w -r 'my runs' --isolate" },
    ],
    [
      "of once",
      facts({
        rows: [row({ step: "once" })],
        place: { workspace: "/w", runDir: undefined, isolated: false },
      }),
      { next: 'flower once -w /w --resume 11112222-aaaa "…"' },
    ],
    [
      "of a workflow in somebody's own file",
      facts({ rows: [row({ step: "draft#round2" })] }),
      { next: null },
    ],
  ])("%s", (_name, given, expected) => {
    expect(statusOf(given)).toMatchObject(expected);
  });

  it.each(LOCALES)("is said in %s, whatever is known", (locale) => {
    const events = [
      BEGUN,
      { ...BEGUN, type: "ask", id: "1", phase: "asked", question: "q?", options: ["o"], timeoutMs: 1 },
      { ...BEGUN, type: "retry", attempt: 1, maxAttempts: 6, waitMs: 60_000, reason: "slow" },
      { ...BEGUN, type: "task", taskId: "a", phase: "started", description: "an agent" },
    ] as Event[];
    const given = facts({ rows: [row({ status: "running" })], holder: HOLDER }, ...events);
    const lines = statusLines(statusOf(given), given.view, { locale, nowMs: 30_001 }).join("\n");
    for (const part of ["q?", "1) o", "slow", "0:30", "an agent", "$1.00", "7", "box"])
      expect(lines).toContain(part);
    expect(lines).not.toMatch(/undefined|NaN|null/);
  });
});

describe("what it cost", () => {
  const generation = {
    sessionId: "33334444-bbbb",
    contextAtCut: 9_000,
    reason: "level",
    degraded: true,
    path: null,
    costUsd: 0.4,
    tokens: { input: 0, cacheRead: 40, cacheWrite: 0, output: 1 },
  };
  const rows = [
    row({ run: "r1", predecessorCostUsd: 0.5 }),
    row({ generations: [generation], costIsEstimate: true }),
    row({ step: "work#round2", costUsd: 0.25, tokens: { main: NO_TOKENS, subagents: NO_TOKENS } }),
  ];

  it("is told by run, step and generation, with questions to predecessors in the sums", () => {
    const { runs, total } = foldCosts(rows);
    expect(runs.map(({ run, sum }) => [run, sum.costUsd, sum.isEstimate])).toEqual([
      ["r1", 1.5, false],
      ["r2", 1.25, true],
    ]);
    expect(total).toMatchObject({ costUsd: 2.75, turns: 9, cacheShare: 0.75 });
    expect(runs[1]?.steps[0]?.generations).toMatchObject([
      { sessionId: "33334444-bbbb", costUsd: 0.4, cacheShare: 1, handoff: { degraded: true } },
      { sessionId: "11112222-aaaa", costUsd: 0.6, cacheShare: 0.5, handoff: null },
    ]);
    expect(runs[1]?.steps[1]?.cacheShare).toBeNull();
  });

  it("counts a session once that was burned and has no successor", () => {
    const [only] = foldCosts([row({ generations: [{ ...generation, sessionId: "11112222-aaaa" }] })]).runs;
    expect(only?.steps[0]?.generations).toHaveLength(1);
  });

  it.each(LOCALES)("is said in %s, estimates marked", (locale) => {
    const aside = foldCosts([row({ costUsd: 0.01 })]).total;
    const text = costLines(foldCosts(rows), { aside, locale }).join("\n");
    // Turns of the run and of the questions aside.
    expect(text.split("\n").find((line) => line.includes("~$2.76"))).toMatch(/\s12\s/);
    for (const part of ["11112222", "33334444", "~$1.00", "~$2.76", "75%", "9.0K"])
      expect(text).toContain(part);
    expect(text).not.toMatch(/undefined|NaN|null/);
    expect(costLines(foldCosts([]), { locale })).toHaveLength(1);
    const byEvents = { costUsd: 0.05, isEstimate: false };
    expect(costLines(foldCosts([]), { byEvents, locale }).join("\n")).toContain("$0.05");
  });
});

it.each([
  ["zh", "步骤: 干活: 完成"],
  ["pt", "etapa: trabalho: concluída"],
  ["de", "Schritt: arbeit: fertig"],
] as const)("the last event is told in %s", (locale, words) => {
  const all = facts({}, BEGUN, step("done", 2));
  const text = statusLines(statusOf(all), all.view, { locale, nowMs: 2_000 }).join("\n");
  expect(text).toContain(words);
});
