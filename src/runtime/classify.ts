import {
  BOOKS_FAILED,
  SILENT_STREAM,
  STORE_FAILED,
  type RoundFailure,
  type RoundResult,
} from "../harness/contract.ts";
import { STORE_GONE } from "../store/sqlite.ts";
import { isBilling } from "./billing.ts";
import { isOverflow, namesOtherLimit } from "./overflow.ts";
import { statusCode } from "./status-code.ts";
import { usageLimit } from "./usage-limit.ts";

/** What a failure means for the step. */
export type FailureKind =
  /** The context does not fit: hand over, not a failed attempt. */
  | "overflow"
  /** Waiting does not help: stop and say what to do. */
  | "fatal"
  /** Wait, then resume the same session. */
  | "transient"
  /** An allowance is used up and comes back: wait for that, not a failed attempt. */
  | "limit"
  /** Not known; tried again like a transient one. */
  | "unknown";

/** A failure with its meaning. */
export interface Classified {
  kind: FailureKind;
  /** The failure in flower's words, where those of the harness mislead. */
  message?: string;
  /** What the person can do; set for fatal ones. */
  nextStep?: string;
  /** It is the account, the model or the way there that is refused: no other session could work either. */
  account?: true;
}

const AUTH_NEXT =
  "check the key and the endpoint: run with -v to see which are used and where they come from";
const FATAL_CATEGORIES: Readonly<Record<string, string>> = {
  authentication_failed: AUTH_NEXT,
  oauth_org_not_allowed: AUTH_NEXT,
  account_on_hold: "the account is on hold: see the provider's console",
  verification_required: "the provider wants a verification: see its console",
  billing_error: "add credit at the provider, then run again: it goes on where it stopped",
};
/** The harness's words for a session that its store does not hold (0.3.332). */
export const NO_SUCH_SESSION = /No conversation found with session ID/i;

/** What to do about a session that the store does not hold. */
export const START_ANEW = "the session is not in the store: start it anew";

const FATAL_TEXT: ReadonlyArray<readonly [RegExp, string]> = [
  [NO_SUCH_SESSION, START_ANEW],
  [
    /No message found with message\.uuid|invalid session id|not a (?:valid )?UUID|--resume/i,
    "name a session and a message of this run directory",
  ],
  [
    new RegExp(
      `invalid (?:x-)?api[ _-]?key|unauthorized|authentication|permission_error|${statusCode("401|403")}`,
      "i",
    ),
    AUTH_NEXT,
  ],
  [
    /issue with the selected model|model[^.]{0,40}not (?:found|exist)|not_found_error/i,
    "set another model (ANTHROPIC_MODEL)",
  ],
];
const TRANSIENT_TEXT = new RegExp(
  "econn|etimedout|enotfound|eai_again|socket|network|fetch failed|timed? ?out|connection|overloaded|rate.?limit|throttl|too many (?:requests|tokens)|(?:high|reduce) concurrency|resource exhausted|quota exceeded|increased too quickly|unavailable|out of capacity|internal (?:server )?error|bad gateway|terminated by signal|exited with code|" +
    statusCode("429|500|502|503|504|529"),
  "i",
);
const LOCAL_LIMITS = new Set(["max_turns", "budget_exhausted"]);
const TRANSIENT_STATUS = new Set([408, 409]);
/** Refusals that say something of what was sent, with some servers 422 and 424; a 405, for one, is of the endpoint. */
const OF_THIS_REQUEST = new Set([400, 422, 424]);
/** A used-up account, which no waiting refills. */
const NO_CREDIT: Classified = {
  kind: "fatal",
  account: true,
  nextStep: "add credit at the provider, then run again",
};

/** How full the context was, tokens. */
export interface Fill {
  /** What the refused request held, as far as that can be told. */
  context: number;
  window: number;
  /** The handoff line, if there is one. */
  at?: number;
}

/** From this share of the window on, a refusal that nobody can read is one for its size. */
const NEARLY_FULL = 0.9;
/** From this share on, a model that says nothing had no room to. */
const FULL = 0.99;

/**
 * Whether a round that calls itself a success did not fit: its request was larger than the window, which a server
 * then cut by itself, or the reply is empty at the window's end.
 */
export function overflowedSilently(
  { context, lastOutput, failure }: Pick<RoundResult, "context" | "lastOutput" | "failure">,
  window: number,
): boolean {
  return (failure === undefined && context > window) || (context >= FULL * window && lastOutput === 0);
}

/** Whether a round failed because what it does cannot be kept: nothing may follow it in the same session. */
export function isUnkept({ category }: RoundFailure): boolean {
  return category === STORE_FAILED || category === BOOKS_FAILED;
}

/**
 * What a failed round means: structure and status first, wording second, fatal before transient
 * ("401 … connection error" is fatal).
 * @param fill of the request that failed: a 400 of unknown wording is an overflow near the window, and from the handoff
 * line on, where the session would hand over at its next boundary anyhow.
 */
export function classify(failure: RoundFailure, fill?: Fill): Classified {
  const texts = [failure.message, failure.details ?? "", failure.apiErrorType ?? ""];
  const text = texts.join(" ");
  const { status } = failure;

  if (failure.category === STORE_FAILED)
    return {
      kind: "fatal",
      message: `the transcript cannot be kept: ${failure.message}`,
      nextStep: failure.message.includes(STORE_GONE)
        ? "put it back if you can, and run again: without it the work goes on in a new session, from what is on disk"
        : "free disk space or unlock the run directory, then run again: it goes on where it stopped",
    };
  if (failure.category === BOOKS_FAILED) return { kind: "fatal" };
  if (failure.category === SILENT_STREAM) return { kind: "transient" };
  if (failure.terminalReason === "blocking_limit" || failure.terminalReason === "prompt_too_long")
    return { kind: "overflow" };
  if (failure.terminalReason !== undefined && LOCAL_LIMITS.has(failure.terminalReason))
    return { kind: "fatal" };
  // A server's own trouble passes, whatever it says it was about.
  if (status !== undefined && (status >= 500 || TRANSIENT_STATUS.has(status))) return { kind: "transient" };
  const byCategory = FATAL_CATEGORIES[failure.category ?? ""];
  // Its own text for a refused key asks to fix an "external API key" that nobody has heard of (0.3.332).
  const refused = `the endpoint refused the credentials (HTTP ${status ?? 401})`;
  if (status === 401 || status === 403 || byCategory === AUTH_NEXT)
    return { kind: "fatal", account: true, message: refused, nextStep: byCategory ?? AUTH_NEXT };
  if (byCategory !== undefined) return { kind: "fatal", account: true, nextStep: byCategory };
  if (status === 413 || ((status === undefined || OF_THIS_REQUEST.has(status)) && isOverflow(...texts)))
    return { kind: "overflow" };
  // A moment to come back is known of the account, whatever this request failed of: it counts for a refusal only.
  const isRefused = status === 429 || failure.category === "rate_limit";
  const limit = usageLimit(texts, { nowMs: Date.now() });
  const comesBack = limit !== undefined && (status !== 402 || limit.resetsAtMs !== undefined);
  if ((isRefused && failure.resetsAtMs !== undefined) || comesBack) return { kind: "limit" };
  if (status === 429) return isBilling(text, status) ? NO_CREDIT : { kind: "transient" };
  for (const [pattern, nextStep] of FATAL_TEXT)
    if (pattern.test(text))
      // A session or message that is not there says nothing of the account.
      return { kind: "fatal", nextStep, ...(status === undefined ? {} : { account: true as const }) };
  if (isBilling(text, status)) return NO_CREDIT;
  const nearlyFull =
    fill !== undefined && fill.context >= Math.min(NEARLY_FULL * fill.window, fill.at ?? Infinity);
  if (status === 400 && nearlyFull && !namesOtherLimit(...texts)) return { kind: "overflow" };
  if (TRANSIENT_TEXT.test(text)) return { kind: "transient" };
  if (status === 404)
    return {
      kind: "fatal",
      account: true,
      nextStep: "the endpoint does not know this model: set ANTHROPIC_MODEL",
    };
  if (status !== undefined && status >= 400)
    return {
      kind: "fatal",
      nextStep: "the API refuses the request as it is",
      ...(OF_THIS_REQUEST.has(status) ? {} : { account: true as const }),
    };
  return { kind: failure.resetsAtMs === undefined ? "unknown" : "limit" };
}

/** A failure in one line, with what to do about it. */
export function failureLine(failure: RoundFailure, { message, nextStep }: Classified): string {
  return [message ?? failure.message, nextStep].filter((part) => part !== undefined).join(": ");
}
