import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateDir, writeAtomic } from "../core/files.ts";
import { TEMP_PREFIXES } from "../core/temp-names.ts";
import type { ToolCall } from "../core/tool-call.ts";

/**
 * Files of calls while they run. Rewritten commands lie in the run directory: it cannot be written in a sandbox, and the
 * shell that reads the file stands outside of it. What commands print lies in the temp directory: it can be written in
 * every sandbox, and what searches the workspace does not find its own output there.
 */
export class CommandFiles {
  readonly #dir: string;
  readonly #noteTemp: (path: string) => () => void;
  #outputs: { readonly dir: string; readonly forget: () => void } | undefined;

  /** @param noteTemp notes a path in the temp directory in case that this process is killed; see `TempRecords`. */
  constructor(runDir: string, noteTemp: (path: string) => () => void) {
    this.#dir = join(runDir, "commands");
    this.#noteTemp = noteTemp;
  }

  /** Path for what a call prints while it runs. The command makes it; no one else can guess the directory's name. */
  outputOf({ id }: ToolCall): string {
    const dir = this.#outputs?.dir ?? join(tmpdir(), `${TEMP_PREFIXES.output}${randomUUID()}`);
    this.#outputs ??= { dir, forget: this.#noteTemp(dir) };
    return join(dir, `${plainId(id)}.txt`);
  }

  /**
   * Writes the command of a call.
   * @returns path of the file.
   * @throws the file system's error when it cannot be written.
   */
  write(call: ToolCall, command: string): string {
    makePrivateDir(this.#dir);
    const path = this.#pathOf(call);
    writeAtomic(path, command, { durable: false });
    return path;
  }

  /** Removes what was written for a call, if anything was. */
  remove(call: ToolCall): void {
    rmSync(this.#pathOf(call), { force: true });
  }

  /** Removes all: of calls that an earlier process had under way when it was ended. */
  clear(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Removes what commands have printed; safe to call twice. */
  close(): void {
    if (this.#outputs === undefined) return;
    rmSync(this.#outputs.dir, { recursive: true, force: true });
    this.#outputs.forget();
    this.#outputs = undefined;
  }

  #pathOf({ id }: ToolCall): string {
    return join(this.#dir, `${plainId(id)}.sh`);
  }
}

/** The id of a call as the name of a file. */
export const plainId = (id: string): string => id.replace(/\W/g, "");
