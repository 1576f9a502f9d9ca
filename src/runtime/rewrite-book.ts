import { join } from "node:path";
import { z } from "zod";
import { writeJsonAtomic } from "../core/files.ts";
import type { SessionKey } from "../store/contract.ts";
import { readJsonFile } from "./json-file.ts";

/** Version of `rewrites.json`. 1: first. */
const BOOK_VERSION = 1;
const FILE = z.object({ v: z.literal(BOOK_VERSION), horizons: z.record(z.string(), z.string()) });

/**
 * How far each session's history was rewritten when it was loaded last: what the API may have in its cache stays as it
 * was. It is worth some cache and nothing else, so a book that cannot be written or read is no reason to stop.
 */
export class RewriteBook {
  readonly #path: string;
  readonly #horizons: Map<string, string>;

  constructor(runDir: string) {
    this.#path = join(runDir, "rewrites.json");
    this.#horizons = new Map(Object.entries(readHorizons(this.#path)));
  }

  /** Uuid of the last entry that the last rewrite had before it. */
  horizon(key: SessionKey): string | undefined {
    return this.#horizons.get(nameOf(key));
  }

  /** Notes it for the next load. */
  rewritten(key: SessionKey, horizon: string): void {
    if (this.horizon(key) === horizon) return;
    this.#horizons.set(nameOf(key), horizon);
    try {
      writeJsonAtomic(this.#path, { v: BOOK_VERSION, horizons: Object.fromEntries(this.#horizons) });
    } catch {
      // The next run rewrites from scratch.
    }
  }
}

const nameOf = ({ sessionId, subpath }: SessionKey): string =>
  subpath === undefined ? sessionId : `${sessionId}/${subpath}`;

function readHorizons(path: string): Record<string, string> {
  try {
    const read = readJsonFile(path, FILE, BOOK_VERSION);
    return "value" in read ? read.value.horizons : {};
  } catch {
    return {};
  }
}
