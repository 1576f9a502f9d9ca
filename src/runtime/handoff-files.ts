import { timestampName } from "../core/ids.ts";
import type { Locale } from "../core/locale.ts";
import { Handoff, successorPrompt } from "../documents/handoff.ts";
import { handoffArchiveFolder, handoffFileCandidates, handoffFileName } from "../documents/names.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** Freezes a handoff document and archives the one before it; the path, or null without a workbench. */
export function freezeHandoff(
  workbench: Workbench | undefined,
  locale: Locale,
  step: string,
  text: string,
): string | null {
  if (workbench === undefined) return null;
  const earlier = workbench.readDocument(handoffFileCandidates(step));
  if (earlier !== undefined)
    workbench.archive(earlier.path, handoffArchiveFolder(locale), `${step}-${timestampName(new Date())}.md`);
  return workbench.freezeDocument(handoffFileName(step, locale), text);
}

/**
 * The successor's prompt when an earlier run ended between a frozen handoff and its successor. Nothing in the file, or no
 * file: undefined. `notice` hears what is odd about it: a person may have edited it meanwhile.
 */
export function frozenSuccessorPrompt(
  workbench: Workbench | undefined,
  step: string,
  notice: (message: string) => void,
): string | undefined {
  if (workbench === undefined) return undefined;
  const found = workbench.readDocument(handoffFileCandidates(step));
  if (found === undefined || found.text.trim() === "") {
    notice("the handoff document is gone or empty: the session writes it again");
    return undefined;
  }
  const missing = Handoff.parse(found.text, { step }).missing();
  if (missing.length > 0) notice(brokenEdit(missing));
  return successorPrompt(found.text);
}

/** What is said of an edit that took required sections away. */
export const brokenEdit = (missing: readonly string[]): string =>
  `the edited handoff has no text under ${missing.join(" and ")}; it is passed on as it is`;
