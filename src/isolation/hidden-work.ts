import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitRun } from "./git.ts";
import { branchSpace, type Worktree } from "./names.ts";

/** Runs git in a directory that the caller has chosen. */
export type RunGit = (...args: string[]) => Promise<GitRun>;

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/**
 * Gives a branch to each commit of a worktree that no branch or tag leads to: what was committed on no branch, or on
 * one that was set back since. What a later commit replaced (an amended one, one that was rebased as it was) is no loss.
 * `fromRoot` runs git in the workspace.
 */
export async function keepLostCommits(tree: Worktree, fromRoot: RunGit): Promise<void> {
  const log = await fromRoot("log", "--walk-reflogs", "--format=%H %gs", `worktrees/${tree.id}/HEAD`);
  const seen = commitsOf(log.out);
  if (seen.length === 0) return;
  const unreached = new Set(
    linesOf((await fromRoot("rev-list", ...seen, "--not", "--glob=refs/*", tree.base)).out),
  );
  const lost = seen.filter((commit) => unreached.has(commit));
  if (lost.length === 0) return;
  // Several commits made one by a squash leave the same files as the last of them.
  const kept = await fromRoot("log", "--format=%T", "--branches", "--not", tree.base);
  const keptTrees = new Set(linesOf(kept.out));
  const tips = linesOf((await fromRoot("merge-base", "--independent", ...lost)).out);
  let n = 1;
  for (const tip of tips) {
    const files = await fromRoot("rev-parse", "--verify", `${tip}^{tree}`);
    if (keptTrees.has(files.out.trim())) continue;
    const since = `refs/heads/${tree.branch}...${tip}`;
    const own = await fromRoot("rev-list", "--count", "--right-only", "--cherry-pick", since);
    if (own.ok && Number(own.out) === 0) continue;
    const nameOf = (): string => `${leftBranches(tree.id)}${n}`;
    while ((await fromRoot("rev-parse", "--verify", "--quiet", `refs/heads/${nameOf()}`)).ok) n += 1;
    await fromRoot("branch", "--no-track", nameOf(), tip);
  }
}

/** Paths in one call of git: all of them stand on its command line. */
const PATHS_AT_ONCE = 500;

const chunksOf = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / PATHS_AT_ONCE) }, (_, i) =>
    paths.slice(i * PATHS_AT_ONCE, (i + 1) * PATHS_AT_ONCE),
  );

/** Asks git for what it ignores: files, and directories of which it ignores all. */
export const IGNORED = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];

/** Beside their own ignore file these say that a directory is a cache or a Python environment: a tool made it. */
const MADE_BY_TOOLS = ["CACHEDIR.TAG", "pyvenv.cfg"];

/** What git ignores in a worktree, relative to it. */
export interface IgnoredFiles {
  /** Files and directories (with a slash at the end) that the project or the person ignores. */
  ignored: string[];
  /** Files that only an ignore file hides that is not in the repository: whoever worked there put it there. */
  hidden: string[];
}

/** Tells what the person does not count from what a worker hid. `inside` runs git in the worktree. */
export async function ignoredFiles(tree: Worktree, inside: RunGit): Promise<IgnoredFiles> {
  const entries = (await inside(...IGNORED)).out.split("\0").filter((path) => path !== "");
  if (entries.length === 0) return { ignored: [], hidden: [] };
  const listed = await inside("ls-files", "-z", "--", ":(glob)**/.gitignore");
  const known = new Set(listed.out.split("\0"));
  const byTool = (file: string): boolean =>
    MADE_BY_TOOLS.some((name) => existsSync(join(tree.path, dirname(file), name)));
  const found: IgnoredFiles = { ignored: [], hidden: [] };
  for (const paths of chunksOf(entries)) {
    const args = [
      "-c",
      "core.quotePath=false",
      "check-ignore",
      "--verbose",
      "--non-matching",
      "--",
      ...paths,
    ];
    // One line for each path, in this order: the file with the rule, its line and the rule.
    const lines = (await inside(...args)).out.split("\n");
    paths.forEach((path, i) => {
      const [, file] = /^"?((?:.*?\/)?\.gitignore)"?:\d+:/.exec(lines[i] ?? "") ?? [];
      const isOwn = file !== undefined && !file.startsWith("/") && !known.has(file) && !byTool(file);
      // What lies in a directory follows on that.
      const last = found.ignored.at(-1);
      const isNamed = last?.endsWith("/") === true && path.startsWith(last);
      if (!isOwn && !isNamed && lines[i]?.startsWith("::") !== true) found.ignored.push(path);
      if (isOwn && !path.endsWith("/") && path !== file) found.hidden.push(path);
    });
  }
  return found;
}

/** What the branches of lost commits begin with. */
export const leftBranches = (id: string): string => `${branchSpace(id)}/left-`;

/** Where a HEAD has been, newest first, each once; `log` has lines of a commit and what made it. */
function commitsOf(log: string): string[] {
  const steps = linesOf(log).map((line) => ({ commit: line.split(" ")[0] ?? "", by: line }));
  const amended = new Set(
    steps.flatMap(({ by }, i) => (by.includes(" commit (amend)") ? (steps[i + 1]?.commit ?? []) : [])),
  );
  return [...new Set(steps.map(({ commit }) => commit))].filter((commit) => !amended.has(commit));
}

/**
 * Takes the marks off files that git was told not to look at (`--assume-unchanged`, `--skip-worktree`): neither a status
 * nor `git add` would see what was changed in them. In a sparse checkout files that are not there keep theirs: they were
 * never checked out.
 * `inside` runs git in the worktree.
 */
export async function unmarkFiles(tree: Worktree, inside: RunGit): Promise<void> {
  const listed = (await inside("ls-files", "-v", "-z")).out.split("\0").filter((entry) => entry !== "");
  const marked = (marks: RegExp): string[] =>
    listed.filter((entry) => marks.test(entry)).map((entry) => entry.slice(2));
  const isSparse = (await inside("config", "--bool", "core.sparseCheckout")).out.trim() === "true";
  const passedOver = marked(/^[Ss]/).filter((path) => !isSparse || isThere(join(tree.path, path)));
  for (const [option, paths] of [
    ["--no-assume-unchanged", marked(/^[a-z]/)],
    ["--no-skip-worktree", [...new Set(passedOver)]],
  ] as const)
    for (const some of chunksOf(paths)) await inside("update-index", option, "--", ...some);
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
