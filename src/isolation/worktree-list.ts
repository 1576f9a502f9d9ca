/** One worktree as git lists it. */
export interface ListedWorktree {
  path: string;
  head: string | undefined;
  /** Short name; undefined when its HEAD is on no branch. */
  branch: string | undefined;
  /** Somebody locked it: git does not remove it. */
  locked: boolean;
  /** Its directory is gone. */
  prunable: boolean;
}

/** Reads `git worktree list --porcelain`: blocks of lines, a keyword first, a blank line behind each. */
export function parseWorktreeList(text: string): ListedWorktree[] {
  return text
    .split(/\n\n+/)
    .map((block) => block.split("\n").filter((line) => line !== ""))
    .flatMap((lines) => {
      const valueOf = (word: string): string | undefined =>
        lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
      const has = (word: string): boolean =>
        lines.some((line) => line === word || line.startsWith(`${word} `));
      const path = valueOf("worktree");
      if (path === undefined) return [];
      return [
        {
          path,
          head: valueOf("HEAD"),
          branch: valueOf("branch")?.replace(/^refs\/heads\//, ""),
          locked: has("locked"),
          prunable: has("prunable"),
        },
      ];
    });
}
