import { timestampName } from "../core/ids.ts";
import type { Locale } from "../core/locale.ts";
import { successorPrompt } from "../documents/handoff.ts";
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

/** The successor's prompt when an earlier run ended between a frozen handoff and its successor. */
export function frozenSuccessorPrompt(workbench: Workbench | undefined, step: string): string | undefined {
  const found = workbench?.readDocument(handoffFileCandidates(step));
  return found === undefined ? undefined : successorPrompt(found.text);
}
