import { join } from "node:path";
import { z } from "zod";
import { writeJsonAtomic } from "../core/files.ts";
import type { SessionKey } from "../store/contract.ts";
import { readJsonFile } from "./json-file.ts";

/** Version of `rewrites.json`. 1: first; `servedBy` came later, and books without it are read. */
const BOOK_VERSION = 1;

const SERVED_BY = z.object({ model: z.string(), endpoint: z.string() });
const FILE = z.object({
  v: z.literal(BOOK_VERSION),
  horizons: z.record(z.string(), z.string()),
  servedBy: z.record(z.string(), SERVED_BY).default({}),
});

/** Who answers a session's requests: a prompt's cache is the model's and the endpoint's own. */
export interface ServedBy {
  /** As it is configured; empty = the harness's default. */
  model: string;
  /** Hash of its URL, which may hold a token. */
  endpoint: string;
}

/**
 * How far each session's history was rewritten when it was loaded last, and for whom: what the API may have in its cache
 * stays as it was. It is worth some cache and nothing else, so a book that cannot be written or read is no reason to stop.
 */
export class RewriteBook {
  readonly #path: string;
  readonly #horizons: Map<string, string>;
  readonly #servedBy: Map<string, ServedBy>;

  constructor(runDir: string) {
    this.#path = join(runDir, "rewrites.json");
    const { horizons, servedBy } = readBook(this.#path);
    this.#horizons = new Map(Object.entries(horizons));
    this.#servedBy = new Map(Object.entries(servedBy));
  }

  /** Uuid of the entry that the session went on from at its last rewrite. */
  horizon(key: SessionKey): string | undefined {
    return this.#horizons.get(nameOf(key));
  }

  /** Notes it for the next load. */
  rewritten(key: SessionKey, horizon: string): void {
    if (this.horizon(key) === horizon) return;
    this.#horizons.set(nameOf(key), horizon);
    this.#write();
  }

  /** Whether another model or endpoint is known to have served a session last: this one has nothing of it in its cache. */
  servedElsewhere(key: SessionKey, now: ServedBy): boolean {
    const last = this.#servedBy.get(nameOf(key));
    if (last === undefined) return false;
    const isOtherModel = last.model !== now.model && last.model !== "" && now.model !== "";
    return isOtherModel || last.endpoint !== now.endpoint;
  }

  /** Notes who serves a session from now on. */
  served(key: SessionKey, now: ServedBy): void {
    const last = this.#servedBy.get(nameOf(key));
    if (last?.model === now.model && last.endpoint === now.endpoint) return;
    this.#servedBy.set(nameOf(key), now);
    this.#write();
  }

  #write(): void {
    try {
      writeJsonAtomic(this.#path, {
        v: BOOK_VERSION,
        horizons: Object.fromEntries(this.#horizons),
        servedBy: Object.fromEntries(this.#servedBy),
      });
    } catch {
      // The next run rewrites from scratch.
    }
  }
}

const nameOf = ({ sessionId, subpath }: SessionKey): string =>
  subpath === undefined ? sessionId : `${sessionId}/${subpath}`;

function readBook(path: string): Pick<z.infer<typeof FILE>, "horizons" | "servedBy"> {
  const nothing = { horizons: {}, servedBy: {} };
  try {
    const read = readJsonFile(path, FILE, BOOK_VERSION);
    return "value" in read ? read.value : nothing;
  } catch {
    return nothing;
  }
}
