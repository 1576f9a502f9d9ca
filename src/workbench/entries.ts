import { readdirSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";

/** One line of the index. `description` only for scripts. */
export interface IndexEntry {
  /** File name; a directory's ends with `/`. */
  name: string;
  description?: string;
}

/** What one directory of the workbench shows. */
export interface IndexSection {
  /** Sorted by name. */
  entries: readonly IndexEntry[];
  /** How many entries are left out. */
  more: number;
}

/**
 * Top-level entries of a directory, at most `limit`: the newest ones, so that fresh work is never what is left out,
 * in the order of their names, so that the same files give the same text. Hidden files and `skip` do not count.
 * A directory that is not there has no entries.
 */
export function listEntries(
  dir: string,
  options: { limit: number; skip?: readonly string[]; describe?: (path: string) => string | undefined },
): IndexSection {
  const found = namesIn(dir)
    .filter((name) => !name.startsWith(".") && options.skip?.includes(name) !== true)
    .flatMap((name) => {
      const stats = statOf(join(dir, name));
      return stats === undefined ? [] : [{ name, stats }];
    })
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs || compareText(a.name, b.name));
  const entries = found
    .slice(0, options.limit)
    .sort((a, b) => compareText(a.name, b.name))
    .map(({ name, stats }) => {
      const description = stats.isFile() ? options.describe?.(join(dir, name)) : undefined;
      return {
        name: stats.isDirectory() ? `${name}/` : name,
        ...(description === undefined ? {} : { description }),
      };
    });
  return { entries, more: found.length - entries.length };
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Undefined for a file that went away between listing and looking, and for a link to nowhere. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Code unit order: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
