import type { PrunePolicy } from "./policies.ts";
import { allButNewest, type Pass } from "./rewrite-pass.ts";
import { charsOf } from "./spill-text.ts";
import { relink, removeCalls, replaceResults } from "./transcript-edit.ts";
import { blocksOf, exchangesOf, isRecord, mayRewrite, type Answer, type Entry } from "./transcript.ts";

/**
 * Denied calls go, call and result together. They are known by the harness's mark and never by wording; what holds a
 * person's words stays.
 */
export function pruneDenials({ keep = 1 }: PrunePolicy = {}): Pass {
  return (entries) => {
    const denied = exchangesOf(entries).flatMap(({ id, input, answer }) =>
      answer?.denial === "permission-rule" && mayRewrite(answer.entry)
        ? [{ id, chars: charsOf(input) + charsOf(answer.block["content"]) }]
        : [],
    );
    const gone = allButNewest(denied, keep);
    return {
      entries: removeCalls(entries, new Set(gone.map(({ id }) => id))),
      done: { denialsPruned: gone.length, charsSaved: gone.reduce((sum, { chars }) => sum + chars, 0) },
    };
  };
}

/** Errors of the API go; results that an interruption left behind become `note`, and their calls stay. */
export function pruneResidue(note: string): Pass {
  return (entries) => {
    const errors = entries.filter(isApiError);
    const living =
      errors.length === 0
        ? entries
        : relink(
            entries,
            entries.map((entry) => (isApiError(entry) ? undefined : entry)),
          );
    const notes = new Map<string, string>();
    let charsSaved = errors.reduce((sum, error) => sum + charsOf(blocksOf(error)), 0);
    for (const { id, answer } of exchangesOf(living)) {
      if (answer?.text === undefined || answer.text === note || !isInterrupted(answer)) continue;
      notes.set(id, note);
      charsSaved += answer.text.length - note.length;
    }
    return {
      entries: replaceResults(living, notes),
      done: { residuePruned: errors.length + notes.size, charsSaved },
    };
  };
}

/** The harness writes an error of the API as a message of a model of its own (0.3.332). */
function isApiError(entry: Entry): boolean {
  if (entry.type !== "assistant") return false;
  if (entry["isApiErrorMessage"] === true) return true;
  const message = entry["message"];
  return isRecord(message) && message["model"] === "<synthetic>" && entry["error"] !== undefined;
}

/** How results of an interruption begin that carry no mark. */
const INTERRUPTED =
  /^(?:\[Tool call interrupted|\[Request interrupted|The user doesn't want to (?:proceed with this tool use|take this action))/;

/**
 * The marks of 0.3.332: `interrupted` on what a resume fills in after a kill, `user-rejected` on what an interrupt ends;
 * the latter also on a hook's question that nobody answered, which has a decision beside it.
 */
function isInterrupted({ entry, block, text, denial }: Answer): boolean {
  if (block["is_error"] !== true || !mayRewrite(entry)) return false;
  switch (denial) {
    case "interrupted":
      return true;
    case "user-rejected":
      return entry["permissionDecision"] === undefined;
    case undefined:
      return text !== undefined && INTERRUPTED.test(text);
    default:
      return false;
  }
}
