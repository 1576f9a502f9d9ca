import type { Entry } from "../context/transcript.ts";

/** What a request brings: prompts and results, and the context that hooks add (0.3.332). */
const BROUGHT: ReadonlySet<string> = new Set(["user", "attachment"]);

/**
 * How often a text stands, as a whole, in what was brought to a thread since a moment; the same words may stand in what
 * is older. A text that is redacted in the transcript has to be redacted here as well.
 * @param sinceMs epoch ms, by this machine's clock, which the harness dates its entries with (0.3.332).
 */
export function timesBrought(entries: readonly Entry[], text: string, sinceMs: number): number {
  const escaped = JSON.stringify(text).slice(1, -1);
  return entries
    .filter(({ type, timestamp }) => BROUGHT.has(type) && Date.parse(String(timestamp)) >= sinceMs)
    .reduce((times, entry) => times + JSON.stringify(entry).split(escaped).length - 1, 0);
}
