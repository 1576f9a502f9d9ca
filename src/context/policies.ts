/** How results of glance commands go stale. */
export interface ExpirePolicy {
  /** Newest glance results that stay. Default 6. */
  keep?: number;
  /** Which shell commands only look, so that running them again is free. Default `isGlance`. */
  isGlance?: (command: string) => boolean;
}

/** How old large results are replaced. */
export interface TrimPolicy {
  /** Newest large results that stay whole. Default 20. */
  keep?: number;
  /** Length from which a text result is large, characters. Default 2,000. */
  minChars?: number;
  /**
   * Keeps a text and returns the pointer that names its place; undefined = not kept, then the result stays. Default: a
   * line that says how much was there; the store still has it.
   */
  spill?: (text: string) => string | undefined;
}

/** How many denied calls stay; errors of the API and what interruptions left go in any case. */
export interface PrunePolicy {
  /** Newest denied calls that stay: one keeps the model from repeating itself, more teach it helplessness. Default 1. */
  keep?: number;
}

/** Which rewrites a history gets; one that is absent is left out. */
export interface RewritePlan {
  expire?: ExpirePolicy;
  trim?: TrimPolicy;
  prune?: PrunePolicy;
}

/** Results of glance commands become a note, but the newest. For `rewriting(store, [expire(), trim(), prune()])`. */
export const expire = (policy: ExpirePolicy = {}): RewritePlan => ({ expire: policy });

/** Old large text results become pointers. For `rewriting(store, [expire(), trim(), prune()])`. */
export const trim = (policy: TrimPolicy = {}): RewritePlan => ({ trim: policy });

/** Denied calls, errors of the API and what interruptions left go. For `rewriting(store, [expire(), trim(), prune()])`. */
export const prune = (policy: PrunePolicy = {}): RewritePlan => ({ prune: policy });
