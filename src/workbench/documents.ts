import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, extname, join } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, PRIVATE_FILE_MODE, writeAtomic } from "../core/files.ts";

/** Folder below `notes/` that holds what was moved away. */
export const ARCHIVE = "archive";

/** A document as it was found. */
export interface StoredDocument {
  path: string;
  text: string;
}

/**
 * The first of `names` in `notes` that exists and is not blank. A byte order mark is dropped: people edit these files.
 * @throws FlowerError `workspace` when a file is there and cannot be read.
 */
export function readDocument(notes: string, names: readonly string[]): StoredDocument | undefined {
  for (const name of names) {
    const path = join(notes, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const text = readText(path).replace(/^\ufeff/, "");
    if (text.trim() !== "") return { path, text };
  }
  return undefined;
}

/**
 * Writes a document into `notes`, in one step and private; an older one of the name is replaced.
 * @returns its path.
 * @throws FlowerError `usage` for a name that leaves the folder, `workspace` when it cannot be written.
 */
export function freezeDocument(notes: string, name: string, text: string): string {
  const path = join(notes, plainName(name));
  inWorkspace(`${path} cannot be written`, () => {
    makePrivateDir(notes);
    writeAtomic(path, text);
  });
  return path;
}

/**
 * Moves a file to `notes/archive/<folder>/<name>`; where that is taken, to `<name>-2`, `-3` … before the extension.
 * @returns the new path.
 * @throws FlowerError `usage` for a folder or name that leaves the archive, `workspace` when it cannot be moved.
 */
export function archiveDocument(notes: string, path: string, folder: string, name: string): string {
  const dir = join(notes, ARCHIVE, plainName(folder));
  return inWorkspace(`${path} cannot be moved to ${dir}`, () => {
    makePrivateDir(dir);
    const target = reserve(dir, plainName(name));
    try {
      renameSync(path, target);
    } catch (error) {
      unlinkSync(target);
      throw error;
    }
    return target;
  });
}

/**
 * Moves everything in `notes` but the archive to `notes/archive/<timestamp>/` (`-2`, `-3` … when that is taken).
 * @returns the new folder; undefined when there was nothing to move.
 * @throws FlowerError `workspace` when something cannot be moved.
 */
export function archiveAll(notes: string, timestamp: string): string | undefined {
  const names = existsSync(notes) ? readdirSync(notes).filter((name) => name !== ARCHIVE) : [];
  if (names.length === 0) return undefined;
  const archive = join(notes, ARCHIVE);
  return inWorkspace(`the documents in ${notes} cannot be moved`, () => {
    let folder = join(archive, plainName(timestamp));
    for (let n = 2; existsSync(folder); n += 1) folder = join(archive, `${timestamp}-${n}`);
    makePrivateDir(folder);
    for (const name of names) renameSync(join(notes, name), join(folder, name));
    return folder;
  });
}

/** Creates an empty file of a free name: two processes never get the same one, so the rename over it is safe. */
function reserve(dir: string, name: string): string {
  const extension = extname(name);
  const stem = basename(name, extension);
  for (let n = 1; ; n += 1) {
    const path = join(dir, n === 1 ? name : `${stem}-${n}${extension}`);
    try {
      closeSync(openSync(path, "wx", PRIVATE_FILE_MODE));
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function plainName(name: string): string {
  if (name === "" || name === "." || name === ".." || /[/\\\0]/.test(name)) {
    throw new FlowerError("usage", `${JSON.stringify(name)} is no plain file name`, {
      nextStep: "use a name without slashes",
    });
  }
  return name;
}

function readText(path: string): string {
  return inWorkspace(`${path} cannot be read`, () => readFileSync(path, "utf8"));
}

function inWorkspace<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (FlowerError.is(error)) throw error;
    throw new FlowerError("workspace", `${what}: ${errorText(error)}`, {
      nextStep: "check the file's owner and mode and the space left on the disk",
      cause: error,
    });
  }
}
