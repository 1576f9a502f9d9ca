import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import writeFileAtomic from "write-file-atomic";

/** Directories of flower's own are private: transcripts and documents may quote anything a tool printed. */
export const PRIVATE_DIR_MODE = 0o700;
/** Files of flower's own, for the same reason. */
export const PRIVATE_FILE_MODE = 0o600;

/**
 * Creates a private directory and its parents; existing ones keep their mode.
 * @throws the file system's error, e.g. when a file stands in its place.
 */
export function makePrivateDir(path: string): void {
  const parent = dirname(path);
  // Not by `recursive`: on file systems that take no directories, such as /proc, it never comes back (Node 20.20).
  if (parent !== path && !existsSync(parent)) makePrivateDir(parent);
  try {
    mkdirSync(path, { mode: PRIVATE_DIR_MODE });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The path without symbolic links, as far as it exists, with the rest behind it. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/**
 * Replaces a file in one step (temp file, fsync, rename): a reader sees the old or the new text, never a half.
 * @param options `durable: false` leaves out the fsync, some milliseconds each: a power cut may then leave an empty or
 * a damaged file, so whoever reads it must be able to tell. Default true.
 * @throws the file system's error when the directory cannot be written.
 */
export function writeAtomic(
  path: string,
  text: string,
  { durable = true }: { durable?: boolean } = {},
): void {
  writeFileAtomic.sync(path, text, { mode: PRIVATE_FILE_MODE, fsync: durable });
}

/** {@link writeAtomic} of indented JSON with a newline at the end. */
export function writeJsonAtomic(path: string, value: unknown): void {
  writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Keeps a directory of flower's own out of every repository around it, also one that is made later: it ignores itself.
 * @throws the file system's error when the directory cannot be written.
 */
export function ignoreInGit(dir: string): void {
  const path = join(dir, ".gitignore");
  if (!existsSync(path)) writeAtomic(path, "*\n");
}

/**
 * Moves a damaged file to `<path>.damaged-<n>` so that nothing is lost and a fresh one can be written.
 * @returns the new path.
 */
export function setAside(path: string): string {
  let n = 1;
  while (existsSync(`${path}.damaged-${n}`)) n += 1;
  const aside = `${path}.damaged-${n}`;
  renameSync(path, aside);
  return aside;
}

/** True for a path below a directory; both absolute and real. */
export function isInside(path: string, dir: string): boolean {
  const way = relative(dir, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

/** Where a walk ends. */
export interface WalkBounds {
  /** Directories in all. */
  maxDirs: number;
  /** Levels below the root. Default: all. */
  maxDepth?: number;
  /** Whether a directory of this name is looked into. */
  enters(name: string): boolean;
}

/** Paths of what is no directory below a root, level by level. What cannot be read is left out; links are not followed. */
export function* walk(root: string, { maxDirs, maxDepth = Infinity, enters }: WalkBounds): Generator<string> {
  const dirs = [{ dir: root, depth: 0 }];
  for (const { dir, depth } of dirs)
    for (const entry of entriesOf(dir)) {
      const path = join(dir, entry.name);
      if (!entry.isDirectory()) yield path;
      else if (depth < maxDepth && dirs.length < maxDirs && enters(entry.name))
        dirs.push({ dir: path, depth: depth + 1 });
    }
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
