import { rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDir, writeAtomic } from "../core/files.ts";
import type { ToolCall } from "../core/tool-call.ts";

/**
 * Holds rewritten commands while their calls run. They lie in the run directory: it cannot be written in a sandbox, and
 * the shell that reads the file stands outside of it.
 */
export class CommandFiles {
  readonly #dir: string;

  constructor(runDir: string) {
    this.#dir = join(runDir, "commands");
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

  #pathOf({ id }: ToolCall): string {
    return join(this.#dir, `${id.replace(/\W/g, "")}.sh`);
  }
}
