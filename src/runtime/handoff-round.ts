import { errorText } from "../core/errors.ts";
import { factsMarkdown } from "../documents/facts.ts";
import { degraded, Handoff, handoffLines, successorPrompt } from "../documents/handoff.ts";
import { checkHandoff } from "../documents/handoff-checks.ts";
import { degradedError } from "../documents/wording.ts";
import { NOTICE_TEXTS } from "./notice-texts.ts";
import type { Books } from "./books.ts";
import type { Generation, HandoffReview } from "./contract.ts";
import type { collectFacts } from "./handoff-facts.ts";
import { brokenEdit } from "./handoff-files.ts";
import type { Handover, LiveSession, NoHandover } from "./step-context.ts";
import { writeDocument, type DocumentParts } from "./write-document.ts";

/** What a change of generation needs besides the session. */
export interface HandoffParts extends DocumentParts {
  /** Cost and tokens of the step. */
  books: Books;
  /** The step's original prompt, for a degraded document. */
  prompt: string;
  /** Whether a path that the document names, as written, is there. */
  exists(path: string): boolean;
  /** Makes what takes secrets out of the document, as they are known at that time. */
  redactor(): (text: string) => string;
  /** What transcript and disk say; asked when the session has written. */
  facts(live: LiveSession, redact: (text: string) => string): ReturnType<typeof collectFacts>;
  /** Freezes the text and archives the previous one; the path, or null without a file. */
  freeze(text: string): string | null;
  /** The frozen file as it is now: a person may have edited it. */
  reread(path: string): string;
  /** Awaited between the frozen document and the successor's start; ends when a person breaks in. */
  review: ((review: HandoffReview) => Promise<void> | void) | undefined;
  /** How far the change of generation has come; for the lineage. */
  onPhase(phase: "writing" | "frozen" | "put off"): void;
  /** The generation is over: its document is frozen, whatever becomes of the review and of the successor's start. */
  onGeneration(generation: Generation, problem: string | undefined): void;
}

const NOTE_AFTER_MS = 5;

/**
 * Has the session write its handoff document (only it has that context), freezes it and makes the successor's prompt
 * from the file. Falls back to a mechanical document where the session cannot write; never fails.
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
  const { written, last } = await writeDocument(live, parts);
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
  // By where it comes from: a session may quote the mark of the document that it took over with.
  const isDegraded = "why" in written;
  const text = redact(`${handoff.toMarkdown(parts.locale)}\n${factsMarkdown(facts, parts.locale)}`);
  const path = parts.freeze(text);
  parts.onPhase("frozen");
  parts.onGeneration(
    {
      sessionId,
      contextAtCut: figures.context,
      reason: parts.reason,
      degraded: isDegraded,
      path,
      ...parts.books.takeGeneration(),
    },
    "why" in written ? degradedError(written.why, parts.locale) : undefined,
  );

  const warn = (message: string): void => parts.emit({ type: "system", level: "warning", message });
  const sections = handoffLines(Handoff.parse(text, { step: parts.step }));
  const final = await reviewed({ step: parts.step, path, degraded: isDegraded, sections }, text, parts, warn);
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
    // An overflow has told another one meanwhile.
    window: last.turn.line.window,
    at: last.turn.line.at,
    degraded: isDegraded,
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
