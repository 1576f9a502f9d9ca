import { addSplit, addTokens, NO_TOKENS, subtractTokens, type TokenCounts } from "../core/tokens.ts";
import type { BookRow } from "../runtime/read-run.ts";

/** What one session of a step cost; the last one of a step is the one that did not hand over. US dollars. */
export interface GenerationCost {
  sessionId: string;
  costUsd: number;
  tokens: TokenCounts;
  cacheShare: number | null;
  /** Of a session that handed over: main-thread context then, tokens; why; whether its document was put together mechanically. */
  handoff: { context: number; reason: string; degraded: boolean; path: string | null } | null;
}

/** What a step cost. US dollars, tokens. */
export interface StepCost {
  step: string;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
  sessionId: string | null;
  turns: number;
  tokens: { main: TokenCounts; subagents: TokenCounts };
  /** Of all input tokens, those that came from the cache, 0 to 1; null without any. */
  cacheShare: number | null;
  costUsd: number;
  /** The harness had no price for the model. */
  isEstimate: boolean;
  /** Questions to retired sessions; not in `costUsd`. */
  predecessorCostUsd: number;
  /** Oldest first; one alone when the step never handed over, none when no session came to life. */
  generations: readonly GenerationCost[];
}

/** A sum over steps; US dollars, questions to predecessors included. */
export interface CostSum {
  costUsd: number;
  isEstimate: boolean;
  turns: number;
  tokens: { main: TokenCounts; subagents: TokenCounts };
  cacheShare: number | null;
}

/** What a run directory cost. */
export interface CostView {
  runs: ReadonlyArray<{ run: string; steps: readonly StepCost[]; sum: CostSum }>;
  total: CostSum;
}

/** Costs by run and step, in the order of the books. */
export function foldCosts(rows: readonly BookRow[]): CostView {
  const byRun = new Map<string, StepCost[]>();
  for (const row of rows) byRun.set(row.run, [...(byRun.get(row.run) ?? []), stepCost(row)]);
  const runs = [...byRun].map(([run, steps]) => ({ run, steps, sum: sumOf(steps) }));
  return { runs, total: sumOf(runs.flatMap(({ steps }) => steps)) };
}

function stepCost(row: BookRow): StepCost {
  const { step, status, startedAt, endedAt, sessionId, tokens, costUsd, predecessorCostUsd } = row;
  return {
    step,
    status,
    startedAt,
    endedAt,
    sessionId,
    turns: row.numTurns,
    tokens,
    cacheShare: cacheShareOf(allOf(tokens)),
    costUsd,
    isEstimate: row.costIsEstimate,
    predecessorCostUsd,
    generations: generationsOf(row),
  };
}

function generationsOf({ generations, sessionId, costUsd, tokens }: BookRow): GenerationCost[] {
  const burned = generations.map((each): GenerationCost => {
    const { contextAtCut: context, reason, degraded, path } = each;
    return {
      sessionId: each.sessionId,
      costUsd: each.costUsd,
      tokens: each.tokens,
      cacheShare: cacheShareOf(each.tokens),
      handoff: { context, reason, degraded, path },
    };
  });
  // A run that ended before its successor began names the last burned session as its own.
  if (sessionId === null || burned.some((each) => each.sessionId === sessionId)) return burned;
  const restUsd = burned.reduce((rest, each) => rest - each.costUsd, costUsd);
  const rest = burned.reduce((left, each) => subtractTokens(left, each.tokens), allOf(tokens));
  return [
    ...burned,
    { sessionId, costUsd: Math.max(0, restUsd), tokens: rest, cacheShare: cacheShareOf(rest), handoff: null },
  ];
}

const NOTHING: CostSum = {
  costUsd: 0,
  isEstimate: false,
  turns: 0,
  tokens: { main: NO_TOKENS, subagents: NO_TOKENS },
  cacheShare: null,
};

const sumOf = (steps: readonly StepCost[]): CostSum =>
  steps
    .map((step) => ({ ...step, costUsd: step.costUsd + step.predecessorCostUsd }))
    .reduce(addCosts, NOTHING);

/** Two costs as one. */
export function addCosts(one: CostSum, other: Omit<CostSum, "cacheShare">): CostSum {
  const tokens = addSplit(one.tokens, other.tokens);
  return {
    costUsd: one.costUsd + other.costUsd,
    isEstimate: one.isEstimate || other.isEstimate,
    turns: one.turns + other.turns,
    tokens,
    cacheShare: cacheShareOf(allOf(tokens)),
  };
}

const allOf = ({ main, subagents }: StepCost["tokens"]): TokenCounts => addTokens(main, subagents);

function cacheShareOf({ input, cacheRead, cacheWrite }: TokenCounts): number | null {
  const all = input + cacheRead + cacheWrite;
  return all <= 0 ? null : cacheRead / all;
}
