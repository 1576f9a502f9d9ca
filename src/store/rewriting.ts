import { rewriteTranscript, type RewriteNotes, type RewriteReport } from "../context/rewrite.ts";
import type { RewritePlan } from "../context/policies.ts";
import type { Locale } from "../core/locale.ts";
import { interruptedNote, staleNote } from "../documents/wording.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";

/** One rewrite of a history on its way into a session: returns new entries and leaves the given ones alone. */
export type RewritePass = (
  entries: readonly TranscriptEntry[],
  key: SessionKey,
) => readonly TranscriptEntry[] | Promise<readonly TranscriptEntry[]>;

/** Settings of {@link rewriting}. */
export interface RewritingOptions {
  /** Language of the notes that stand where results were. Default `en`. */
  locale?: Locale;
  /** Hears of each load what the policies did to it. Default: nobody. */
  onReport?: (report: RewriteReport, key: SessionKey) => void;
}

/**
 * A store whose `load` returns a rewritten copy; what is stored never changes. The policies act in a fixed order
 * however they are listed (calls and parents are mended, then prune, expire, trim), after them the functions in order.
 * @param passes e.g. `[expire(), trim(), prune()]`, or functions of one's own.
 */
export function rewriting(
  store: SessionStore,
  passes: ReadonlyArray<RewritePass | RewritePlan>,
  { locale = "en", onReport }: RewritingOptions = {},
): SessionStore {
  const plans = passes.filter((pass) => typeof pass !== "function");
  const functions = passes.filter((pass) => typeof pass === "function");
  const byPlan = (entries: readonly TranscriptEntry[], key: SessionKey): readonly TranscriptEntry[] => {
    if (plans.length === 0) return entries;
    const rewritten = rewriteTranscript(entries, merge(plans), notesIn(locale));
    onReport?.(rewritten.report, key);
    return rewritten.entries;
  };
  return {
    append: async (key, entries) => store.append(key, entries),
    async load(key) {
      const entries = await store.load(key);
      if (entries === null) return null;
      let history = byPlan(entries, key);
      for (const pass of functions) history = await pass(history, key);
      return [...history];
    },
    listSessions: async (projectKey) => store.listSessions(projectKey),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}

/**
 * What {@link rewriting} with these policies does to a history: results expired and trimmed, denials and residue pruned,
 * parents bridged, calls mended, characters saved. Nothing is changed.
 */
export function rewriteReport(
  entries: readonly TranscriptEntry[],
  plans: readonly RewritePlan[],
  { locale = "en" }: Pick<RewritingOptions, "locale"> = {},
): RewriteReport {
  return rewriteTranscript(entries, merge(plans), notesIn(locale)).report;
}

/** The notes of a language. */
export function notesIn(locale: Locale): RewriteNotes {
  return {
    stale: (command, rounds) => staleNote(command, rounds, locale),
    interrupted: interruptedNote(locale),
  };
}

const merge = (plans: readonly RewritePlan[]): RewritePlan => Object.assign({}, ...plans) as RewritePlan;
