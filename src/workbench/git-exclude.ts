import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** A repository as far as flower is concerned with it. */
interface Repository {
  /** Directory that patterns are anchored at. */
  root: string;
  /** The git directory that worktrees share. */
  commonDir: string;
}

/**
 * Adds paths to `.git/info/exclude` of the repository that the workspace lies in, each once, so that flower's own
 * files never show in `git status`. Without a repository, or for paths outside of it, nothing happens.
 * @param entries relative to the workspace, or absolute.
 * @returns the lines added.
 * @throws the file system's error when the exclude file cannot be written; a caller may go on without.
 */
export function excludeFromGit(workspace: string, entries: readonly string[]): string[] {
  const repository = findRepository(resolve(workspace));
  if (repository === undefined) return [];
  const path = join(repository.commonDir, "info", "exclude");
  const present = readText(path) ?? "";
  const known = new Set(present.split(/\r?\n/));
  const lines = entries
    .map((entry) => pattern(repository.root, resolve(workspace, entry)))
    .filter((line) => line !== undefined)
    .filter((line) => !known.has(line) && !known.has(`${line}/`));
  if (lines.length === 0) return [];
  mkdirSync(dirname(path), { recursive: true });
  const gap = present === "" || present.endsWith("\n") ? "" : "\n";
  appendFileSync(path, `${gap}${lines.join("\n")}\n`);
  return lines;
}

/** An anchored pattern that matches this path alone; undefined outside of the repository. */
function pattern(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return undefined;
  return `/${inside
    .split(sep)
    .join("/")
    .replace(/[\\*?[]| $/g, "\\$&")}`;
}

/**
 * The repository that a directory lies in; undefined without one.
 * @param from absolute.
 */
export function findRepository(from: string): Repository | undefined {
  for (let root = from; ; root = dirname(root)) {
    const commonDir = commonDirAt(root);
    // Like git itself: what has no HEAD is no repository, the search goes on above.
    if (commonDir !== undefined && existsSync(join(commonDir, "HEAD"))) return { root, commonDir };
    if (dirname(root) === root) return undefined;
  }
}

/** `.git` is a directory, or in a linked worktree or submodule a file that names one. */
function commonDirAt(root: string): string | undefined {
  const dotGit = join(root, ".git");
  if (statSync(dotGit, { throwIfNoEntry: false })?.isDirectory() === true) return dotGit;
  const named = /^gitdir: (.+?)\s*$/m.exec(readText(dotGit) ?? "")?.[1];
  if (named === undefined) return undefined;
  const gitDir = resolve(root, named);
  // A worktree shares the directory named here; a submodule has all of its own.
  const shared = readText(join(gitDir, "commondir"))?.trim();
  return shared === undefined ? gitDir : resolve(gitDir, shared);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
