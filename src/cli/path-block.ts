import { lstatSync, statSync } from "node:fs";

/**
 * What keeps a path from being a directory, as the file system's code for it; undefined when it is one, or when nothing
 * is there. `ENOTDIR`: something else is there, `ELOOP`: links that lead in a circle, `ENOENT`: a link to nowhere.
 */
export function blockOf(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : "ENOTDIR";
  } catch (error) {
    const { code = "EIO" } = error as NodeJS.ErrnoException;
    // Below a file there is nothing: what is wrong is the file.
    if (code === "ENOTDIR" || (code === "ENOENT" && !isLink(path))) return undefined;
    return code;
  }
}

/** Whether a directory is there. Never throws. */
export function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** What is known of a file; undefined when nothing can be told. */
export function statOf(path: string): { mode: number; dev: number; isDirectory(): boolean } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};
