import { isGlance } from "../context/glance.ts";
import type { RewritePlan } from "../context/policies.ts";
import { rewriteWhenItPays, type CacheTtl } from "../context/rewrite-when.ts";
import type { RewriteReport } from "../context/rewrite.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";
import { notesIn, rewriting } from "../store/rewriting.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { ResolvedOptions } from "./options.ts";
import { withLostReports } from "./lost-reports.ts";
import type { RewriteBook, ServedBy } from "./rewrite-book.ts";

/** How the sessions of a run are loaded. */
export interface ResumeParts {
  options: Pick<ResolvedOptions, "expire" | "trim" | "keepDenials" | "locale">;
  /** Keeps what is taken out; without one nothing is trimmed. */
  workbench: Workbench | undefined;
  book: RewriteBook;
  /** Hears what was done to the history of a main thread, in one line; nothing when nothing was. */
  say: (message: string) => void;
}

/** What is particular about one session. */
export interface ResumedSession {
  /** For how long the API keeps the main thread's prompts; those of subagents stay five minutes (0.3.332). */
  ttl: CacheTtl;
  /** Who answers the main thread; for whom subagents are served is not known before they are. */
  servedBy: ServedBy;
  /** Uuid of the message that the main thread goes on from. Default: the newest. */
  resumeAt?: string;
  /** What is done to a history that does not fit otherwise. Its cache is lost in any case. */
  shrink?: (entries: readonly TranscriptEntry[]) => readonly TranscriptEntry[];
}

/** A store whose histories are rewritten when they are loaded, as far as that pays. */
export function resumedHistory(
  store: SessionStore,
  { options, workbench, book, say }: ResumeParts,
  { ttl, servedBy, resumeAt, shrink }: ResumedSession,
): SessionStore {
  const plan: RewritePlan = {
    prune: { keep: options.keepDenials },
    ...(options.expire ? { expire: { isGlance } } : {}),
    ...(options.trim ? { trim: { spill: (text) => workbench?.spillPointer(text) } } : {}),
  };
  const notes = notesIn(options.locale);
  const rewrite = async (
    entries: readonly TranscriptEntry[],
    key: SessionKey,
  ): Promise<readonly TranscriptEntry[]> => {
    const isMain = key.subpath === undefined;
    const isCold = shrink !== undefined || (isMain && book.servedElsewhere(key, servedBy));
    const nowMs = isCold ? Infinity : Date.now();
    const loaded = rewriteWhenItPays(entries, plan, notes, {
      nowMs,
      ttl: isMain ? ttl : "5m",
      horizon: book.horizon(key),
      ...(isMain && resumeAt !== undefined ? { leaf: resumeAt } : {}),
    });
    if (loaded.horizon !== undefined) book.rewritten(key, loaded.horizon);
    if (isMain) book.served(key, servedBy);
    const message = rewriteMessage(loaded.report, loaded.postponedChars);
    if (isMain && message !== undefined) say(message);
    if (!isMain) return loaded.entries;
    return withLostReports(loaded.entries, {
      store,
      key,
      originals: entries,
      note: notes.interrupted,
      workbench,
    });
  };
  return {
    ...rewriting(store, shrink === undefined ? [rewrite] : [rewrite, shrink]),
    append: async (key, entries) => {
      // A new session is never loaded.
      if (key.subpath === undefined) book.served(key, servedBy);
      await store.append(key, entries);
    },
  };
}

/**
 * What a rewrite did, in one line; undefined when that is nothing.
 * @param postponedChars what it could have saved but for the API's cache, characters.
 */
export function rewriteMessage(report: RewriteReport, postponedChars: number): string | undefined {
  const { expired, trimmed, denialsPruned, residuePruned, bridged, repaired, charsSaved } = report;
  const parts = [
    counted(expired, "old look", "old looks", "expired"),
    counted(trimmed, "long result", "long results", "trimmed"),
    counted(denialsPruned, "refused call", "refused calls", "removed"),
    counted(residuePruned, "leftover of an error", "leftovers of errors", "removed"),
    counted(bridged, "lost parent", "lost parents", "bridged"),
    counted(repaired, "open call", "open calls", "closed"),
  ].filter((part) => part !== "");
  const done =
    parts.length === 0
      ? undefined
      : `the history was rewritten for this resume: ${parts.join(", ")}; ${Math.max(0, charsSaved)} characters less`;
  const left =
    postponedChars === 0
      ? undefined
      : `${postponedChars} characters of old results stay for now: the API has this history in its cache`;
  return done === undefined ? left : left === undefined ? done : `${done}; ${left}`;
}

const counted = (count: number, one: string, several: string, done: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : several} ${done}`;
