import type { Entry } from "./transcript.ts";

/** What a rewrite did to a history. */
export interface RewriteReport {
  /** Glance results that became a note. */
  expired: number;
  /** Large results that became a pointer. */
  trimmed: number;
  /** Denied calls that went, with their results. */
  denialsPruned: number;
  /** Errors of the API that went, and results of an interruption that became a note. */
  residuePruned: number;
  /** Entries whose parent was lost or no message and that hang on a living one now. */
  bridged: number;
  /** Calls without a result that got a note for one. */
  repaired: number;
  /** Characters that the history became shorter; negative when notes are longer than what they stand for. */
  charsSaved: number;
}

/** A report of nothing done. */
export const NOTHING_DONE: RewriteReport = {
  expired: 0,
  trimmed: 0,
  denialsPruned: 0,
  residuePruned: 0,
  bridged: 0,
  repaired: 0,
  charsSaved: 0,
};

/** A rewritten history with what was done; entries that did not change are the ones that were given. */
export interface Rewritten {
  entries: readonly Entry[];
  done: Partial<RewriteReport>;
}

/** One rewrite of a history. Pure: entries are never mutated; applied to its own outcome it changes nothing. */
export type Pass = (entries: readonly Entry[]) => Rewritten;

/** Applies passes one after another and adds their reports up. */
export function applyPasses(
  entries: readonly Entry[],
  passes: readonly Pass[],
): { entries: readonly Entry[]; report: RewriteReport } {
  const report = { ...NOTHING_DONE };
  let history = entries;
  for (const pass of passes) {
    const { entries: next, done } = pass(history);
    history = next;
    for (const [name, count] of Object.entries(done)) report[name as keyof RewriteReport] += count;
  }
  return { entries: history, report };
}

/** All but the newest `keep` of a list. */
export function allButNewest<T>(list: readonly T[], keep: number): readonly T[] {
  return list.slice(0, Math.max(0, list.length - keep));
}
