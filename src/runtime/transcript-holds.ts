import type { Entry } from "../context/transcript.ts";

/** Whether one of the entries holds a text, as a whole. */
export function transcriptHolds(entries: readonly Entry[], text: string): boolean {
  const escaped = JSON.stringify(text).slice(1, -1);
  return entries.some((entry) => JSON.stringify(entry).includes(escaped));
}
