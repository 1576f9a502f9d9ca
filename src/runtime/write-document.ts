import { shrunkFurther, type ShrinkLevel } from "../context/shrink.ts";
import type { EventDraft } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { Handoff, handoffPrompt, missingSectionsPrompt } from "../documents/handoff.ts";
import { DECLINED, type RoundFailure, type RoundResult } from "../harness/contract.ts";
import { classify, failureLine, isUnkept, overflowedSilently, type FailureKind } from "./classify.ts";
import type { Generation } from "./contract.ts";
import { fillOf } from "./fill.ts";
import type { LiveSession, Stopped } from "./step-context.ts";

/** What having a document written needs besides the session. */
export interface DocumentParts {
  step: string;
  locale: Locale;
  reason: Generation["reason"];
  /** An earlier run asked for it in vain. */
  isOwed: boolean;
  /** Books a round: what it cost, and how large a request the API took. */
  book(live: LiveSession, round: RoundResult): void;
  /** Notes why a round failed. */
  failed(failure: RoundFailure, kind: FailureKind): void;
  /** The document round did not fit either. */
  overflowed(live: LiveSession, failure: RoundFailure): Promise<void>;
  /** The session again, in a new process: its history shrunk to this level, undefined = as it is. */
  reopen(shrink: ShrinkLevel | undefined): Promise<LiveSession>;
  /**
   * Aborted when a person interrupts: the document can wait, the session goes on with their words and writes it later.
   */
  breakIn: AbortSignal;
  /** Waits out a transient fault before try `attempt`; false when there is none left or the run is ending. */
  waitForRetry(attempt: number, failure: RoundFailure): Promise<boolean>;
  /** Waits until a used-up allowance comes back; false when that is not wanted or the run is ending. */
  waitForLimit(attempt: number, failure: RoundFailure): Promise<boolean>;
  emit(event: EventDraft): void;
}

/** A document, and the text or texts that it was read from. */
interface Found {
  handoff: Handoff;
  source: string;
}

/**
 * The document; `why` the session could not write one; `stopped`: why nobody can work now, so that it stays owed; or a
 * person broke in.
 */
export type Written = Found | { why: string } | Stopped | { interrupted: true };

/**
 * Has the session write its document: in the same process after a cut by level. What does not fit is shrunk step by step
 * until the session can write; what is lost on the way to the API is waited for.
 * @returns `last`: the session as it was opened last.
 */
export async function writeDocument(
  live: LiveSession,
  parts: DocumentParts,
): Promise<{ written: Written; last: LiveSession }> {
  let shrink: ShrinkLevel | undefined = parts.reason === "overflow" ? 1 : undefined;
  let session = shrink === undefined ? live : await parts.reopen(shrink);
  const draft: Draft = { replies: 0 };
  for (let attempt = 1; ;) {
    // A process that was opened for it has no level yet.
    session.turn.context ||= live.turn.context;
    const asked = await ask(session, draft, parts);
    if (!("failure" in asked || "tooLong" in asked)) return { written: best(asked, draft), last: session };
    if (parts.breakIn.aborted) return { written: { interrupted: true }, last: session };
    const next = "tooLong" in asked ? asked : await afterFailure(asked.failure, attempt, session, parts);
    if ("written" in next) return { written: best(next.written, draft), last: session };
    if ("tooLong" in next) {
      const further = shrunkFurther(shrink);
      if (further === undefined) return { written: best({ why: next.tooLong }, draft), last: session };
      shrink = further;
    } else attempt = next.attempt;
    session = await parts.reopen(shrink);
  }
}

/** The prompt did not fit, and why. */
interface TooLong {
  tooLong: string;
}

/** A document that a server may have cut short is still better than none. */
const best = (written: Written, { cutShort }: Draft): Written =>
  "why" in written && cutShort !== undefined ? cutShort : written;

/** What a failed round means for the document; `attempt`: it is asked for again. */
async function afterFailure(
  failure: RoundFailure,
  attempt: number,
  session: LiveSession,
  parts: DocumentParts,
): Promise<{ written: Written } | TooLong | { attempt: number }> {
  const classified = classify(failure, await fillOf(session));
  const { kind, account } = classified;
  parts.failed(failure, kind);
  if (kind === "overflow") {
    await parts.overflowed(session, failure);
    return { tooLong: failure.message };
  }
  // Not the session: a successor could not work either, and this one can still write later.
  if (account === true || isUnkept(failure))
    return { written: { stopped: failureLine(failure, classified), refused: account === true } };
  if (kind === "fatal") return { written: { why: failure.message } };
  const nextAttempt = kind === "limit" ? attempt : attempt + 1;
  const goesOn =
    kind === "limit"
      ? await parts.waitForLimit(attempt, failure)
      : await parts.waitForRetry(nextAttempt, failure);
  if (goesOn) return { attempt: nextAttempt };
  // Without words a run that ends does not wait any longer.
  if (parts.breakIn.aborted) return { written: { interrupted: true } };
  // Nobody knows whether that is the session's: a second run that fails of it as well must not be the first of many.
  if (kind === "unknown" && (parts.isOwed || failure.category === DECLINED))
    return { written: { why: failure.message } };
  const tries = kind === "limit" ? "" : ` (given up after ${attempt} attempts)`;
  const stopped = `${failure.message}${tries}: ${WRITES_FIRST}`;
  return { written: { stopped, refused: kind === "limit" } };
}

const WRITES_FIRST = "run again when it is over, the session then writes its handoff document first";

/** What the session has written so far, over faults as well. */
interface Draft {
  found?: Found;
  /** A whole document, from a prompt that a server may have cut. */
  cutShort?: Found;
  replies: number;
}

/** A document that lacks something is asked for once more. */
const MAX_REPLIES = 2;

/** The second try, in the same process if it lives, names what was missing; both together may be a document. */
async function ask(
  live: LiveSession,
  draft: Draft,
  parts: DocumentParts,
): Promise<Written | TooLong | { failure: RoundFailure }> {
  const { session, turn } = live;
  const { window, at } = turn.line;
  // Of a session that was woken for it nothing is known but that it was cut at the line.
  const used = turn.context === 0 ? at : turn.context;
  turn.writing = true;
  try {
    while (draft.replies < MAX_REPLIES) {
      if (parts.breakIn.aborted) return { interrupted: true };
      turn.writingBatches = 0;
      const prompt =
        draft.found === undefined
          ? handoffPrompt({ used, window, locale: parts.locale })
          : missingSectionsPrompt(draft.found.handoff.missing(), parts.locale);
      parts.emit({ type: "prompt", kind: "handoff", text: prompt });
      const round = await session.round(prompt);
      parts.book(live, round);
      const { failure } = round;
      const isSilent = overflowedSilently(round, window) && (failure === undefined || !isUnkept(failure));
      if (failure !== undefined && !isSilent) return { failure };
      const found = together(draft.found, readFrom(round, parts.step));
      const isComplete = failure === undefined && found.handoff.complete();
      // What a server cut off may be what the document should have told.
      if (isSilent) {
        if (isComplete) draft.cutShort = found;
        return { tooLong: `${round.context} tokens did not fit into ${window}` };
      }
      // Also of a person who interrupted: their words go to the successor then.
      if (isComplete) return found;
      draft.found = found;
      draft.replies += 1;
    }
    return { why: `missing: ${draft.found?.handoff.missing().join(", ") ?? ""}` };
  } finally {
    turn.writing = false;
  }
}

/**
 * What a round wrote. A reply that was cut off at its length goes on in further messages, and one may hold the document
 * beside a call that was refused.
 */
function readFrom({ text, allText }: RoundResult, step: string): Found {
  const read = (source: string): Found => ({ handoff: Handoff.parse(source, { step }), source });
  const last = read(text);
  return last.handoff.complete() ? last : read(allText);
}

/** Of a section that both wrote the later one counts. */
function together(first: Found | undefined, second: Found): Found {
  if (first === undefined) return second;
  return {
    handoff: second.handoff.filledFrom(first.handoff),
    source: second.handoff.complete() ? second.source : `${first.source}\n\n${second.source}`,
  };
}
