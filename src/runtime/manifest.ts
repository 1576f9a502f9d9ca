import { existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import { z } from "zod";
import { PRIVATE_FILE_MODE, writeJsonAtomic } from "../core/files.ts";
import type { Generation, StepResult, StepStatus } from "./contract.ts";
import { readJsonFile } from "./json-file.ts";
import { isAlive } from "./process-identity.ts";
import { lineageStepOf } from "./step-name.ts";

/** Version of a manifest row. 1: first. */
const ROW_VERSION = 1;

/** Rows of other versions of flower carry fields that this one does not know; they are kept as they are. */
const ROW = z.looseObject({ v: z.int(), run: z.string(), step: z.string(), status: z.string() });

/** A lock left by a process that died is taken over after this time. */
const STALE_LOCK_MS = 10_000;

type Row = z.infer<typeof ROW>;

/** One executed step. */
export interface ManifestRow {
  run: string;
  step: string;
  status: StepStatus;
  startedAt: string;
  endedAt: string | null;
  result: StepResult;
}

/** The books of a run directory: one row per executed step, accumulated over processes. */
export interface Manifest {
  readonly path: string;
  /** A word for the person when a damaged file was set aside. */
  readonly notice: string | undefined;
  /** Writes the row as it stands; rows of other processes are read again and kept. */
  write(row: ManifestRow): void;
}

/**
 * Opens `<runDir>/manifest.json`. Rows that a dead process left `running` are marked `interrupted`.
 * @throws FlowerError `format` for rows from a newer version.
 */
export function openManifest(runDir: string, runId: string): Manifest {
  const path = join(runDir, "manifest.json");
  const first = readJsonFile(path, z.array(ROW), ROW_VERSION);
  const own = new Map<string, Row>();

  const update = (change: (rows: Row[]) => Row[]): void => {
    // The lock needs the file to exist.
    if (!existsSync(path)) writeFileSync(path, "[]\n", { mode: PRIVATE_FILE_MODE });
    const release = lockfile.lockSync(path, { stale: STALE_LOCK_MS });
    try {
      const read = readJsonFile(path, z.array(ROW), ROW_VERSION);
      writeJsonAtomic(path, change("value" in read ? read.value : []));
    } finally {
      release();
    }
  };

  if ("value" in first && first.value.some(isOrphan))
    update((rows) =>
      rows.map((row) => (isOrphan(row) ? { ...row, status: "interrupted" satisfies StepStatus } : row)),
    );

  return {
    path,
    notice: "damaged" in first ? first.damaged : undefined,
    write(row) {
      own.set(`${row.step} ${row.startedAt}`, toRow(row));
      update((rows) => [...rows.filter((other) => other.run !== runId), ...own.values()]);
    },
  };
}

/** A row that says `running` although its process is gone: it was killed before it could write more. */
function isOrphan(row: Row): boolean {
  const { pid, host } = row;
  return (
    row.status === "running" && typeof pid === "number" && typeof host === "string" && !isAlive({ pid, host })
  );
}

/** Rows in execution order, as read from disk, e.g. for `flower cost`. */
export function readManifest(runDir: string): readonly Readonly<Row>[] {
  const read = readJsonFile(join(runDir, "manifest.json"), z.array(ROW), ROW_VERSION);
  return "value" in read ? read.value : [];
}

/** Context of a session when it was last seen, tokens; 0 when the books do not know. */
export function lastContext(runDir: string, sessionId: string): number {
  const row = readManifest(runDir).findLast(
    (each) => each["sessionId"] === sessionId && Number(each["context"]) > 0,
  );
  return Number(row?.["context"] ?? 0);
}

/** The session that handed over last in earlier runs of a step, by its English id without round. */
export function lastRetired(runDir: string, lineageStep: string): Generation | undefined {
  const generations = readManifest(runDir)
    .filter((row) => lineageStepOf(row.step) === lineageStep)
    .map((row) => row["generations"])
    .findLast((all) => Array.isArray(all) && all.length > 0);
  return (generations as Generation[] | undefined)?.at(-1);
}

function toRow({ run, step, status, startedAt, endedAt, result }: ManifestRow): Row {
  return {
    v: ROW_VERSION,
    run,
    step,
    status,
    sessionId: result.sessionId ?? null,
    ok: result.ok,
    costUsd: result.costUsd,
    costIsEstimate: result.costIsEstimate,
    numTurns: result.numTurns,
    text: result.text,
    error: result.error ?? null,
    startedAt,
    endedAt,
    durationS: result.durationMs / 1000,
    attempts: result.attempts,
    errors: result.errors,
    resumed: result.resumed,
    retired: result.retired,
    generations: result.generations,
    context: result.context,
    window: result.window,
    tokens: result.tokens,
    refusals: result.refusals,
    worktrees: result.worktrees,
    predecessorCostUsd: result.predecessorCostUsd,
    // Whose row it is, so that a later run can tell a killed process from a living one.
    pid: process.pid,
    host: hostname(),
  };
}
