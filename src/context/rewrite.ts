import {
  blocksOf,
  exchangesOf,
  relink,
  removeCalls,
  replaceResults,
  resultText,
  type Entry,
} from "./transcript.ts";

/** Glance results that stay; denials that stay are the caller's option. */
const KEEP_GLANCES = 6;
/** Large results that stay whole, and what counts as large, characters. */
const KEEP_LARGE = 20;
const LARGE_CHARS = 2_000;

/** The harness's words in a result that an interruption left behind (0.3.332). */
const INTERRUPTED =
  /^\[?(?:Tool call interrupted|Request interrupted)|doesn't want to (?:proceed|take this action)/i;

/** What is rewritten. */
export interface RewriteOptions {
  /** What stands where a result was, in the language of the documents. */
  notes: { stale(command: string, rounds: number): string; interrupted: string };
  /** Expire results of these commands; absent = off. */
  isGlance?: (command: string) => boolean;
  /** Trim large results into a pointer; absent = off. */
  spill?: (text: string) => string | undefined;
  /** Denied calls that stay: one keeps it from repeating itself, more teach it helplessness. Default 1. */
  keepDenials?: number;
}

/** What was done. */
export interface RewriteReport {
  expired: number;
  trimmed: number;
  denialsPruned: number;
  residuePruned: number;
  charsSaved: number;
}

type Pass = (entries: readonly Entry[], report: RewriteReport) => readonly Entry[];

/** Rewrites a history: prune denials, prune residue, expire, trim, in this order; a second time changes nothing. */
export function rewriteTranscript(
  entries: readonly Entry[],
  options: RewriteOptions,
): { entries: readonly Entry[]; report: RewriteReport } {
  const report: RewriteReport = { expired: 0, trimmed: 0, denialsPruned: 0, residuePruned: 0, charsSaved: 0 };
  const passes: Pass[] = [
    pruneDenials(options.keepDenials ?? 1),
    pruneResidue(options.notes.interrupted),
    ...(options.isGlance === undefined
      ? []
      : [expire(options.isGlance, options.notes.stale, options.spill !== undefined)]),
    ...(options.spill === undefined ? [] : [trim(options.spill)]),
  ];
  return { entries: passes.reduce((history, pass) => pass(history, report), entries), report };
}

/** {@link rewriteTranscript} as passes for `rewriting(store, passes)`. */
export function rewritePasses(
  options: RewriteOptions,
): Array<(entries: readonly Entry[]) => readonly Entry[]> {
  return [(entries) => rewriteTranscript(entries, options).entries];
}

/** Denied calls go, call and result together, but the newest few; recognised by the harness's mark, never by wording. */
function pruneDenials(keep: number): Pass {
  return (entries, report) => {
    const denied = entries.flatMap((entry) =>
      entry["toolDenialKind"] === "permission-rule" && entry["holdsPersonsWords"] !== true
        ? blocksOf(entry).flatMap((block) =>
            block.type === "tool_result" ? [String(block["tool_use_id"])] : [],
          )
        : [],
    );
    const gone = new Set(keep > 0 ? denied.slice(0, -keep) : denied);
    report.denialsPruned += gone.size;
    return removeCalls(entries, gone);
  };
}

/** Synthetic API errors go; results that an interruption left behind become a neutral note. */
function pruneResidue(note: string): Pass {
  return (entries, report) => {
    const living = relink(
      entries,
      entries.map((entry) =>
        entry.type === "assistant" && entry["isApiErrorMessage"] === true ? undefined : entry,
      ),
    );
    report.residuePruned += entries.length - living.length;
    const notes = new Map<string, string>();
    for (const { id, result } of exchangesOf(living)) {
      const text = result === undefined ? undefined : resultText(result);
      if (text !== undefined && text !== note && result?.["is_error"] === true && INTERRUPTED.test(text))
        notes.set(id, note);
    }
    report.residuePruned += notes.size;
    return replaceResults(living, notes);
  };
}

/** Results of glance commands go stale; the newest few stay. With trim on, large ones are left to trim. */
function expire(
  isGlance: (command: string) => boolean,
  staleNote: RewriteOptions["notes"]["stale"],
  leaveLarge: boolean,
): Pass {
  return (entries, report) => {
    const glances = exchangesOf(entries).filter(
      ({ name, input, result }) =>
        name === "Bash" &&
        result !== undefined &&
        typeof input["command"] === "string" &&
        isGlance(input["command"]),
    );
    const rounds = roundsOf(entries);
    const notes = new Map<string, string>();
    for (const { id, input, result, callAt } of glances.slice(0, -KEEP_GLANCES)) {
      const text = result === undefined ? undefined : resultText(result);
      if (text === undefined || (leaveLarge && text.length >= LARGE_CHARS) || isStale(text)) continue;
      const note = staleNote(String(input["command"]), (rounds.at(-1) ?? 0) - (rounds[callAt] ?? 0));
      if (note.length >= text.length) continue;
      notes.set(id, note);
      report.charsSaved += text.length - note.length;
    }
    report.expired += notes.size;
    return replaceResults(entries, notes);
  };
}

/** A note of an earlier rewrite starts with the command in brackets and backquotes, in every language. */
function isStale(text: string): boolean {
  return /^\[(?:[\w ]*)`[^`]*`.*\]$/s.test(text);
}

/** Old large text results become pointers; the newest stay whole. */
function trim(spill: (text: string) => string | undefined): Pass {
  return (entries, report) => {
    const large = exchangesOf(entries).flatMap(({ id, result }) => {
      const text = result === undefined ? undefined : resultText(result);
      return text !== undefined && text.length >= LARGE_CHARS ? [{ id, text }] : [];
    });
    const pointers = new Map<string, string>();
    for (const { id, text } of large.slice(0, -KEEP_LARGE)) {
      const pointer = spill(text);
      if (pointer === undefined) continue;
      pointers.set(id, pointer);
      report.charsSaved += text.length - pointer.length;
    }
    report.trimmed += pointers.size;
    return replaceResults(entries, pointers);
  };
}

/** Number of the model's turn at each entry: entries of one message share it. */
function roundsOf(entries: readonly Entry[]): number[] {
  let round = 0;
  let last: unknown;
  return entries.map((entry) => {
    if (entry.type === "assistant") {
      const id = (entry["message"] as { id?: unknown } | undefined)?.id;
      if (id !== last) round += 1;
      last = id;
    }
    return round;
  });
}
