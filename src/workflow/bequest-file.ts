import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { errorText } from "../core/errors.ts";
import { isInside, realPath } from "../core/files.ts";
import { putBlock } from "../documents/bequest-block.ts";

/** Why a file is left alone; `text`: the system's own words, of `failed`. */
export type LeftAlone =
  { why: "readOnly" | "noFile" | "leadsAway" | "noUtf8" } | { why: "failed"; text: string };

/** Links that are followed to a file, like the system's own limit (Linux: 40). */
const MAX_LINKS = 40;

/**
 * The file that a name in the workspace stands for, also one that is not there yet; undefined when links lead out of
 * the workspace, round in circles, or to what is no Markdown: an agent's words must not get into a hook or a profile.
 * @param workspace without links in it.
 */
export function bequestTarget(workspace: string, name: string): string | undefined {
  let path = join(workspace, name);
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    path = join(realPath(dirname(path)), basename(path));
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
      return isInside(path, workspace) && /\.md$/i.test(path) ? path : undefined;
    path = resolve(dirname(path), readlinkSync(path));
  }
  return undefined;
}

/**
 * Puts a bequest's text into a file, in one step, between its own markers; all other bytes and the file's mode stay.
 * Never throws.
 * @returns why the file was left alone; undefined when it was written.
 */
export function writeBequest(path: string, body: string): LeftAlone | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile()) return { why: "noFile" };
    // Renaming over it would work: the mode is asked for what the person wants.
    if (stat !== undefined && (stat.mode & 0o222) === 0) return { why: "readOnly" };
    const bytes = stat === undefined ? Buffer.alloc(0) : readFileSync(path);
    if (bytes.includes(0)) return { why: "noUtf8" };
    // Byte by byte, so that nothing of another encoding is lost; markers are ASCII.
    const put = putBlock(bytes.toString("latin1"), Buffer.from(body).toString("latin1"));
    const changed = Buffer.from(put, "latin1");
    if (!changed.equals(bytes)) writeFileAtomic.sync(path, changed);
    return undefined;
  } catch (error) {
    return { why: "failed", text: errorText(error) };
  }
}
