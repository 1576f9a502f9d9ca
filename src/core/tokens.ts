/** Token figures of one request or a sum of them. */
export interface TokenCounts {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** A sum of nothing. */
export const NO_TOKENS: TokenCounts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Figure by figure. */
export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

/** Figure by figure; may be negative. */
export function subtractTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input - b.input,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    output: a.output - b.output,
  };
}

/** Tokens of a main thread and of its subagents, apart. */
export interface SplitTokens {
  main: TokenCounts;
  subagents: TokenCounts;
}

/** Both parts added up. */
export function addSplit(one: SplitTokens, other: SplitTokens): SplitTokens {
  return {
    main: addTokens(one.main, other.main),
    subagents: addTokens(one.subagents, other.subagents),
  };
}
