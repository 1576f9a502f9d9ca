/** A substitution as `sed` and awk know it. */
export interface Substitution {
  readonly pattern: string;
  readonly replacement: string;
  /** All matches are replaced, not one. */
  readonly everywhere: boolean;
}

/** How many times as long texts may become in a glance: what doubles forty times would fill the disk. */
export const MAX_GROWTH = 10_000;

/** Patterns of which each character matches one. */
const PLAIN = /^[\w .,:/-]+$/;

/** How many times as long a text may become by a substitution, apart from what is added to it once. */
export function growth({ pattern, replacement, everywhere }: Substitution): number {
  const copies = (replacement.match(/(?<!\\)&|\\\d/g) ?? []).length;
  if (!everywhere) return Math.max(1, copies);
  const matched = PLAIN.test(pattern) ? pattern.length : undefined;
  return matched === undefined
    ? Math.max(1, copies) + replacement.length
    : Math.max(1, copies + replacement.length / matched);
}
