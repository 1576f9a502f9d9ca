import type { Leaf } from "./live-branch.ts";
import { Draft } from "./rewrite-draft.ts";
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
export interface Pass {
  (entries: readonly Entry[]): Rewritten;
  /** The same on a draft that several passes share. */
  readonly edit: Edit;
}

/** Changes a draft and says what it did. */
export type Edit = (draft: Draft) => Partial<RewriteReport>;

/** An edit as a pass that can stand alone. */
export function passOf(edit: Edit): Pass {
  const alone = (entries: readonly Entry[]): Rewritten => {
    const draft = new Draft(entries);
    const done = edit(draft);
    return { entries: draft.entries(), done };
  };
  return Object.assign(alone, { edit });
}

/**
 * Applies passes one after another and adds their reports up.
 * @param leaf where the conversation goes on; undefined = from the newest entry.
 */
export function applyPasses(
  entries: readonly Entry[],
  passes: readonly Pass[],
  leaf?: Leaf,
): { entries: readonly Entry[]; report: RewriteReport } {
  const report = { ...NOTHING_DONE };
  const draft = new Draft(entries, leaf);
  for (const { edit } of passes)
    for (const [name, count] of Object.entries(edit(draft))) report[name as keyof RewriteReport] += count;
  return { entries: draft.entries(), report };
}

/** All but the newest `keep` of a list. */
export function allButNewest<T>(list: readonly T[], keep: number): readonly T[] {
  return list.slice(0, Math.max(0, list.length - keep));
}
