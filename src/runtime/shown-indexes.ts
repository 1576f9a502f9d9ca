import { join } from "node:path";
import { z } from "zod";
import { writeJsonAtomic } from "../core/files.ts";
import { readJsonFile } from "./json-file.ts";

/** Version of `shown-indexes.json`. 1: first. */
const BOOK_VERSION = 1;
const FILE = z.object({ v: z.literal(BOOK_VERSION), sessions: z.record(z.string(), z.string()) });

/** Sessions that are remembered; of an older one the next resume shows the whole index again. */
const MAX_SESSIONS = 20;

/**
 * The workbench index as each session's main thread was last shown it. A resumed session has it in its history: what it
 * hears is only what changed since. A book that cannot be written or read costs one index and nothing else; one that
 * a newer version wrote is left alone.
 */
export class ShownIndexes {
  readonly #path: string;
  readonly #sessions: Map<string, string>;
  readonly #mayWrite: boolean;

  constructor(runDir: string) {
    this.#path = join(runDir, "shown-indexes.json");
    const sessions = readSessions(this.#path);
    this.#mayWrite = sessions !== undefined;
    this.#sessions = new Map(Object.entries(sessions ?? {}));
  }

  /** Undefined: it was shown none, or nobody knows. */
  of(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Notes what a session's history holds; undefined = none any more. */
  note(sessionId: string, index: string | undefined): void {
    if (this.of(sessionId) === index) return;
    this.#sessions.delete(sessionId);
    if (index !== undefined) this.#sessions.set(sessionId, index);
    if (!this.#mayWrite) return;
    const newest = Object.fromEntries([...this.#sessions].slice(-MAX_SESSIONS));
    try {
      writeJsonAtomic(this.#path, { v: BOOK_VERSION, sessions: newest });
    } catch {
      // The next resume shows the whole index.
    }
  }
}

/** Undefined: it is not to be touched. */
function readSessions(path: string): Record<string, string> | undefined {
  try {
    const read = readJsonFile(path, FILE, BOOK_VERSION);
    return "value" in read ? read.value.sessions : {};
  } catch {
    return undefined;
  }
}
