import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateDir, writeJsonAtomic } from "../core/files.ts";
import { readJsonFile } from "./json-file.ts";

const RECORD_VERSION = 1;
const RECORD = z.object({
  v: z.literal(RECORD_VERSION),
  id: z.string().regex(/^[A-Za-z0-9]+$/),
  path: z.string(),
  branch: z.string(),
  base: z.string(),
  step: z.string(),
  run: z.string(),
  settled: z.boolean(),
});

/** A worktree that a run made and that is still there, as far as flower knows. */
export type WorktreeRecord = Omit<z.infer<typeof RECORD>, "v">;

/** Notes worktrees on disk from the moment they are made, so that a later run finds those of a killed one. */
export class WorktreeRecords {
  readonly #dir: string;

  constructor(runDir: string) {
    this.#dir = join(runDir, "worktrees");
  }

  /**
   * Writes a record, or writes it anew.
   * @throws the file system's error: without a record the worktree would be forgotten.
   */
  write(record: WorktreeRecord): void {
    makePrivateDir(this.#dir);
    writeJsonAtomic(this.#file(record.id), { v: RECORD_VERSION, ...record });
  }

  forget(id: string): void {
    rmSync(this.#file(id), { force: true });
  }

  /**
   * All records, by id; a damaged one is set aside.
   * @throws FlowerError `format` for one of a newer version.
   */
  all(): WorktreeRecord[] {
    let names: string[];
    try {
      names = readdirSync(this.#dir);
    } catch {
      return [];
    }
    return names
      .filter((name) => name.endsWith(".json"))
      .sort()
      .flatMap((name) => {
        const read = readJsonFile(join(this.#dir, name), RECORD, RECORD_VERSION);
        return "value" in read ? [read.value] : [];
      });
  }

  #file(id: string): string {
    return join(this.#dir, `${id}.json`);
  }
}
