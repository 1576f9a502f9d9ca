/**
 * How the names begin of what a run makes in the temp directory; by them the next run knows what it may remove.
 * `resume` is the SDK's own: the copy of a history that a resumed session works in (0.3.332).
 */
export const TEMP_PREFIXES = {
  resume: "claude-resume-",
  copy: "flower-copy-",
  tree: "flower-tree-",
  output: "flower-output-",
} as const;
