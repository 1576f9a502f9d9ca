import type { Worktree } from "./names.ts";

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
  /** Of those, or beside them: changed or new since the last commit; what git ignores does not count. */
  uncommittedFiles: number;
}

/** Files in the NUL-separated output of `git status --porcelain -z --no-renames`, without their two letters. */
export function statusPaths(text: string): string[] {
  return text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));
}

/** Nothing in it that is not in the workspace too: it may go. */
export function holdsNothing({ commits, uncommittedFiles }: WorktreeState): boolean {
  return commits === 0 && uncommittedFiles === 0;
}

/** One line about what is kept, e.g. `3 files changed, 2 commits`. */
export function countsLine({
  changedFiles,
  commits,
}: Pick<WorktreeState, "changedFiles" | "commits">): string {
  const files = `${changedFiles} ${changedFiles === 1 ? "file" : "files"} changed`;
  return `${files}, ${commits} ${commits === 1 ? "commit" : "commits"}`;
}

/** Who can take a branch over: names of the agents that work in the workspace itself. */
export interface Takers {
  workspace: string;
  agents: readonly string[];
}

/** What the coordinator reads about work that lies in a worktree: where it is and how it gets into the workspace. */
export function takeOverText(tree: Worktree, state: WorktreeState, { workspace, agents }: Takers): string {
  const branch = state.onBranch ?? tree.branch;
  const left = state.uncommittedFiles;
  const detached =
    state.present && state.onBranch === undefined
      ? ` Its HEAD is on no branch: \`git -C ${quote(tree.path)} log\` shows it.`
      : "";
  const commit =
    left === 0
      ? ""
      : ` ${left} of its files ${left === 1 ? "is" : "are"} not committed: commit first, ` +
        `\`git -C ${quote(tree.path)} add -A && git -C ${quote(tree.path)} commit -m "…"\`.`;
  const who =
    agents.length === 0
      ? "No agent here works in the workspace itself: name the branch in your last message, so that the person takes it over."
      : `To take it over, send ${agents.map((name) => `\`${name}\``).join(" or ")} to run \`git merge ${branch}\` in ${workspace}, and to check the result there.`;
  return (
    `Branch ${branch} (worktree ${tree.path}): ${countsLine(state)} since ${tree.base.slice(0, 10)}. ` +
    `None of it is in the workspace yet.${detached}${commit} ${who}`
  );
}

/** What an isolated worker reads before its task. */
export function ownWorktreeText(
  { path, branch, base }: Worktree,
  { workspace, workbench }: { workspace: string; workbench: string | undefined },
): string {
  return [
    `You work in a git worktree of your own: ${path}, on branch ${branch}, made from commit ${base.slice(0, 10)}. Commands start there.`,
    `A path below ${workspace} in your task means the same file below ${path}. The workspace itself is read only for you; what is not committed there, and what git ignores (installed packages, build output), is not in your worktree.`,
    `Commit what you finish, on this branch: your changes stay on it until somebody merges it. Branches, tags, index and stash of the workspace are not yours.`,
    ...(workbench === undefined ? [] : [`The workbench ${workbench} is shared with the others.`]),
    "Name the branch in your report.",
  ].join("\n");
}

/** For a shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
