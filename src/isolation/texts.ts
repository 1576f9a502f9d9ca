import type { Worktree } from "./names.ts";
import { holdsNothing, type WorktreeState } from "./state.ts";

/** A worktree that stays. */
export interface KeptWorktree {
  /** Undefined when git cannot say what it holds. */
  state: WorktreeState | undefined;
  /** Why it could not be looked at or removed, in git's words. */
  problem?: string;
}

/** Who can take a branch over: names of the agents that work in the workspace itself. */
export interface Takers {
  workspace: string;
  agents: readonly string[];
}

/** One line for the person: what is kept, where, and how much it is. */
export function keptLine({ path, branch }: Worktree, { state, problem }: KeptWorktree): string {
  const why = problem === undefined ? "" : ` (${problem})`;
  const counts = state === undefined ? "nobody knows what it holds" : countsLine(state);
  return `branch ${state?.onBranch ?? branch} in ${path}: ${counts}${why}`;
}

/** Names that a sentence may hold. */
const MAX_NAMES = 5;

const namesOf = (paths: readonly string[]): string =>
  [
    ...paths.slice(0, MAX_NAMES),
    ...(paths.length > MAX_NAMES ? [`${paths.length - MAX_NAMES} more`] : []),
  ].join(", ");

/** What the coordinator reads about a worktree that is gone, with what git ignored in it. */
export function goneText(ignored: readonly string[] = []): string {
  return `Its worktree held no change and is gone: there is nothing to take over.${wentWithIt(ignored)}`;
}

/** What the person reads about a worktree that is gone because it was merged. */
export function mergedLine({ path }: Worktree, ignored: readonly string[] = []): string {
  return `worktree ${path} is removed: the workspace has all that it held.${wentWithIt(ignored)}`;
}

const wentWithIt = (ignored: readonly string[]): string =>
  ignored.length === 0 ? "" : ` What git ignores there went with it: ${namesOf(ignored)}.`;

/** What the coordinator reads about a worktree that stays: what lies there, and how it gets into the workspace. */
export function keptText(tree: Worktree, { state, problem = "" }: KeptWorktree, takers: Takers): string {
  const where = state?.present === false ? "" : ` (worktree ${tree.path})`;
  const branch = state?.onBranch ?? tree.branch;
  if (state === undefined)
    return `Branch ${branch}${where}: git cannot say what it holds (${problem}). Have somebody look there before it is counted on.`;
  if (holdsNothing(state))
    return `Branch ${branch}${where} holds no change, and git does not remove it: ${problem}`;
  return [
    `Branch ${branch}${where}: ${countsLine(state)} since ${short(tree.base)}. None of it is in the workspace yet.`,
    ...(state.present && state.onBranch === undefined
      ? [`Its HEAD is on no branch: \`git -C ${quote(tree.path)} log\` shows it.`]
      : []),
    ...(state.otherBranches.length === 0
      ? []
      : [`Commits that are not on it are kept on ${state.otherBranches.join(", ")}.`]),
    ...state.repositories.map((dir) => repositoryText(tree, dir)),
    ...(state.hiddenFiles.length === 0
      ? []
      : [
          `An ignore file that is not in the repository hides ${namesOf(state.hiddenFiles)}: \`git -C ${quote(tree.path)} add -f\` brings along what is wanted.`,
        ]),
    ...(state.uncommittedFiles === 0 ? [] : [uncommittedText(tree, state.uncommittedFiles)]),
    takeOverText(state, branch, takers),
  ].join(" ");
}

/** `git add` would put a bare pointer in its place, which the workspace cannot follow. */
function repositoryText({ path }: Worktree, dir: string): string {
  return `${dir} in it is a git repository of its own: a merge brings none of its commits along, at most a bare pointer to one. Before anything is committed or merged here, have somebody look there and move it out whole, \`mv ${quote(`${path}/${dir}`)} <where it is to stay>\`; the worktree stays for it.`;
}

function takeOverText(state: WorktreeState, branch: string, { agents, workspace }: Takers): string {
  if (agents.length === 0)
    return "No agent here works in the workspace itself: name the branch in your last message, so that the person takes it over.";
  const whom = agents.map((name) => `\`${name}\``).join(" or ");
  const { commits, uncommittedFiles, hiddenFiles } = state;
  return commits + uncommittedFiles + hiddenFiles.length === 0
    ? `There is nothing to merge: ${whom} can look there.`
    : `To take it over, send ${whom} to run \`git merge ${branch}\` in ${workspace} and to check the result there.`;
}

function uncommittedText({ path }: Worktree, files: number): string {
  const which = files === 1 ? "1 file is" : `${files} files are`;
  const there = `git -C ${quote(path)}`;
  return `${which} not committed: commit first, \`${there} add -A && ${there} commit -m "…"\`.`;
}

/** What an isolated worker reads before its task. */
export function ownWorktreeText(
  { path, branch, base }: Worktree,
  { workspace, workbench }: { workspace: string; workbench: string | undefined },
): string {
  return [
    `You work in a git worktree of your own: ${path}, on branch ${branch}, made from commit ${short(base)}. Commands start there.`,
    `A path below ${workspace} in your task means the same file below ${path}. The workspace itself is read only for you; what is not committed there, and what git ignores (installed packages, build output), is not in your worktree.`,
    "Commit what you finish, on this branch: your changes stay on it until somebody merges it. Files that git ignores are not kept: what is wanted of them goes elsewhere. A repository of its own in it (`git init`, `git clone`) is not merged: make it elsewhere. Branches, tags, index and stash of the workspace are not yours.",
    ...(workbench === undefined
      ? []
      : [`The workbench ${workbench} is no part of the repository: you share it with the others.`]),
    "Name the branch in your report.",
  ].join("\n");
}

/** e.g. `3 files changed, 2 commits, 1 repository of its own`. */
function countsLine({ changedFiles, commits, repositories: { length } }: WorktreeState): string {
  const files = `${changedFiles} ${changedFiles === 1 ? "file" : "files"} changed`;
  const own =
    length === 0 ? "" : length === 1 ? ", 1 repository of its own" : `, ${length} repositories of their own`;
  return `${files}, ${commits} ${commits === 1 ? "commit" : "commits"}${own}`;
}

const short = (commit: string): string => commit.slice(0, 10);

/** For a shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
