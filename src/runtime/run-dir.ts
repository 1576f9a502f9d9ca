import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { FlowerError } from "../core/errors.ts";
import type { EventLineListener } from "../core/event-line.ts";
import { setAside } from "../core/files.ts";
import type { SessionStore } from "../store/contract.ts";
import { SqliteSessionStore } from "../store/sqlite.ts";
import { Workbench, type WorkbenchOptions } from "../workbench/workbench.ts";
import { holdWorkbench, type HeldWorkbench } from "./held-workbench.ts";
import { openEventLog, type EventLog } from "./event-log.ts";
import { Lineage } from "./lineage.ts";
import { openMailFile, type MailFile } from "./mail-file.ts";
import { openManifest, type Manifest } from "./manifest.ts";
import { TempRecords } from "./temp-records.ts";
import { lockRunDir, type RunLock } from "./run-lock.ts";
import { unwritable } from "./unwritable.ts";

/** Everything that a run keeps in its run directory. */
export interface RunDir {
  lock: RunLock;
  log: EventLog;
  manifest: Manifest;
  lineage: Lineage;
  store: SessionStore;
  temp: TempRecords;
  mail: MailFile;
  workbench: Workbench | undefined;
  /** What was damaged or does not match, one line each. */
  notices: readonly string[];
  close(): Promise<void>;
}

/** How to open a run directory. */
export interface RunDirOptions {
  runDir: string;
  runId: string;
  workspace: string;
  /** Secrets are removed before an event goes anywhere. */
  redact: <T>(value: T) => T;
  listener: EventLineListener | undefined;
  /** Instead of the directory's own database; it is not closed with the directory. */
  store: SessionStore | undefined;
  /** Undefined = the run has none. */
  workbench: WorkbenchOptions | undefined;
}

/**
 * Locks a run directory and opens its files; damaged ones are set aside.
 * @throws FlowerError `locked`, `workspace`, `store` or `format`; nothing stays locked or open then.
 */
export function openRunDir(options: RunDirOptions): RunDir {
  try {
    return openFiles(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (FlowerError.is(error) || code === undefined) throw error;
    throw unwritable(`the run directory ${options.runDir}`, error);
  }
}

function openFiles(options: RunDirOptions): RunDir {
  const { runDir, runId, workspace } = options;
  // First: it refuses a workspace that is no directory before anything is made in it.
  if (options.workbench !== undefined) Workbench.open(options.workbench);
  const lock = lockRunDir(runDir, runId);
  let held: HeldWorkbench | undefined;
  const release = (): void => {
    held?.release();
    lock.release();
  };
  const check = (): void => lock.check();
  try {
    if (options.workbench !== undefined) held = holdWorkbench({ ...options.workbench, runDir, runId });
    const log = openEventLog(runDir, runId, options.redact, options.listener);
    const manifest = openManifest(runDir, runId, check);
    const lineage = Lineage.open(runDir, workspace).guardedBy(check);
    const mail = openMailFile(runDir, check);
    const opened: { store: SessionStore; notice?: string } =
      options.store === undefined ? openStore(join(runDir, "sessions.db")) : { store: options.store };
    const temp = new TempRecords(runDir);
    const swept = temp.sweep();
    return {
      lock,
      temp,
      mail,
      log,
      manifest,
      lineage,
      store: opened.store,
      workbench: held?.workbench,
      notices: [held?.notice, manifest.notice, lineage.mismatch, mail.notice, opened.notice].filter(
        (notice) => notice !== undefined,
      ),
      async close() {
        await swept;
        if (options.store === undefined) await opened.store.close();
        log.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Opens the database; a damaged one is set aside so that the run starts fresh and nothing is lost. */
function openStore(path: string): { store: SessionStore; notice?: string } {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const kept = setAside(path);
    return {
      store: SqliteSessionStore.open({ path }),
      notice: `${path} is a directory; kept as ${kept}, starting fresh`,
    };
  }
  try {
    return { store: SqliteSessionStore.open({ path }) };
  } catch (error) {
    if (!FlowerError.is(error) || error.data["damaged"] !== true) throw error;
    const kept = setAside(path);
    // A write-ahead log of the damaged file would be taken for the new one's.
    for (const rest of ["-wal", "-shm"]) if (existsSync(path + rest)) setAside(path + rest);
    return {
      store: SqliteSessionStore.open({ path }),
      notice: `${path} is damaged; kept as ${kept}, starting fresh`,
    };
  }
}
