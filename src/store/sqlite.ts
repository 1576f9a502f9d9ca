import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, PRIVATE_FILE_MODE } from "../core/files.ts";
import { closedError } from "./closed-error.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";
import { inTransaction, migrate, prepareStatements, type Statements } from "./sqlite-schema.ts";

/** How long a call waits for another process's transaction before it throws, ms; it blocks while it waits. */
const BUSY_TIMEOUT_MS = 5_000;

/** Part of what a write throws when somebody deletes or replaces the file of an open store. */
export const STORE_GONE = "the file was deleted or replaced while it was in use";

/** A live connection with its statements; they go together, since a statement keeps its connection open. */
interface Connection {
  db: Database.Database;
  statements: Statements;
  /** The file that it was opened on, by device and inode. */
  file: string;
}

/** What one session takes. */
export interface SessionSize {
  sessionId: string;
  /** Transcript entries. */
  entries: number;
  bytes: number;
}

/** Transcripts in one SQLite file, in write-ahead mode; several processes may use the file at once. */
export class SqliteSessionStore implements SessionStore {
  readonly #path: string;
  #connection: Connection | undefined;

  private constructor(path: string, connection: Connection) {
    this.#path = path;
    this.#connection = connection;
  }

  /**
   * Opens or makes the file (0600, in a directory of 0700).
   * `busyTimeoutMs`: how long a call waits for another process's transaction before it throws; default 5,000.
   * @throws FlowerError `store` when it cannot be opened, with `data.path`, and with `data.damaged` true when the file
   * is no sound database any more; `format` when a newer version wrote it. All calls of the store throw `store` with
   * the same data when SQLite fails.
   */
  static open({
    path,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
  }: {
    path: string;
    busyTimeoutMs?: number;
  }): SqliteSessionStore {
    let db: Database.Database | undefined;
    try {
      makePrivateDir(dirname(path));
      makePrivateFile(path);
      db = new Database(path, { timeout: busyTimeoutMs });
      db.pragma("journal_mode = WAL");
      // In WAL mode a power cut may take the last transactions, never the file; a killed process loses nothing.
      db.pragma("synchronous = NORMAL");
      migrate(db, path);
      assertSound(db);
      const file = fileAt(path) ?? "";
      return new SqliteSessionStore(path, { db, statements: prepareStatements(db), file });
    } catch (error) {
      db?.close();
      throw FlowerError.is(error) ? error : storeError(path, "opened", error);
    }
  }

  async append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    const rows = entries.map(
      (entry) => [...namesOf(key), entry.uuid ?? null, JSON.stringify(entry)] as const,
    );
    this.#use("written", ({ db, statements, file }) => {
      if (rows.length === 0) return;
      // SQLite would go on writing into a file that nobody can open any more.
      if (fileAt(this.#path) !== file) throw new Error(STORE_GONE);
      inTransaction(db, () => {
        for (const row of rows) statements.insert.run(...row);
        statements.tick.run(Date.now());
        statements.touch.run(...namesOf(key));
      });
    });
  }

  async load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const rows = this.#use("read", ({ statements }) => statements.load.all(...namesOf(key)));
    if (rows.length === 0) return null;
    return (rows as Array<{ json: string }>).map(({ json }) => JSON.parse(json) as TranscriptEntry);
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtimeMs: number }>> {
    const rows = this.#use("read", ({ statements }) => statements.sessions.all(projectKey));
    return (rows as Array<{ session: string; mtime: number }>).map(({ session, mtime }) => ({
      sessionId: session,
      mtimeMs: mtime,
    }));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const rows = this.#use("read", ({ statements }) =>
      statements.subpaths.all(key.projectKey, key.sessionId),
    );
    return (rows as Array<{ subpath: string }>).map(({ subpath }) => subpath).sort();
  }

  /** How much of each session of a project is stored, subagents included; oldest first. */
  sizes(projectKey: string): SessionSize[] {
    return this.#use("read", ({ statements }) => statements.sizes.all(projectKey)) as SessionSize[];
  }

  async delete(key: SessionKey): Promise<void> {
    const subpath = key.subpath ?? null;
    const names = [key.projectKey, key.sessionId, subpath, subpath];
    this.#use("written", ({ db, statements }) => {
      inTransaction(db, () => {
        statements.deleteEntries.run(...names);
        statements.deleteTranscript.run(...names);
      });
    });
  }

  async close(): Promise<void> {
    const db = this.#connection?.db;
    // libsql 0.5.29 keeps the file open, and statements usable, until they are collected: nothing may hold them.
    this.#connection = undefined;
    if (db === undefined) return;
    foldLog(db);
    db.close();
  }

  #use<T>(purpose: "read" | "written", work: (connection: Connection) => T): T {
    if (this.#connection === undefined) throw closedError();
    try {
      return work(this.#connection);
    } catch (error) {
      throw storeError(this.#path, purpose, error);
    }
  }
}

function fileAt(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}

function namesOf(key: SessionKey): [project: string, session: string, subpath: string] {
  return [key.projectKey, key.sessionId, key.subpath ?? ""];
}

/** SQLite gives its log and its shared memory the mode of the database, so this alone keeps all three private. */
function makePrivateFile(path: string): void {
  try {
    // "wx" never opens an existing file: closing it would drop the locks that this process's other stores hold on it.
    closeSync(openSync(path, "wx", PRIVATE_FILE_MODE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(path, PRIVATE_FILE_MODE);
  }
}

/** Damage behind the first page would show in the middle of a run only. About 1 ms a megabyte. */
function assertSound(db: Database.Database): void {
  const [row] = db.pragma("quick_check(1)") as Array<{ quick_check: string }>;
  if (row?.quick_check !== "ok")
    throw Object.assign(new Error(row?.quick_check ?? "no answer to quick_check"), {
      code: "SQLITE_CORRUPT",
    });
}

/** Moves the write-ahead log into the database file, unless another connection is busy or the disk is full. */
function foldLog(db: Database.Database): void {
  try {
    db.pragma("busy_timeout = 0");
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch {
    // What stays in the log is not lost: the next connection reads it there.
  }
}

/** `damaged` tells the caller to set the file aside. SQLite's codes are beside the message of what libsql throws. */
function storeError(path: string, purpose: "opened" | "read" | "written", error: unknown): FlowerError {
  const code = (error as { code?: string }).code ?? "";
  const damaged = code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT");
  return new FlowerError("store", `the session store ${path} cannot be ${purpose}: ${errorText(error)}`, {
    nextStep: nextStepFor(code, damaged),
    data: { path, damaged },
    cause: error,
  });
}

function nextStepFor(code: string, damaged: boolean): string {
  if (damaged) return "move it away, or use another --run-dir";
  if (code.startsWith("SQLITE_FULL")) return "free space on its disk";
  if (code.startsWith("SQLITE_BUSY")) return "end the process that holds it locked";
  return "see that it is a file and its directory can be written";
}
