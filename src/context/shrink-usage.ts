import { charsOf } from "./spill-text.ts";
import { isRecord, type Entry } from "./transcript.ts";

/**
 * Lowers the usage that each entry of `after` carries, in the proportion in which the history before it became shorter
 * than it was in `before`. Both lists hold the same entries in the same order, undefined where one went. What lies
 * before a compaction was in no later request and does not count.
 */
export function shrinkUsage(
  before: readonly Entry[],
  after: ReadonlyArray<Entry | undefined>,
): ReadonlyArray<Entry | undefined> {
  let wasChars = 0;
  let isChars = 0;
  return after.map((entry, i) => {
    const original = before[i] ?? entry;
    const ratio = wasChars === 0 ? 1 : isChars / wasChars;
    if (entry?.["subtype"] === "compact_boundary") wasChars = isChars = 0;
    const chars = original === undefined ? 0 : charsOf(contentOf(original));
    wasChars += chars;
    if (entry === undefined) return undefined;
    isChars += entry === original ? chars : charsOf(contentOf(entry));
    return ratio === 1 ? entry : withUsage(entry, ratio);
  });
}

function withUsage(entry: Entry, ratio: number): Entry {
  const message = entry["message"];
  if (!isRecord(message) || !isRecord(message["usage"])) return entry;
  return { ...entry, message: { ...message, usage: scaleInput(message["usage"], ratio) } };
}

/** Scales every figure of input tokens (`input_tokens`, `cache_read_input_tokens` …), also in objects within. */
function scaleInput(usage: Record<string, unknown>, ratio: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      if (isRecord(value)) return [name, scaleInput(value, ratio)];
      const isInput = typeof value === "number" && name.endsWith("input_tokens");
      return [name, isInput ? Math.ceil(value * ratio) : value];
    }),
  );
}

function contentOf(entry: Entry): unknown {
  const message = entry["message"];
  return isRecord(message) ? message["content"] : undefined;
}
