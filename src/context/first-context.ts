import type { Entry } from "./transcript.ts";

/**
 * What a session started with, tokens: what its first request read, by its transcript (0.3.332). Undefined when no reply
 * came.
 */
export function firstContext(main: readonly Entry[]): number | undefined {
  for (const entry of main) {
    const usage = entry.type === "assistant" ? usageOf(entry) : undefined;
    if (usage === undefined || entry["isApiErrorMessage"] === true) continue;
    const read = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    const tokens = read.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0);
    if (tokens > 0) return tokens;
  }
  return undefined;
}

function usageOf(entry: Entry): Record<string, unknown> | undefined {
  const message = entry["message"] as { usage?: Record<string, unknown> } | undefined;
  return message?.usage;
}
