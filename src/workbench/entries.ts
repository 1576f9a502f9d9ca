import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isInside, realPath } from "../core/files.ts";

/** One line of the index. `description` only for scripts. */
export interface IndexEntry {
  /** File name; a directory's ends with `/`. */
  name: string;
  /** Bytes; absent for directories and for links that lead out of the workbench. */
  sizeBytes?: number;
  description?: string;
}

/** What one directory of the workbench shows. */
export interface IndexSection {
  /** Newest first. */
  entries: readonly IndexEntry[];
  /** How many entries are left out. */
  more: number;
}

/** What is listed and how. */
export interface ListOptions {
  /** Entries that are shown: the newest, so that fresh work is never what is left out. */
  limit: number;
  /** Links that lead out of this directory are named and not followed. */
  root: string;
  skip?: readonly string[];
  describe?: (path: string, stats: Stats) => string | undefined;
}

/**
 * Top-level entries of a directory, newest first. Hidden files and `skip` do not count. A directory that is not there,
 * or is a link out of `root`, has no entries.
 */
export function listEntries(dir: string, { limit, root, skip = [], describe }: ListOptions): IndexSection {
  const home = realPath(root);
  const found = namesIn(dir, home)
    .filter((name) => !name.startsWith(".") && !skip.includes(name))
    .flatMap((name) => {
      const stats = statsOf(join(dir, name), home);
      return stats === undefined ? [] : [{ name, stats }];
    })
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs || compareText(a.name, b.name));
  const entries = found.slice(0, limit).map(({ name, stats }): IndexEntry => {
    if (stats.isDirectory()) return { name: `${name}/` };
    if (!stats.isFile()) return { name };
    const description = describe?.(join(dir, name), stats);
    return { name, sizeBytes: stats.size, ...(description === undefined ? {} : { description }) };
  });
  return { entries, more: found.length - entries.length };
}

function namesIn(dir: string, home: string): string[] {
  try {
    return isInside(realPath(dir), home) ? readdirSync(dir) : [];
  } catch {
    return [];
  }
}

/** Of a link that leads out its own; undefined for a file that went away under way, and for a link to nowhere. */
function statsOf(path: string, home: string): Stats | undefined {
  try {
    const own = lstatSync(path);
    if (!own.isSymbolicLink()) return own;
    const target = statSync(path);
    return isInside(realPath(path), home) ? target : own;
  } catch {
    return undefined;
  }
}

/** Code unit order: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
