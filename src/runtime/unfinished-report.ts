import { salvage } from "../context/report.ts";
import { transcriptText } from "../context/transcript-text.ts";
import type { Entry } from "../context/transcript.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** What stands in place of a report, or over it: why, what the subagent's transcript holds, and where all of it is. */
export function unfinishedReport(
  head: string,
  thread: readonly Entry[],
  workbench: Workbench | undefined,
): string {
  return [head, salvage(thread), ...transcriptLine(thread, workbench)].join("\n\n");
}

/** Where a transcript can be read as a whole; empty when there is none, or it cannot be kept. */
export function transcriptLine(thread: readonly Entry[], workbench: Workbench | undefined): string[] {
  const path = thread.length === 0 ? undefined : workbench?.spill(transcriptText(thread))?.path;
  return path === undefined ? [] : [`Its transcript: ${path}`];
}
