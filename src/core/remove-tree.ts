import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes a directory with all below it, or a file; nothing there is no error.
 * @throws the file system's error, e.g. for what belongs to somebody else.
 */
export async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch {
    await openUp(path);
    await rm(path, options);
  }
}

/** Directories without write permission, as module caches make them, do not let go of their files. */
async function openUp(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isDirectory()) await openUp(join(dir, entry.name));
}
