import { constants } from "node:fs";
import { cp, lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Above this a judge only reads: copying would take longer than judging. */
const MAX_BYTES = 2 * 1024 ** 3;

/** A copy of the workspace in which anything may be done. */
export interface ThrowawayCopy {
  path: string;
  remove(): Promise<void>;
}

/**
 * Copies a workspace to a temp directory, copy-on-write where the file system can.
 * @param exclude absolute paths that are left out with all below them.
 * @returns `tooLarge` in bytes when there is more than `maxBytes` (default 2 GiB).
 */
export async function makeThrowawayCopy(options: {
  workspace: string;
  exclude: readonly string[];
  maxBytes?: number;
}): Promise<ThrowawayCopy | { tooLarge: number }> {
  const { workspace, maxBytes = MAX_BYTES } = options;
  const exclude = new Set(options.exclude);
  const bytes = await sizeOf(workspace, exclude, maxBytes);
  if (bytes > maxBytes) return { tooLarge: bytes };
  const path = await realpath(await mkdtemp(join(tmpdir(), "flower-copy-")));
  const remove = async (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await cp(workspace, path, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (source) => !exclude.has(source) && (await copyable(source)),
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** Sockets and pipes are no content. */
async function copyable(path: string): Promise<boolean> {
  const stat = await lstat(path);
  return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
}

async function sizeOf(dir: string, exclude: ReadonlySet<string>, limit: number): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (exclude.has(path)) continue;
    if (entry.isDirectory()) bytes += await sizeOf(path, exclude, limit - bytes);
    else if (entry.isFile()) bytes += (await lstat(path)).size;
    if (bytes > limit) break;
  }
  return bytes;
}
