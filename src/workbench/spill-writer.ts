import { createHash } from "node:crypto";
import { statSync } from "node:fs";
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

/** Writes what is not there; the size tells a file that somebody shortened or appended to. */
function keep(path: string, text: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === Buffer.byteLength(text)) return;
  makePrivateDir(dirname(path));
  writeAtomic(path, text);
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
