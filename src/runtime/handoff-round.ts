import { MOST_SHRUNK, type ShrinkLevel } from "../context/shrink.ts";
import { errorText } from "../core/errors.ts";
import type { EventDraft } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { factsMarkdown } from "../documents/facts.ts";
import {
  degraded,
  Handoff,
  handoffLines,
  handoffPrompt,
  missingSectionsPrompt,
  successorPrompt,
} from "../documents/handoff.ts";
import { checkHandoff } from "../documents/handoff-checks.ts";
import { degradedError } from "../documents/wording.ts";
import type { RoundFailure } from "../harness/contract.ts";
import { NOTICE_TEXTS } from "./notice-texts.ts";
import type { Books } from "./books.ts";
import { classify, failureLine } from "./classify.ts";
import type { Generation, HandoffReview } from "./contract.ts";
import type { collectFacts } from "./handoff-facts.ts";
import { brokenEdit } from "./handoff-files.ts";
import type { Handover, LiveSession, NoHandover } from "./step-context.ts";

/** What writing a handoff needs besides the session. */
export interface HandoffParts {
  step: string;
  /** The step's original prompt, for a degraded document. */
  prompt: string;
  locale: Locale;
  reason: Generation["reason"];
  books: Books;
  /** Whether a path that the document names, as written, is there. */
  exists(path: string): boolean;
  /** Makes what takes secrets out of the document, as they are known at that time. */
  redactor(): (text: string) => string;
  /** The document round did not fit either. */
  overflowed(failure: RoundFailure): Promise<void>;
  /** What transcript and disk say; asked when the session has written. */
  facts(live: LiveSession, redact: (text: string) => string): ReturnType<typeof collectFacts>;
  /** Freezes the text and archives the previous one; the path, or null without a file. */
  freeze(text: string): string | null;
  /** The frozen file as it is now: a person may have edited it. */
  reread(path: string): string;
  /** Awaited between the frozen document and the successor's start. */
  review: ((review: HandoffReview) => Promise<void> | void) | undefined;
  /** How far the change of generation has come; for the lineage. */
  onPhase(phase: "writing" | "frozen" | "put off"): void;
  /** The generation is over: its document is frozen, whatever becomes of the review and of the successor's start. */
  onGeneration(generation: Generation, problem: string | undefined): void;
  /** The session again, in a new process: its history shrunk to this level, undefined = as it is. */
  reopen(shrink: ShrinkLevel | undefined): Promise<LiveSession>;
  /**
   * Aborted when a person interrupts: the document can wait, the session goes on with their words and writes it later;
   * a review ends.
   */
  breakIn: AbortSignal;
  /** Waits out a transient fault before try `attempt`; false when there is none left or the run is ending. */
  waitForRetry(attempt: number, failure: RoundFailure): Promise<boolean>;
  /** Waits until a used-up allowance comes back; false when that is not wanted or the run is ending. */
  waitForLimit(attempt: number, failure: RoundFailure): Promise<boolean>;
  emit(event: EventDraft): void;
}

const NOTE_AFTER_MS = 5;

/** The document, why it cannot be had, or why it is not asked for now. */
type Written =
  { handoff: Handoff; source: string } | { why: string } | { stopped: string } | { interrupted: true };

/**
 * Has the session write its handoff document (only it has that context), freezes it and makes the successor's prompt
 * from the file. Falls back to a mechanical document; never fails.
 */
export async function writeHandoff(live: LiveSession, parts: HandoffParts): Promise<Handover | NoHandover> {
  const { turn } = live;
  const figures = {
    context: turn.context,
    window: turn.line.window,
    at: turn.line.at,
    generation: turn.generation,
  };
  const sessionId = live.session.sessionId ?? "";
  parts.emit({ type: "handoff", phase: "writing", ...figures });

  // Noted when the prompt is on its way: the note is flushed to disk, which holds up what is still to be sent. The
  // transcript holds the prompt later than that.
  const note = setTimeout(() => parts.onPhase("writing"), NOTE_AFTER_MS);
  const { written, last } = await write(live, parts);
  clearTimeout(note);
  if ("stopped" in written || "interrupted" in written) parts.onPhase("writing");
  if ("interrupted" in written) return { interrupted: true, putOff: () => putOff(parts) };
  if ("stopped" in written) return written;
  // Before anything is shortened: what is left of a secret would not be recognised.
  const redact = parts.redactor();
  const { facts, words } = await parts.facts(last, redact);
  const handoff =
    "handoff" in written
      ? written.handoff
      : degraded(parts.step, redact(parts.prompt), {
          why: written.why,
          locale: parts.locale,
          lastTexts: words.texts,
          reports: words.reports,
        });
  const text = redact(`${handoff.toMarkdown(parts.locale)}\n${factsMarkdown(facts, parts.locale)}`);
  const path = parts.freeze(text);
  parts.onPhase("frozen");
  parts.onGeneration(
    {
      sessionId,
      contextAtCut: figures.context,
      reason: parts.reason,
      degraded: handoff.degraded,
      path,
      ...parts.books.takeGeneration(),
    },
    "why" in written ? degradedError(written.why, parts.locale) : undefined,
  );

  const warn = (message: string): void => parts.emit({ type: "system", level: "warning", message });
  const sections = handoffLines(Handoff.parse(text, { step: parts.step }));
  const final = await reviewed(
    { step: parts.step, path, degraded: handoff.degraded, sections },
    text,
    parts,
    warn,
  );
  const edited = Handoff.parse(final, { step: parts.step });
  if (final !== text && !edited.complete()) warn(brokenEdit(edited.missing()));
  // Never in the way: a document with a wrong path is still worth more than none.
  const source = final === text && "source" in written ? written.source : final;
  const doubts = edited.degraded
    ? []
    : checkHandoff(edited, { exists: (name) => parts.exists(name), source });
  for (const doubt of doubts) warn(doubt);
  const shown = final === text ? sections : handoffLines(edited);
  parts.emit({
    type: "handoff",
    phase: "done",
    ...figures,
    degraded: handoff.degraded,
    path,
    sections: shown,
  });
  return { successorPrompt: successorPrompt(final, doubts) };
}

function putOff(parts: HandoffParts): void {
  parts.onPhase("put off");
  parts.emit({
    type: "system",
    level: "info",
    message: NOTICE_TEXTS[parts.locale].handoffPutOff,
  });
}

/** Waits for the work, but not beyond the signal. */
async function unlessAborted(signal: AbortSignal, work: Promise<void> | void): Promise<void> {
  if (signal.aborted || work === undefined) return;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
  });
  // One signal serves all handoffs of a step: what is left on it adds up.
  await Promise.race([work, aborted]).finally(() => onAbort && signal.removeEventListener("abort", onAbort));
}

/** The text as it is after the review; whatever goes wrong with the review, the handoff goes on. */
async function reviewed(
  review: HandoffReview,
  text: string,
  parts: HandoffParts,
  warn: (message: string) => void,
): Promise<string> {
  try {
    await unlessAborted(parts.breakIn, parts.review?.(review));
  } catch (error) {
    warn(`the review of the handoff failed: ${errorText(error)}`);
  }
  if (review.path === null) return text;
  try {
    const edited = parts.reread(review.path);
    if (edited.trim() !== "") return edited;
    warn("the handoff file is empty; the document is passed on as it was written");
    return text;
  } catch (error) {
    warn(`the handoff cannot be read again and is passed on as it was written: ${errorText(error)}`);
    return text;
  }
}

/**
 * In the same process after a cut by level. What does not fit is shrunk step by step until the session can write; what
 * is lost on the way to the API is waited for.
 */
async function write(
  live: LiveSession,
  parts: HandoffParts,
): Promise<{ written: Written; last: LiveSession }> {
  let shrink: ShrinkLevel | undefined = parts.reason === "overflow" ? 1 : undefined;
  let session = shrink === undefined ? live : await parts.reopen(shrink);
  for (let attempt = 1; ;) {
    // A process that was opened for it has no level yet.
    session.turn.context ||= live.turn.context;
    const asked = await ask(session, parts);
    if (!("failure" in asked)) return { written: asked, last: session };
    if (parts.breakIn.aborted) return { written: { interrupted: true }, last: session };
    const { failure } = asked;
    const { context, line } = session.turn;
    const classified = classify(failure, {
      context: Math.max(context, live.turn.context),
      window: line.window,
    });
    const { kind, account } = classified;
    if (kind === "overflow") {
      await parts.overflowed(failure);
      if (shrink === MOST_SHRUNK) return { written: { why: failure.message }, last: session };
      shrink = shrink === undefined ? 1 : shrink === 1 ? 2 : 3;
    } else if (account === true || kind === "limit") {
      // The account, not the session: a successor could not work either, and this one can still write later.
      if (account === true || !(await parts.waitForLimit(attempt, failure)))
        return { written: { stopped: failureLine(failure, classified) }, last: session };
    } else {
      attempt += 1;
      if (kind === "fatal" || !(await parts.waitForRetry(attempt, failure)))
        return { written: { why: failure.message }, last: session };
    }
    session = await parts.reopen(shrink);
  }
}

/**
 * The first of the texts that is a complete document. A reply that was cut off at its length goes on in further
 * messages, and one may hold the document beside a call that was refused.
 */
function completeIn(
  texts: readonly string[],
  step: string,
): { handoff: Handoff; source: string } | undefined {
  return texts
    .map((source) => ({ handoff: Handoff.parse(source, { step }), source }))
    .find(({ handoff }) => handoff.complete());
}

/** Two tries in the same process: the second names what was missing. */
async function ask(
  { session, turn }: LiveSession,
  parts: HandoffParts,
): Promise<Written | { failure: RoundFailure }> {
  // Of a session that was woken for it nothing is known but that it was cut at the line.
  const used = turn.context === 0 ? turn.line.at : turn.context;
  let prompt = handoffPrompt({ used, window: turn.line.window, locale: parts.locale });
  let why = "";
  turn.writing = true;
  try {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      if (parts.breakIn.aborted) return { interrupted: true };
      turn.writingBatches = 0;
      parts.emit({ type: "prompt", kind: "handoff", text: prompt });
      const round = await session.round(prompt);
      parts.books.add(round);
      const written = completeIn([round.text, round.allText], parts.step);
      // Also of a person who interrupted: their words go to the successor then.
      if (round.failure === undefined && written !== undefined) return written;
      if (round.failure !== undefined) return { failure: round.failure };
      const missing = Handoff.parse(round.text, { step: parts.step }).missing();
      why = `missing: ${missing.join(", ")}`;
      prompt = missingSectionsPrompt(missing, parts.locale);
    }
    return { why };
  } finally {
    turn.writing = false;
  }
}
