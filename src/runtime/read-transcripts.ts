import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { errorText, FlowerError } from "../core/errors.ts";
import type { TranscriptEntry } from "../store/contract.ts";
import { prepareStatements, SCHEMA_VERSION } from "../store/sqlite-schema.ts";
import type { SessionSize } from "../store/sqlite.ts";
import { projectKeyOf } from "./project-key.ts";

/** How long a read waits for another process, ms. In write-ahead mode only a recovery makes it wait. */
const BUSY_TIMEOUT_MS = 5_000;
const AGENT_PATH = "subagents/agent-";

/** The transcripts of a workspace in a run directory, to be read. */
export interface Transcripts {
  /** By session id, oldest first; subagents included. */
  sizes(): ReadonlyMap<string, SessionSize>;
  /** Ids of a session's subagents. */
  agents(sessionId: string): string[];
  /** A thread as it was stored; the main one without `agentId`. Empty when there is none. */
  thread(sessionId: string, agentId?: string): TranscriptEntry[];
  close(): void;
}

/**
 * Opens `sessions.db` for reading alone, also while a run writes it: nothing is made, moved or changed but SQLite's own
 * shared memory. Undefined when there is no database yet.
 * @param places both absolute.
 * @throws FlowerError `store` when it is damaged or cannot be read, `format` when a newer version wrote it; so do the
 * calls.
 */
export function openTranscripts(places: { workspace: string; runDir: string }): Transcripts | undefined {
  const path = join(places.runDir, "sessions.db");
  if (!existsSync(path)) return undefined;
  const project = projectKeyOf(places.workspace, places.runDir);
  return reading(path, () => {
    const db = new Database(addressOf(path), { timeout: BUSY_TIMEOUT_MS });
    const [row] = db.pragma("user_version") as Array<{ user_version: number }>;
    const version = row?.user_version ?? 0;
    if (version > SCHEMA_VERSION) {
      db.close();
      throw new FlowerError(
        "format",
        `${path} was written by a newer flower (schema ${version}, known: ${SCHEMA_VERSION})`,
        { nextStep: "update flower", data: { path } },
      );
    }
    // A run that was killed at its very beginning had made no tables.
    if (version === 0) {
      db.close();
      return undefined;
    }
    const { sizes, subpaths, load } = prepareStatements(db);
    return {
      sizes: () =>
        reading(path, () => {
          const rows = sizes.all(project) as SessionSize[];
          return new Map(rows.map((size) => [size.sessionId, size]));
        }),
      agents: (sessionId) =>
        reading(path, () =>
          (subpaths.all(project, sessionId) as Array<{ subpath: string }>)
            .map(({ subpath }) => subpath)
            .filter((subpath) => subpath.startsWith(AGENT_PATH))
            .map((subpath) => subpath.slice(AGENT_PATH.length))
            .sort(),
        ),
      thread: (sessionId, agentId) =>
        reading(path, () => {
          const subpath = agentId === undefined ? "" : `${AGENT_PATH}${agentId}`;
          const rows = load.all(project, sessionId, subpath) as Array<{ json: string }>;
          return rows.map(({ json }) => JSON.parse(json) as TranscriptEntry);
        }),
      close: () => void db.close(),
    };
  });
}

/**
 * As an address that opens for reading. Without a log beside it nobody writes the file, and `immutable` keeps SQLite
 * from making a log and shared memory just to read; with one, the log holds the newest entries.
 */
function addressOf(path: string): string {
  const mode = existsSync(`${path}-wal`) ? "mode=ro" : "mode=ro&immutable=1";
  return `${pathToFileURL(path).href}?${mode}`;
}

function reading<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (FlowerError.is(error)) throw error;
    const damaged = /^SQLITE_(?:NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? "");
    throw new FlowerError(
      "store",
      `the session store ${path} ${damaged ? "is damaged" : "cannot be read"}: ${errorText(error)}`,
      {
        nextStep: damaged
          ? "put a copy back if you have one; the next run sets it aside and starts without it; documents and books are not concerned: flower show, flower cost"
          : "see that it is a file and may be read",
        data: { path, damaged },
        cause: error,
      },
    );
  }
}
