import type { PrunePolicy } from "./policies.ts";
import { allButNewest, passOf, type Pass } from "./rewrite-pass.ts";
import { charsOf } from "./spill-text.ts";
import { blocksOf, isApiError, mayRewrite, type Answer } from "./transcript.ts";

/**
 * Denied calls go, call and result together. They are known by the harness's mark and never by wording; what holds a
 * person's words stays.
 */
export function pruneDenials({ keep = 1 }: PrunePolicy = {}): Pass {
  return passOf((draft) => {
    const denied = draft.calls.flatMap((call) => {
      const { id, input, answer } = call;
      if (answer?.denial !== "permission-rule" || !mayRewrite(answer.entry)) return [];
      if (draft.roundsAgo(call) === undefined) return [];
      return [{ id, chars: charsOf(input) + charsOf(answer.block["content"]) }];
    });
    const gone = allButNewest(denied, keep);
    draft.removeCalls(new Set(gone.map(({ id }) => id)));
    return { denialsPruned: gone.length, charsSaved: gone.reduce((sum, { chars }) => sum + chars, 0) };
  });
}

/** Errors of the API go; results that an interruption left behind become `note`, and their calls stay. */
export function pruneResidue(note: string): Pass {
  return passOf((draft) => {
    const errors = new Set<number>();
    const notes = new Map<string, string>();
    let charsSaved = 0;
    draft.places.forEach((entry, at) => {
      if (entry === undefined || !isApiError(entry)) return;
      errors.add(at);
      charsSaved += charsOf(blocksOf(entry));
    });
    draft.drop(errors);
    for (const { id, answer } of draft.calls) {
      if (answer?.text === undefined || answer.text === note || !isInterrupted(answer)) continue;
      notes.set(id, note);
      charsSaved += answer.text.length - note.length;
    }
    draft.replaceResults(notes);
    return { residuePruned: errors.size + notes.size, charsSaved };
  });
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
