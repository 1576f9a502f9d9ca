import { z } from "zod";
import { shrunkFurther, type ShrinkLevel } from "../context/shrink.ts";
import type { AgentSpec, ToolDefinition } from "../core/spec.ts";
import { NO_TOKENS } from "../core/tokens.ts";
import type { RoundResult } from "../harness/contract.ts";
import { classify, overflowedSilently } from "./classify.ts";
import type { Generation } from "./contract.ts";
import type { SessionFactory } from "./session-factory.ts";
import type { LiveSession } from "./step-context.ts";

/** What one question may cost, US dollars. */
export const PREDECESSOR_BUDGET_USD = 1;

/** Prices of tokens against that of plain input: cache writes 1.25 (5 minutes), reads 0.1, output 5 times. */
const WEIGHT = { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 } as const;
/** US dollars for a token of plain input where the books do not tell: that of the larger models of 2026. */
const UNKNOWN_PRICE_USD = 5e-6;
/** An answer of ten lines. */
const ANSWER_TOKENS = 600;
const ANSWER_LINES = 10;
/** Of a retired session's history: what was said and decided stays, results go; where that does not fit, more. */
const FIRST_SHRINK: ShrinkLevel = 2;

/** What asking a retired session needs. */
export interface PredecessorParts {
  retired: Generation;
  /** One question may cost this much by estimate, US dollars. */
  budgetUsd: number;
  /** What the step may still cost, US dollars; Infinity = no limit. */
  leftUsd(): number;
  factory: SessionFactory;
  /** Books what a question cost, apart from the step; negative: it cost that much less than was booked. */
  onCost(costUsd: number): void;
  /** Hears how to end a question, so that it does not outlive the step; what it returns is called when it is over. */
  onAsk(end: () => Promise<void>): () => void;
}

/** A coordinator's spec with a tool that asks the session before it. */
export function withPredecessor(spec: AgentSpec, parts: PredecessorParts): AgentSpec {
  return withTool(spec, predecessorTool(spec, parts));
}

/**
 * Cost of one question in US dollars, estimated from what the session's tokens have cost: it is read whole, once.
 * @param share of the history that is left after shrinking, 0 to 1.
 */
export function predecessorCostUsd({ contextAtCut, costUsd, tokens }: Generation, share: number): number {
  const weighted = (Object.keys(WEIGHT) as Array<keyof typeof WEIGHT>).reduce(
    (sum, name) => sum + WEIGHT[name] * tokens[name],
    0,
  );
  const priceUsd = weighted > 0 && costUsd > 0 ? costUsd / weighted : UNKNOWN_PRICE_USD;
  return priceUsd * (WEIGHT.cacheWrite * contextAtCut * share + WEIGHT.output * ANSWER_TOKENS);
}

const INPUT = { question: z.string().min(1).describe("One question about what it did, tried or decided") };

function predecessorTool(spec: AgentSpec, parts: PredecessorParts): ToolDefinition {
  const schema = z.object(INPUT);
  return {
    name: "predecessor",
    description:
      "Asks the session whose work you took over, when its handoff document and the disk leave something open. It is read whole for that and costs money, so ask one precise question. It answers in at most 10 lines and can do nothing.",
    input: INPUT,
    async handle(input, { signal }) {
      const { question } = schema.parse(input);
      const stop = new AbortController();
      const onAbort = (): void => stop.abort();
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      const asked = answerTo(question, spec, parts, stop.signal);
      // Waits for it as well: what it has cost is booked at its end.
      const gone = parts.onAsk(async () => {
        stop.abort();
        await asked.catch(() => undefined);
      });
      return asked.finally(() => {
        signal.removeEventListener("abort", onAbort);
        gone();
      });
    },
  };
}

/**
 * The answer of a copy, on a history that is shrunk further as long as it does not fit. Each try has to fit into what
 * the question and the step may still cost.
 */
async function answerTo(
  question: string,
  spec: AgentSpec,
  parts: PredecessorParts,
  signal: AbortSignal,
): Promise<string> {
  let spentUsd = 0;
  for (let level: ShrinkLevel = FIRST_SHRINK; ;) {
    const share = await parts.factory.shrunkShare(parts.retired.sessionId, level);
    if (share === undefined) return "Not asked: that session is no longer in the store.";
    if (signal.aborted) return GIVEN_UP;
    const estimateUsd = predecessorCostUsd(parts.retired, share);
    const allowedUsd = Math.max(0, Math.min(parts.budgetUsd - spentUsd, parts.leftUsd()));
    if (estimateUsd > allowedUsd) return tooDear(estimateUsd, allowedUsd, spentUsd);
    // Booked before it is spent: of questions at the same time each counts for the others.
    parts.onCost(estimateUsd);
    let costUsd = 0;
    try {
      const asked = await askCopy(question, level, spec, parts, signal);
      if (asked === undefined) return GIVEN_UP;
      const { round, tooLong } = asked;
      ({ costUsd } = round);
      const further = tooLong ? shrunkFurther(level) : undefined;
      if (further === undefined) return answerOf(round);
      level = further;
    } finally {
      spentUsd += costUsd;
      parts.onCost(costUsd - estimateUsd);
    }
  }
}

/** Nobody reads it. */
const GIVEN_UP = "Not asked: the call was given up.";

function tooDear(estimateUsd: number, allowedUsd: number, spentUsd: number): string {
  const what =
    spentUsd === 0 ? "Not asked: it" : "Its history did not fit. Not asked again: on a shorter one it";
  return `${what} would cost about $${estimateUsd.toFixed(2)}, and $${allowedUsd.toFixed(2)} are allowed. Look at the handoff document and the disk instead.`;
}

function answerOf({ failure, text }: RoundResult): string {
  if (failure !== undefined) return `It could not be asked: ${failure.message}`;
  if (text === "") return "It gave no answer.";
  return text.split("\n").slice(0, ANSWER_LINES).join("\n");
}

/** Undefined when the call was given up before the copy was open. */
async function askCopy(
  question: string,
  shrink: ShrinkLevel,
  spec: AgentSpec,
  parts: PredecessorParts,
  signal: AbortSignal,
): Promise<{ round: RoundResult; tooLong: boolean } | undefined> {
  const { session, turn } = await openCopy(spec, parts, shrink);
  const onAbort = (): void => void session.close();
  signal.addEventListener("abort", onAbort);
  try {
    if (signal.aborted) return undefined;
    // Nothing that its history suggests may be done now; every call is refused, and three tries end it.
    turn.writing = true;
    const round = await session.round(
      `A session that took over your work asks you the following. Answer from what you know, without tools, in at most ${ANSWER_LINES} lines; say so when you do not know.\n\n${question}`,
    );
    const { failure } = round;
    const { window } = turn.line;
    const fill = { context: parts.retired.contextAtCut, window };
    const tooLong =
      failure === undefined ? overflowedSilently(round, window) : classify(failure, fill).kind === "overflow";
    return { round, tooLong };
  } finally {
    signal.removeEventListener("abort", onAbort);
    await session.close();
  }
}

/** A copy of the retired session, on a shrunk history; no lineage and no store holds it, and it tells nobody of itself. */
async function openCopy(
  spec: AgentSpec,
  { factory, retired }: PredecessorParts,
  shrink: ShrinkLevel,
): Promise<LiveSession> {
  return factory.open({
    spec,
    mail: undefined,
    origin: { resume: retired.sessionId, fork: true, shrink, unkept: true },
    generation: 1,
    before: { costUsd: 0, tokens: NO_TOKENS, turns: 0 },
    apartUsd: () => 0,
    worktrees: undefined,
    emit: () => undefined,
    onSessionId: () => undefined,
  });
}

function withTool(spec: AgentSpec, tool: ToolDefinition): AgentSpec {
  const server = spec.mcpServers?.["flower"];
  const others = server?.kind === "inProcess" ? server : { kind: "inProcess" as const, tools: [] };
  return {
    ...spec,
    mcpServers: { ...spec.mcpServers, flower: { ...others, tools: [...others.tools, tool] } },
    ...(spec.allowedTools === undefined
      ? {}
      : { allowedTools: [...spec.allowedTools, `mcp__flower__${tool.name}`] }),
  };
}
