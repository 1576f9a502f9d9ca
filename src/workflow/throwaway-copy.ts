import { constants } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readlink, realpath, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { removeTree } from "../core/remove-tree.ts";
import { TEMP_PREFIXES } from "../core/temp-names.ts";
import { eachBounded, listTree, type TreeEntry } from "./tree-hash.ts";

/** Above this a judge only reads, bytes: copying would take longer than judging. */
const MAX_BYTES = 2 * 1024 ** 3;

/** A copy of the workspace in which anything may be done. */
export interface ThrowawayCopy {
  /** Ends in the workspace's own name, for tools that go by it. */
  path: string;
  /** What was left behind, relative to the workspace: unreadable files and directories, sockets, pipes. */
  skipped: readonly string[];
  /** Removes the copy with all that was made in it; safe to call twice. */
  remove(): Promise<void>;
}

/**
 * Copies a workspace, `.git` included, with modes and times; copy-on-write where the file system can. No link in the
 * copy leads back into the workspace: absolute ones into it become relative, relative ones out of it absolute.
 * @param options.exclude absolute paths that are left out with all below them.
 * @param options.maxBytes default 2 GiB.
 * @param options.tempRoot where the copy is made. Default: the temp directory.
 * @param options.note hears of the directory before anything is copied into it, and what it returns is called when that
 * is removed: whoever is killed meanwhile leaves a half of it.
 * @returns `tooLarge`, the bytes counted until it was clear, when there is more than `maxBytes`.
 * @throws the file system's error, e.g. of a full disk; nothing is left behind then.
 */
export async function makeThrowawayCopy(options: {
  workspace: string;
  exclude: readonly string[];
  maxBytes?: number;
  tempRoot?: string;
  note?: (path: string) => () => void;
}): Promise<ThrowawayCopy | { tooLarge: number }> {
  const { workspace, maxBytes = MAX_BYTES, tempRoot = tmpdir() } = options;
  const bytes = await sizeOf(workspace, options.exclude, maxBytes);
  if (bytes > maxBytes) return { tooLarge: bytes };
  const holder = await realpath(await mkdtemp(join(tempRoot, TEMP_PREFIXES.copy)));
  const forget = options.note?.(holder);
  const remove = async (): Promise<void> => {
    await removeTree(holder);
    forget?.();
  };
  try {
    const path = join(holder, basename(resolve(workspace)) || "workspace");
    // The copy may lie inside of what is copied.
    const skipped = await copyTree(workspace, path, [...options.exclude, holder]);
    return { path, skipped, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function sizeOf(dir: string, exclude: readonly string[], limit: number): Promise<number> {
  let bytes = 0;
  for await (const { stats } of listTree(dir, exclude)) {
    if (stats.isFile()) bytes += Number(stats.size);
    if (bytes > limit) break;
  }
  return bytes;
}

/** @returns what could not be copied, relative to `from`. */
async function copyTree(from: string, to: string, exclude: readonly string[]): Promise<string[]> {
  const roots = [await realpath(from), resolve(from)];
  const skipped: string[] = [];
  const directories: Array<{ target: Buffer; entry: TreeEntry }> = [];
  const targetOf = (entry: TreeEntry): Buffer => Buffer.concat([Buffer.from(to + sep), entry.relative]);
  const skip = (entry: TreeEntry): void => {
    skipped.push(entry.relative.toString());
  };

  /** Makes directories on the way, so that each is there before its files. */
  async function* files(): AsyncGenerator<TreeEntry> {
    for await (const entry of listTree(from, exclude)) {
      if (!entry.stats.isDirectory()) {
        yield entry;
        continue;
      }
      if (!entry.readable) skip(entry);
      const target = targetOf(entry);
      await mkdir(target, { mode: 0o700 });
      directories.push({ target, entry });
    }
  }

  await mkdir(to, { mode: 0o700 });
  await eachBounded(files(), async (entry) => {
    const { path, stats } = entry;
    if (stats.isSymbolicLink()) {
      const link = await readlink(path, "buffer");
      await symlink(linkTarget(link, path.toString(), roots), targetOf(entry));
    } else if (!stats.isFile() || !(await copyOne(entry, targetOf(entry)))) skip(entry);
  });
  // Last and from below, because a read-only directory takes no files and a new file changes its directory's time.
  for (const { target, entry } of directories.reverse()) await likeOriginal(target, entry);
  return skipped.sort();
}

/** False when the file may not be read, or went away. */
async function copyOne(entry: TreeEntry, target: Buffer): Promise<boolean> {
  try {
    await copyFile(entry.path, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOENT", "EACCES", "EPERM"].includes(code)) throw error;
    return false;
  }
  await likeOriginal(target, entry);
  return true;
}

/** Times count for build tools, which would otherwise make everything again. */
async function likeOriginal(target: Buffer, { stats }: TreeEntry): Promise<void> {
  await utimes(target, Number(stats.atimeMs) / 1000, Number(stats.mtimeMs) / 1000);
  await chmod(target, Number(stats.mode & 0o7777n));
}

/** Where a link in the copy has to point so that it means the same, without leading into the original. */
function linkTarget(link: Buffer, path: string, roots: readonly string[]): string | Buffer {
  const text = link.toString();
  const place = dirname(path);
  const aim = resolve(place, text);
  const root = roots.find((each) => aim === each || aim.startsWith(each + sep));
  if (isAbsolute(text) && root !== undefined)
    return relative(place, join(roots[0] ?? root, relative(root, aim))) || ".";
  if (!isAbsolute(text) && root === undefined) return aim;
  return link;
}
