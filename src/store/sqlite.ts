import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, PRIVATE_FILE_MODE } from "../core/files.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";

/** Version of the tables, kept in `user_version`. 1: first. */
const SCHEMA_VERSION = 1;

/** How long a writer waits for another process's transaction, ms. */
const BUSY_TIMEOUT_MS = 10_000;

const SCHEMA = `
  CREATE TABLE entry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    subpath TEXT NOT NULL,
    uuid TEXT,
    json TEXT NOT NULL
  );
  CREATE UNIQUE INDEX entry_uuid ON entry (project, session, subpath, uuid) WHERE uuid IS NOT NULL;
  CREATE INDEX entry_key ON entry (project, session, subpath, seq);
  CREATE TABLE transcript (
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    subpath TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    PRIMARY KEY (project, session, subpath)
  ) WITHOUT ROWID;
  CREATE INDEX transcript_mtime ON transcript (mtime);
`;

/** What `libsql` throws: SQLite's own code beside the message. */
interface SqliteError extends Error {
  code?: string;
}

const DAMAGED = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT"]);

/** Every transcript entry of a run directory in one SQLite file, in write-ahead mode. */
export class SqliteSessionStore implements SessionStore {
  readonly #db: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;

  private constructor(db: Database.Database) {
    this.#db = db;
    this.#statements = prepare(db);
  }

  /**
   * Opens or makes the file (0600, in a directory of 0700).
   * @throws FlowerError `store` when it cannot be opened; with `data.damaged` true when the file is no database any
   * more. `format` when a newer version wrote it.
   */
  static open({ path }: { path: string }): SqliteSessionStore {
    try {
      makePrivateDir(dirname(path));
      const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
      db.pragma("journal_mode = WAL");
      // In WAL mode a power cut may take the last transactions, never the file; a killed process loses nothing.
      db.pragma("synchronous = NORMAL");
      migrate(db, path);
      for (const file of [path, `${path}-wal`, `${path}-shm`])
        if (existsSync(file)) chmodSync(file, PRIVATE_FILE_MODE);
      return new SqliteSessionStore(db);
    } catch (error) {
      if (FlowerError.is(error)) throw error;
      const damaged = DAMAGED.has((error as SqliteError).code ?? "");
      throw new FlowerError("store", `the session store ${path} cannot be opened: ${errorText(error)}`, {
        nextStep: damaged
          ? "move it away, or use another --run-dir"
          : "see that its directory can be written",
        data: { path, damaged },
        cause: error,
      });
    }
  }

  async append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { insert, touch } = this.#statements;
    const names = [key.projectKey, key.sessionId, key.subpath ?? ""];
    const rows = entries.map((entry) => [...names, entry.uuid ?? null, JSON.stringify(entry)]);
    this.#transaction(() => {
      for (const row of rows) insert.run(...row);
      touch.run(...names, Date.now());
    });
  }

  async load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const names = [key.projectKey, key.sessionId, key.subpath ?? ""];
    const rows = this.#statements.load.all(...names) as Array<{ json: string }>;
    if (rows.length === 0) return null;
    return rows.map((row) => JSON.parse(row.json) as TranscriptEntry);
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtimeMs: number }>> {
    const rows = this.#statements.sessions.all(projectKey) as Array<{ session: string; mtime: number }>;
    return rows.map(({ session, mtime }) => ({ sessionId: session, mtimeMs: mtime }));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const rows = this.#statements.subpaths.all(key.projectKey, key.sessionId) as Array<{ subpath: string }>;
    return rows.map((row) => row.subpath).sort();
  }

  async delete(key: SessionKey): Promise<void> {
    const { deleteEntries, deleteTranscript } = this.#statements;
    const names = [key.projectKey, key.sessionId, key.subpath ?? null, key.subpath ?? null];
    this.#transaction(() => {
      deleteEntries.run(...names);
      deleteTranscript.run(...names);
    });
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** IMMEDIATE takes the write lock first: a deferred one fails instead of waiting when another process writes. */
  #transaction(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

function migrate(db: Database.Database, path: string): void {
  const version = versionOf(db);
  if (version > SCHEMA_VERSION)
    throw new FlowerError(
      "format",
      `${path} was written by a newer flower (schema ${version}, known: ${SCHEMA_VERSION})`,
      {
        nextStep: "update flower, or use another --run-dir",
        data: { path },
      },
    );
  if (version === SCHEMA_VERSION) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have made the tables while this one waited for the lock.
    if (versionOf(db) === 0) db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(db: Database.Database): number {
  return (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

function prepare(db: Database.Database) {
  return {
    insert: db.prepare(
      "INSERT OR IGNORE INTO entry (project, session, subpath, uuid, json) VALUES (?, ?, ?, ?, ?)",
    ),
    // Strictly increasing over the whole store, also when the clock stands still or goes back.
    touch: db.prepare(
      `INSERT INTO transcript (project, session, subpath, mtime)
       VALUES (?, ?, ?, max(?, (SELECT coalesce(max(mtime), 0) + 1 FROM transcript)))
       ON CONFLICT DO UPDATE SET mtime = excluded.mtime`,
    ),
    load: db.prepare("SELECT json FROM entry WHERE project = ? AND session = ? AND subpath = ? ORDER BY seq"),
    sessions: db.prepare(
      "SELECT session, max(mtime) AS mtime FROM transcript WHERE project = ? GROUP BY session",
    ),
    subpaths: db.prepare(
      "SELECT subpath FROM transcript WHERE project = ? AND session = ? AND subpath <> ''",
    ),
    deleteEntries: db.prepare(
      "DELETE FROM entry WHERE project = ? AND session = ? AND (? IS NULL OR subpath = ?)",
    ),
    deleteTranscript: db.prepare(
      "DELETE FROM transcript WHERE project = ? AND session = ? AND (? IS NULL OR subpath = ?)",
    ),
  };
}
