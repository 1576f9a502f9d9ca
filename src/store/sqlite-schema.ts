import type Database from "libsql";
import { FlowerError } from "../core/errors.ts";

/** Version of the tables, kept in `user_version`. 1: first. */
export const SCHEMA_VERSION = 1;

// `clock` outlives what it stamped: without it a deletion would let the next append repeat an old time.
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
  CREATE TABLE clock (last INTEGER NOT NULL);
  INSERT INTO clock VALUES (0);
`;

/**
 * Makes the tables in a fresh database and leaves a current one alone.
 * @throws FlowerError `format` when a newer version wrote it; what SQLite throws otherwise.
 */
export function migrate(db: Database.Database, path: string): void {
  const version = versionOf(db);
  if (version > SCHEMA_VERSION)
    throw new FlowerError(
      "format",
      `${path} was written by a newer flower (schema ${version}, known: ${SCHEMA_VERSION})`,
      { nextStep: "update flower, or use another --run-dir", data: { path } },
    );
  if (version === SCHEMA_VERSION) return;
  inTransaction(db, () => {
    // Another process may have made the tables while this one waited for the lock.
    if (versionOf(db) === 0) db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`);
  });
}

/**
 * Runs `work` in one transaction that is rolled back when it throws.
 * IMMEDIATE takes the write lock first: a deferred one fails instead of waiting when another process writes.
 */
export function inTransaction(db: Database.Database, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    // SQLite has rolled back by itself after some errors, a full disk among them.
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(db: Database.Database): number {
  const [row] = db.pragma("user_version") as Array<{ user_version: number }>;
  return row?.user_version ?? 0;
}

/** The statements of the store, prepared once per connection: an append comes with every frame of a transcript. */
export type Statements = Readonly<
  Record<
    | "insert"
    | "tick"
    | "touch"
    | "load"
    | "sessions"
    | "subpaths"
    | "sizes"
    | "deleteEntries"
    | "deleteTranscript",
    Database.Statement
  >
>;

/** Prepares {@link Statements}; the tables must exist. */
export function prepareStatements(db: Database.Database): Statements {
  return {
    insert: db.prepare(
      `INSERT INTO entry (project, session, subpath, uuid, json) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project, session, subpath, uuid) WHERE uuid IS NOT NULL DO NOTHING`,
    ),
    // Strictly increasing, also when the system's clock stands still or goes back.
    tick: db.prepare("UPDATE clock SET last = max(last + 1, ?)"),
    touch: db.prepare(
      `INSERT INTO transcript (project, session, subpath, mtime) VALUES (?, ?, ?, (SELECT last FROM clock))
       ON CONFLICT DO UPDATE SET mtime = excluded.mtime`,
    ),
    load: db.prepare("SELECT json FROM entry WHERE project = ? AND session = ? AND subpath = ? ORDER BY seq"),
    sessions: db.prepare(
      "SELECT session, max(mtime) AS mtime FROM transcript WHERE project = ? GROUP BY session",
    ),
    sizes: db.prepare(
      `SELECT session AS sessionId, count(*) AS entries, sum(length(CAST(json AS BLOB))) AS bytes
       FROM entry WHERE project = ? GROUP BY session ORDER BY max(seq)`,
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
