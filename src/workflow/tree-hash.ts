import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Executable bit of the owner: a change of it changes what a file is. */
const EXECUTABLE = 0o100;

/**
 * Digest of every file below a directory by relative path: kind, executable bit, content or link target.
 * @param exclude absolute paths that are left out with all below them.
 */
export async function hashTree(
  dir: string,
  exclude: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  await walk(dir, "", new Set(exclude), digests);
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

async function walk(
  root: string,
  at: string,
  exclude: ReadonlySet<string>,
  digests: Map<string, string>,
): Promise<void> {
  const names = (await readdir(join(root, at))).sort();
  for (const name of names) {
    const path = at === "" ? name : `${at}/${name}`;
    const full = join(root, path);
    if (exclude.has(full)) continue;
    const stat = await lstat(full);
    if (stat.isDirectory()) {
      digests.set(path, "directory");
      await walk(root, path, exclude, digests);
    } else if (stat.isSymbolicLink()) digests.set(path, `link ${await readlink(full)}`);
    else if (stat.isFile())
      digests.set(path, `${(stat.mode & EXECUTABLE) === 0 ? "file" : "executable"} ${await digest(full)}`);
    else digests.set(path, "other");
  }
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
