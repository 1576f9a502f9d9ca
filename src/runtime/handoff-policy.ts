import { FlowerError } from "../core/errors.ts";

/** Space kept for one round of writing, in front of the harness's own compaction at window − 33,000 (0.3.332). */
export const HEADROOM_TOKENS = 50_000;
/** Below this not even a document can be written. */
const FLOOR_TOKENS = 10_000;
/** One notice comes this far before the line. */
const NOTICE_TOKENS = 20_000;
const NOTICE_FLOOR_TOKENS = 1_000;
/** A threshold below a role's startup floor would change generations for ever. */
const MAX_GENERATIONS = 8;

/** How a step changes generations. All figures in tokens. */
export interface HandoffPolicy {
  enabled: boolean;
  /** Default: what `believedWindow` says. */
  window?: number;
  /** Default 50,000. */
  headroom?: number;
  /** Handoffs that a step may make; default 8. The next one is refused. */
  maxGenerations?: number;
  /**
   * A coordinator that took over may ask the session before it, each question for at most this many US dollars by
   * estimate; 0 = it may not. Default 1.
   */
  predecessorBudgetUsd?: number;
}

/** A policy with its lines drawn. */
export interface HandoffLine {
  enabled: boolean;
  window: number;
  /** `max(10_000, window − headroom)`. */
  at: number;
  /** `max(1_000, at − 20_000)`. */
  warnAt: number;
  maxGenerations: number;
}

/**
 * Draws the lines for a window.
 * @throws FlowerError `usage` for figures that are not positive.
 */
export function handoffLine(policy: HandoffPolicy, window: number): HandoffLine {
  const headroom = policy.headroom ?? HEADROOM_TOKENS;
  for (const [name, value] of Object.entries({ window, headroom })) {
    if (!(value > 0))
      throw new FlowerError("usage", `handoff: ${name} must be a positive number, got ${value}`);
  }
  const at = Math.max(FLOOR_TOKENS, window - headroom);
  return {
    enabled: policy.enabled,
    window,
    at,
    warnAt: Math.max(NOTICE_FLOOR_TOKENS, at - NOTICE_TOKENS),
    maxGenerations: policy.maxGenerations ?? MAX_GENERATIONS,
  };
}

/** What the trigger looks at. */
export interface HandoffState {
  enabled: boolean;
  /**
   * This is the round that writes the document. It is always above the line: without the exemption it would be cut
   * before its first word, and every generation would be degraded while everything looks normal.
   */
  writing: boolean;
  sessionId: string | undefined;
  /** Main-thread context, tokens; subagents do not count. */
  context: number;
  at: number;
}

/** Whether the main thread must hand over at this batch boundary. */
export function handoffDue(state: HandoffState): boolean {
  return state.enabled && !state.writing && state.sessionId !== undefined && state.context >= state.at;
}

/** Characters a token may stand for at worst: text in many scripts has one token a character. */
const CHARS_PER_TOKEN = 1;
/** Where nothing is spilled the harness's own limits hold: 25,000 tokens of a Read or an MCP result (0.3.332). */
export const UNSPILLED_TOKENS = 25_000;
/** What the harness puts around a result, and what a refused or failed call says, tokens. */
const FRAME_TOKENS = 500;
/** Prompt, document and one more try must fit behind the last batch, tokens. */
const DOCUMENT_TOKENS = 20_000;
/** Share of the headroom for the document where the headroom is small. */
const DOCUMENT_SHARE = 0.4;

/** What {@link batchAllowance} counts with, tokens unless named otherwise. */
export interface BatchSpace {
  window: number;
  /** The handoff line: the headroom is what lies above it. */
  at: number;
  /** Main-thread context before the batch's results. */
  context: number;
}

/**
 * Tokens that the results of one batch may have, so that the handoff document is sure to fit behind them. It is
 * arithmetic, no prediction: whatever the results are, the session can still write.
 */
export function batchAllowance({ window, at, context }: BatchSpace): number {
  const reserve = Math.min(DOCUMENT_TOKENS, (window - at) * DOCUMENT_SHARE);
  return Math.max(0, window - reserve - context);
}

/**
 * What the result of a call may add to the context at most, tokens.
 * @param spillThresholdChars longest string that is not spilled; 0 = nothing is.
 */
export function tokensOfCall(spillThresholdChars: number): number {
  return spillThresholdChars === 0 ? UNSPILLED_TOKENS : tokensOfText(spillThresholdChars);
}

/** What a result of this length may add at most, tokens. */
export function tokensOfText(chars: number): number {
  return chars / CHARS_PER_TOKEN + FRAME_TOKENS;
}
