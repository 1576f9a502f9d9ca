import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { IGNORED, type RunGit } from "./hidden-work.ts";
import type { Worktree } from "./names.ts";

/** Directories looked into for repositories; beyond that somebody built something huge. */
const MAX_DIRS = 20_000;

/** What an entry begins with that is a repository of its own: git notes one commit of it, and no file. */
const GITLINK = "160000 ";

/**
 * Repositories of their own inside a worktree, relative to it: no merge brings their commits along, and `git add` makes a
 * bare pointer of one. Where git ignores them, has them as submodules or takes their files for its own, only those count
 * that have commits of their own; one that was only cloned is none, unless it is bare. Git is only asked where they may
 * lie: a repository's settings can name programs to run.
 */
export async function ownRepositories(tree: Worktree, inside: RunGit): Promise<string[]> {
  const list = async (...args: string[]): Promise<string[]> =>
    (await inside(...args)).out.split("\0").filter((entry) => entry !== "");
  const isLink = (entry: string): boolean => entry.startsWith(GITLINK);
  const gitIn = (dir: string): string => join(tree.path, dir, ".git");

  const tracked = await list("ls-files", "--stage", "-z");
  const links = tracked
    .filter(isLink)
    .map(pathIn)
    .filter((dir) => existsSync(gitIn(dir)));
  const around = new Set(tracked.filter((entry) => !isLink(entry)).flatMap((entry) => above(pathIn(entry))));
  // Of a directory that is new git lists the files; of a repository only the directory.
  const others = await list("ls-files", "--others", "--exclude-standard", "-z");
  const ignored = await list(...IGNORED);
  return [
    ...links.filter((dir) => !isSubmodule(gitIn(dir)) || hasOwnCommits(gitIn(dir))),
    ...dirsOf(others).map((dir) => dir.slice(0, -1)),
    ...[...around]
      .filter((dir) => existsSync(gitIn(dir)) && hasOwnCommits(gitIn(dir)))
      .map((dir) => `${dir}/.git`),
    ...inIgnored(tree, dirsOf(ignored)),
  ];
}

const dirsOf = (paths: readonly string[]): string[] => paths.filter((path) => path.endsWith("/"));

/** In a line of the index or of a tree the path stands behind a tab. */
const pathIn = (entry: string): string => entry.slice(entry.indexOf("\t") + 1);

/** Directories that a file lies in, below the root. */
function above(path: string): string[] {
  const dir = dirname(path);
  return dir === "." ? [] : [dir, ...above(dir)];
}

function inIgnored(tree: Worktree, ignored: readonly string[]): string[] {
  const dirs = [...ignored];
  const found: string[] = [];
  for (const dir of dirs) {
    const path = join(tree.path, dir);
    const entries = entriesOf(path);
    if (entries.some(({ name }) => name === ".git") && hasOwnCommits(join(path, ".git")))
      found.push(dir.slice(0, -1));
    if (isBareWithCommits(path, entries)) found.push(dir.slice(0, -1));
    const inner = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
    if (dirs.length < MAX_DIRS) dirs.push(...inner.map(({ name }) => `${dir}${name}/`));
  }
  return found;
}

/** Of a bare one nobody knows where its commits come from: any count. */
function isBareWithCommits(dir: string, entries: readonly Dirent[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  if (!has("HEAD") || !has("objects") || !has("refs")) return false;
  return has("packed-refs") || entriesOf(join(dir, "refs/heads")).length > 0;
}

/** By its log of where HEAD has been; without one nobody knows, and it counts. */
function hasOwnCommits(git: string): boolean {
  try {
    return readFileSync(join(gitDirAt(git), "logs/HEAD"), "utf8")
      .split("\n")
      .some((line) => line !== "" && !/\t(clone|checkout): /.test(line));
  } catch {
    return true;
  }
}

/** A submodule has a file there that names its directory; what somebody made by hand has the directory itself. */
const isSubmodule = (git: string): boolean => statSync(git).isFile();

function gitDirAt(git: string): string {
  if (!isSubmodule(git)) return git;
  const named = /^gitdir: (.*)/.exec(readFileSync(git, "utf8"))?.[1] ?? "";
  return resolve(dirname(git), named);
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
