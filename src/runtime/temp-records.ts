import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { makePrivateDir, realPath, writeJsonAtomic } from "../core/files.ts";
import { removeTree } from "../core/remove-tree.ts";
import { TEMP_PREFIXES } from "../core/temp-names.ts";
import { readJsonFile } from "./json-file.ts";
import { isAlive, ownIdentity, PROCESS_IDENTITY } from "./process-identity.ts";

const RECORD_VERSION = 1;
const RECORD = z.object({ v: z.literal(RECORD_VERSION), path: z.string(), process: PROCESS_IDENTITY });

/** Nothing else is ever removed. */
const OWN_NAMES = new RegExp(`^(?:${Object.values(TEMP_PREFIXES).join("|")})[\\w-]+$`);

/**
 * Notes temp directories while they are in use, so that what a killed process left behind is removed by the next run:
 * a resumed session leaves its whole history there (0.3.332), a judge its copy of the workspace.
 */
export class TempRecords {
  readonly #dir: string;

  constructor(runDir: string) {
    this.#dir = join(runDir, "temp");
  }

  /** Notes a path; what is returned forgets it again. A note that cannot be written is no reason to stop. */
  note(path: string): () => void {
    const file = join(this.#dir, `${basename(path)}.json`);
    try {
      makePrivateDir(this.#dir);
      writeJsonAtomic(file, { v: RECORD_VERSION, path, process: ownIdentity() });
    } catch {
      return () => undefined;
    }
    return () => {
      try {
        rmSync(file, { force: true });
      } catch {
        // Something else stands in the directory's place; the next run looks again.
      }
    };
  }

  /**
   * Removes what processes left behind that are gone. What cannot be removed, or lies where this process has no temp
   * directory, stays noted for a later run. Never rejects: rubbish is no reason not to work.
   * @param remove default: {@link removeTree}.
   * @returns the paths that were removed.
   */
  async sweep(remove = removeTree): Promise<string[]> {
    const removed: string[] = [];
    for (const file of this.#records()) {
      try {
        const read = readJsonFile(file, RECORD, RECORD_VERSION);
        if (!("value" in read) || isAlive(read.value.process)) continue;
        const { path } = read.value;
        const isThere = existsSync(path);
        if (isThere && !isOwn(path)) continue;
        if (isThere) await remove(path);
        rmSync(file, { force: true });
        if (isThere) removed.push(path);
      } catch {
        // Not this time.
      }
    }
    return removed;
  }

  #records(): string[] {
    try {
      return readdirSync(this.#dir)
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(this.#dir, name));
    } catch {
      return [];
    }
  }
}

/** A record could have been written by anyone who can write the run directory. */
function isOwn(path: string): boolean {
  const dir = dirname(path);
  const isTemp =
    [tmpdir(), realPath(tmpdir()), "/tmp", "/var/tmp", "/private/tmp"].includes(dir) ||
    /^(?:\/private)?\/var\/folders\//.test(dir);
  return isTemp && OWN_NAMES.test(basename(path));
}
