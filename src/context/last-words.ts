import { reportWithin } from "./report-frame.ts";
import { blocksOf, exchangesOf, isProtected, resultText, type Entry } from "./transcript.ts";

/** What a main thread said and was told last, oldest first. */
export interface LastWords {
  texts: string[];
  /** Reports of its subagents. */
  reports: string[];
}

/** Kept of either. */
const LAST = 5;

/** Reads the last words out of a main thread, for a handoff document that the session could not write itself. */
export function lastWords(main: readonly Entry[]): LastWords {
  const texts = main.flatMap((entry) =>
    entry.type !== "assistant" || isProtected(entry) || entry["isApiErrorMessage"] === true
      ? []
      : blocksOf(entry).flatMap(({ type, text }) =>
          type === "text" && typeof text === "string" ? [text] : [],
        ),
  );
  const reports = exchangesOf(main).flatMap(({ name, answer }) =>
    name !== "Agent" || answer === undefined || answer.denial !== undefined
      ? []
      : [reportWithin(resultText(answer.block) ?? "")],
  );
  const said = (all: readonly string[]): string[] => all.filter((text) => text.trim() !== "").slice(-LAST);
  return { texts: said(texts), reports: said(reports) };
}
