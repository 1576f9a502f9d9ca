import { expireGlances } from "./expire.ts";
import type { RewritePlan } from "./policies.ts";
import { pruneDenials, pruneResidue } from "./prune.ts";
import { applyPasses, type Pass, type RewriteReport } from "./rewrite-pass.ts";
import { bridgeParents, repairCalls } from "./rewrite-repair.ts";
import type { Entry } from "./transcript.ts";
import { TRIM_MIN_CHARS, trimLarge } from "./trim.ts";

export type { RewriteReport } from "./rewrite-pass.ts";

/** What stands where a result was, in the language of the documents. */
export interface RewriteNotes {
  /** In place of a glance's result that is so many rounds old. */
  stale(command: string, rounds: number): string;
  interrupted: string;
}

/**
 * Rewrites a history on its way into a session, in a fixed order: mend (calls without results, lost parents) always, and
 * what the plan has of prune (denials, residue), expire, trim. Calls and results go together; other calls of the same message, thinking, text,
 * compact summaries, meta entries and unknown entries stay. The given entries are never changed, a second time changes
 * nothing, and it takes time in proportion to their number.
 * @param leaf uuid of the entry that the session goes on from: what is new or old is counted on its branch, and denials,
 * looks and large results of others stay. Default: the newest; null = all stay.
 */
export function rewriteTranscript(
  entries: readonly Entry[],
  plan: RewritePlan,
  notes: RewriteNotes,
  leaf?: string | null,
): { entries: readonly Entry[]; report: RewriteReport } {
  return applyPasses(entries, passesOf(plan, notes), leaf);
}

function passesOf({ prune, expire, trim }: RewritePlan, notes: RewriteNotes): Pass[] {
  const trimmed = trim === undefined ? {} : { trimMinChars: trim.minChars ?? TRIM_MIN_CHARS };
  const words = { note: notes.stale, interruptedNote: notes.interrupted };
  return [
    repairCalls(notes.interrupted),
    bridgeParents(),
    ...(prune === undefined ? [] : [pruneDenials(prune), pruneResidue(notes.interrupted)]),
    ...(expire === undefined ? [] : [expireGlances({ ...expire, ...words, ...trimmed })]),
    ...(trim === undefined ? [] : [trimLarge(trim)]),
  ];
}
