import { errorText } from "../core/errors.ts";
import { setAside } from "../core/files.ts";
import { timestampName } from "../core/ids.ts";
import type { Locale } from "../core/locale.ts";
import { Handoff, successorPrompt } from "../documents/handoff.ts";
import {
  handoffArchiveFolder,
  handoffFileCandidates,
  handoffFileName,
  stepFileStem,
} from "../documents/names.ts";
import type { Workbench } from "../workbench/workbench.ts";

/**
 * Freezes a handoff document and archives the one before it. The run goes on without a file too: `notice` hears what
 * cannot be moved or written.
 * @returns the path; null without a workbench, and when it cannot be written.
 */
export function freezeHandoff(
  workbench: Workbench | undefined,
  { step, locale, text }: { step: string; locale: Locale; text: string },
  notice: (message: string) => void,
): string | null {
  if (workbench === undefined) return null;
  try {
    archiveEarlier(workbench, step, locale, notice);
    return workbench.freezeDocument(handoffFileName(step, locale), text);
  } catch (error) {
    notice(`${errorText(error)}; the handoff is passed on without a file`);
    return null;
  }
}

/** One that cannot be archived stays beside: a successor must never read it for its own. */
function archiveEarlier(
  workbench: Workbench,
  step: string,
  locale: Locale,
  notice: (message: string) => void,
): void {
  const earlier = workbench.readDocument(handoffFileCandidates(step));
  if (earlier === undefined) return;
  const name = `${stepFileStem(step, locale)}-${timestampName(new Date())}.md`;
  try {
    workbench.archive(earlier.path, handoffArchiveFolder(locale), name);
  } catch (error) {
    notice(`${errorText(error)}; the handoff before is kept as ${setAside(earlier.path)}`);
  }
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
