import type { EventDraft } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import {
  degraded,
  Handoff,
  handoffLines,
  handoffPrompt,
  missingSectionsPrompt,
  successorPrompt,
} from "../documents/handoff.ts";
import { degradedError } from "../documents/wording.ts";
import type { Books } from "./books.ts";
import type { Generation, HandoffReview } from "./contract.ts";
import type { Handover, LiveSession } from "./step-run.ts";

/** What writing a handoff needs besides the session. */
export interface HandoffParts {
  step: string;
  /** The step's original prompt, for a degraded document. */
  prompt: string;
  locale: Locale;
  reason: Generation["reason"];
  books: Books;
  /** Freezes the text and archives the previous one; the path, or null without a workbench. */
  freeze(text: string): string | null;
  /** The frozen file as it is now: a person may have edited it. */
  reread(path: string): string;
  /** Awaited between the frozen document and the successor's start. */
  review: ((review: HandoffReview) => Promise<void> | void) | undefined;
  /** How far the change of generation has come; for the lineage. */
  onPhase(phase: "writing" | "frozen"): void;
  emit(event: EventDraft): void;
}

/** The document, or why there is none. */
type Written = { handoff: Handoff } | { why: string };

/**
 * Has the session write its handoff document in a further round of the same process (only it has that context),
 * freezes it and makes the successor's prompt from the file. Falls back to a mechanical document; never fails.
 */
export async function writeHandoff(live: LiveSession, parts: HandoffParts): Promise<Handover> {
  const { turn } = live;
  const figures = {
    context: turn.context,
    window: turn.line.window,
    at: turn.line.at,
    generation: turn.generation,
  };
  parts.emit({ type: "handoff", phase: "writing", ...figures });
  parts.onPhase("writing");

  const written: Written =
    parts.reason === "level"
      ? await ask(live, parts)
      : { why: "the context no longer fits, so the session could not write" };
  const handoff =
    "handoff" in written
      ? written.handoff
      : degraded(parts.step, parts.prompt, { why: written.why, locale: parts.locale });
  const text = handoff.toMarkdown(parts.locale);
  const path = parts.freeze(text);
  parts.onPhase("frozen");

  const sections = handoffLines(handoff);
  await parts.review?.({ step: parts.step, path, degraded: handoff.degraded, sections });
  parts.emit({ type: "handoff", phase: "done", ...figures, degraded: handoff.degraded, path, sections });
  return {
    generation: {
      sessionId: live.session.sessionId ?? "",
      contextAtCut: figures.context,
      reason: parts.reason,
      degraded: handoff.degraded,
      path,
      ...parts.books.takeGeneration(),
    },
    successorPrompt: successorPrompt(path === null ? text : parts.reread(path)),
    ...("why" in written ? { problem: degradedError(written.why, parts.locale) } : {}),
  };
}

/** Two tries in the same process: the second names what was missing. */
async function ask(live: LiveSession, parts: HandoffParts): Promise<Written> {
  const { turn, session } = live;
  let prompt = handoffPrompt({ used: turn.context, window: turn.line.window, locale: parts.locale });
  let why = "";
  turn.writing = true;
  try {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      parts.emit({ type: "prompt", kind: "handoff", text: prompt });
      const round = await session.round(prompt);
      parts.books.add(round);
      if (round.failure !== undefined) return { why: round.failure.message };
      const handoff = Handoff.parse(round.text, { step: parts.step });
      if (handoff.complete()) return { handoff };
      why = `missing: ${handoff.missing().join(", ")}`;
      prompt = missingSectionsPrompt(handoff.missing(), parts.locale);
    }
    return { why };
  } finally {
    turn.writing = false;
  }
}
