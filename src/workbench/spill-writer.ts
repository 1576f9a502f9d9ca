import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pagedCopy, pagedPath } from "../context/paged-copy.ts";
import { errorText } from "../core/errors.ts";
import { makePrivateDir, realPath, writeAtomic } from "../core/files.ts";

/** Length of a spill file's name in hex digits of the content's SHA-256. */
const NAME_DIGITS = 16;

/** Writes long texts to disk and knows its own files again. */
export interface SpillWriter {
  /**
   * Same text, same file, with a copy beside it when lines are too long to be paged (`pagedCopy`). Undefined when it could
   * not be written: the text then has to go on as it is.
   */
  spill(text: string): { path: string } | undefined;
  /** True for a path inside the spill directory, however spelled; a relative one starts at `cwd`. */
  isSpillPath(path: string, cwd: string): boolean;
}

/**
 * Writes what is not there. The first resume of a long session writes thousands of files, so they are not synchronised
 * one by one; in return a file that is found is compared, which also tells one that somebody changed.
 */
function keep(path: string, text: string): void {
  if (holds(path, text)) return;
  makePrivateDir(dirname(path));
  writeAtomic(path, text, { durable: false });
}

function holds(path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return statSync(path, { throwIfNoEntry: false })?.size === bytes.length && readFileSync(path).equals(bytes);
}

/** A writer for `dir`. `onProblem` hears of the first failed write only: one full disk is one message. */
export function spillWriter(dir: string, onProblem: (message: string) => void): SpillWriter {
  let complained = false;
  return {
    spill(text) {
      const name = createHash("sha256").update(text).digest("hex").slice(0, NAME_DIGITS);
      const path = join(dir, `${name}.txt`);
      try {
        const copy = pagedCopy(text);
        if (copy !== undefined) keep(pagedPath(path), copy);
        keep(path, text);
        return { path };
      } catch (error) {
        if (!complained)
          onProblem(`Long results stay in the context, ${dir} cannot be written: ${errorText(error)}`);
        complained = true;
        return undefined;
      }
    },
    isSpillPath(path, cwd) {
      const inside = relative(realPath(dir), realPath(resolve(cwd, path)));
      return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
    },
  };
}
