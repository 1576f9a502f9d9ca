import { expire } from "./expire.ts";
import { pruneDenials, pruneResidue } from "./prune.ts";
import { applyPasses, type Pass, type RewriteReport } from "./rewrite-pass.ts";
import { bridgeParents, repairCalls } from "./rewrite-repair.ts";
import type { Entry } from "./transcript.ts";
import { trim, TRIM_MIN_CHARS } from "./trim.ts";

export type { RewriteReport } from "./rewrite-pass.ts";

/** What is rewritten. */
export interface RewriteOptions {
  /** What stands where a result was, in the language of the documents. */
  notes: { stale(command: string, rounds: number): string; interrupted: string };
  /** Expire results of these commands; absent = off. */
  isGlance?: (command: string) => boolean;
  /** Trim large results: keeps a text and returns its pointer, undefined when it could not; absent = off. */
  spill?: (text: string) => string | undefined;
  /** Denied calls that stay. Default 1. */
  keepDenials?: number;
}

/**
 * Rewrites a history on its way into a session, in a fixed order: mend (calls without results, lost parents), prune
 * (denials, residue), expire, trim. Calls and results go together; other calls of the same message, thinking, text,
 * compact summaries, meta entries and unknown entries stay. The given entries are never changed, a second time changes
 * nothing, and it takes time in proportion to their number.
 */
export function rewriteTranscript(
  entries: readonly Entry[],
  options: RewriteOptions,
): { entries: readonly Entry[]; report: RewriteReport } {
  return applyPasses(entries, passesFor(options));
}

/** {@link rewriteTranscript} as passes for `rewriting(store, passes)`; `report` hears of each load. */
export function rewritePasses(
  options: RewriteOptions,
  report?: (report: RewriteReport) => void,
): Array<(entries: readonly Entry[]) => readonly Entry[]> {
  return [
    (entries) => {
      const rewritten = rewriteTranscript(entries, options);
      report?.(rewritten.report);
      return rewritten.entries;
    },
  ];
}

function passesFor({ notes, isGlance, spill, keepDenials }: RewriteOptions): Pass[] {
  const passes = [
    repairCalls(notes.interrupted),
    bridgeParents(),
    pruneDenials(keepDenials === undefined ? {} : { keep: keepDenials }),
    pruneResidue(notes.interrupted),
  ];
  if (isGlance !== undefined)
    passes.push(
      expire({
        isGlance,
        note: notes.stale,
        interruptedNote: notes.interrupted,
        ...(spill === undefined ? {} : { trimMinChars: TRIM_MIN_CHARS }),
      }),
    );
  if (spill !== undefined) passes.push(trim({ spill }));
  return passes;
}
