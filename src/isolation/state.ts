/** What a worktree holds, against its start and the workspace. */
export interface WorktreeState {
  /** Git lists it. */
  listed: boolean;
  /** It is listed and its directory is there. */
  present: boolean;
  /** Where its HEAD stands now, short; undefined when on no branch. */
  onBranch: string | undefined;
  /** Commits that neither its start nor the workspace's HEAD has. */
  commits: number;
  /** Files that differ from its start, committed or not. */
  changedFiles: number;
  /** Of those, or beside them: changed or new since the last commit; what git ignores does not count, nor {@link repositories}. */
  uncommittedFiles: number;
  /** Branches of its own with commits that neither its HEAD nor the workspace's has, short. */
  otherBranches: readonly string[];
  /** Repositories of their own in it, relative to it: `ownRepositories`. */
  repositories: readonly string[];
  /** Files that an ignore file hides which is not in the repository, relative to it. */
  hiddenFiles: readonly string[];
  /** Files and directories that the project or the person ignores, relative to it; they do not count. */
  ignored: readonly string[];
}

/** Files in the NUL-separated output of `git status --porcelain -z --no-renames`, without their two letters. */
export function statusPaths(text: string): string[] {
  return text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));
}

/** Nothing in it that is not in the workspace too: it may go. */
export function holdsNothing(state: WorktreeState): boolean {
  const { commits, uncommittedFiles, repositories, hiddenFiles } = state;
  return commits === 0 && uncommittedFiles === 0 && repositories.length === 0 && hiddenFiles.length === 0;
}
