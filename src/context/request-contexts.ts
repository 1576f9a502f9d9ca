import type { Entry } from "./transcript.ts";

/** What a session started with, tokens: what its first request read. Undefined when no reply came. */
export const firstContextOf = (main: readonly Entry[]): number | undefined => contextsOf(main)[0];

/** What its last request that was answered read, tokens. */
export const lastContextOf = (main: readonly Entry[]): number | undefined => contextsOf(main).at(-1);

/** What each answered request read, by the transcript's usage figures (0.3.332). */
function contextsOf(main: readonly Entry[]): number[] {
  return main.flatMap((entry) => {
    if (entry.type !== "assistant" || entry["isApiErrorMessage"] === true) return [];
    const { usage = {} } = (entry["message"] ?? {}) as { usage?: Record<string, unknown> };
    const tokens = READ.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0);
    return tokens > 0 ? [tokens] : [];
  });
}

const READ = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
