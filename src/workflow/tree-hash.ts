import { createHash } from "node:crypto";
import { createReadStream, type BigIntStats } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Files in work at once: enough to keep a disk busy, far below any limit of open files. */
const CONCURRENCY = 16;
/** Up to this size a file is read in one piece, bytes: a stream costs more than a small file. */
const SMALL_FILE = 1024n * 1024n;
const SLASH = Buffer.from("/");

/** One place in a directory tree. Names are bytes: not every name on a disk is text. */
export interface TreeEntry {
  path: Buffer;
  /** From the tree's root, without a slash in front. */
  relative: Buffer;
  stats: BigIntStats;
  /** False for a directory that may not be read; what it holds is not listed. */
  readable: boolean;
}

/**
 * Digest of everything below a directory by relative path: type, permission bits, and content or link target. Times
 * do not count. Two trees are the same if and only if {@link changedPaths} finds nothing.
 * @param exclude absolute paths that are left out with all below them.
 * @throws the file system's error when the directory itself cannot be read.
 */
export async function hashTree(
  dir: string,
  exclude: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  await eachBounded(listTree(dir, exclude), async ({ path, relative, stats }) => {
    const mode = (stats.mode & 0o7777n).toString(8);
    digests.set(nameOf(relative), `${mode} ${await contentOf(path, stats)}`);
  });
  return digests;
}

/** Paths that differ between two trees, sorted. */
export function changedPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}

/**
 * Everything below a directory, parents before children. Links are not followed; what vanishes meanwhile is left out.
 * @param exclude absolute paths that are left out with all below them.
 * @throws the file system's error when the directory itself cannot be read.
 */
export async function* listTree(dir: string, exclude: readonly string[]): AsyncGenerator<TreeEntry> {
  const root = await realpath(dir);
  const excluded = new Set(await Promise.all(exclude.map(async (path) => spelledReal(resolve(path)))));
  const names = await readdir(root, { encoding: "buffer" });
  // A stack of directories, not recursion: a tree may be deep.
  const open = [{ path: Buffer.from(root), relative: Buffer.alloc(0), names }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const name of at.names) {
      const path = Buffer.concat([at.path, SLASH, name]);
      if (excluded.has(path.toString())) continue;
      const relative = at.relative.length === 0 ? name : Buffer.concat([at.relative, SLASH, name]);
      const stats = await lstat(path, { bigint: true }).catch(unreachable);
      if (stats === undefined) continue;
      const below = stats.isDirectory()
        ? await readdir(path, { encoding: "buffer" }).catch(unreachable)
        : undefined;
      if (below !== undefined) open.push({ path, relative, names: below });
      yield { path, relative, stats, readable: !stats.isDirectory() || below !== undefined };
    }
  }
}

/** Runs `action` on each item, a bounded number at once. After a failure nothing new starts, and nothing goes on. */
export async function eachBounded<T>(
  items: AsyncGenerator<T>,
  action: (item: T) => Promise<void>,
): Promise<void> {
  // Several loops over one generator share its items; a loop that throws ends the generator for all.
  const loop = async (): Promise<void> => {
    for await (const item of items) await action(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, loop));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** Gone, or below a directory that may not be entered: then the tools of this user cannot change it either. */
function unreachable(error: unknown): undefined {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code)) throw error;
}

async function contentOf(path: Buffer, stats: BigIntStats): Promise<string> {
  if (stats.isDirectory()) return "directory";
  try {
    if (stats.isSymbolicLink()) return `link ${(await readlink(path, "buffer")).toString("latin1")}`;
    if (stats.isFile()) return `file ${await digest(path, stats.size)}`;
    return "special";
  } catch (error) {
    unreachable(error);
    // No content to vouch for; size and time are the next best.
    return `unreadable ${stats.size} ${stats.mtimeNs}`;
  }
}

async function digest(path: Buffer, size: bigint): Promise<string> {
  const hash = createHash("sha256");
  if (size <= SMALL_FILE) hash.update(await readFile(path));
  else for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** The name as text, or byte by byte when it is none, so that two names never become one. */
function nameOf(bytes: Buffer): string {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : bytes.toString("latin1");
}

/** Spelled as the walk spells paths, also for one that does not exist yet: it may come to exist meanwhile. */
async function spelledReal(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () =>
    parent === path ? path : join(await spelledReal(parent), basename(path)),
  );
}
