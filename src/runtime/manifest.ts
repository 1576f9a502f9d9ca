import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateDir, writeJsonAtomic } from "../core/files.ts";
import type { Generation, StepResult, StepStatus } from "./contract.ts";
import { readJsonFile } from "./json-file.ts";
import { lineageStepOf } from "./step-name.ts";

/** Version of a manifest row. 1: first. */
const ROW_VERSION = 1;

/** Rows of other versions of flower carry fields that this one does not know; they are kept as they are. */
const ROW = z.looseObject({ v: z.int(), run: z.string(), step: z.string(), status: z.string() });

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
  /** Writes the row as it stands; rows of other runs are kept. */
  write(row: ManifestRow): void;
}

/**
 * Opens `<runDir>/manifest.json` of a locked run directory. Rows that a dead run left `running` are marked `interrupted`.
 * @param check asked before each change, which does not happen when it throws.
 * @throws FlowerError `format` for rows from a newer version.
 */
export function openManifest(runDir: string, runId: string, check: () => void): Manifest {
  const path = join(runDir, "manifest.json");
  const first = readJsonFile(path, z.array(ROW), ROW_VERSION);
  const own = new Map<string, Row>();

  const update = (change: (rows: Row[]) => Row[]): void => {
    check();
    const read = readJsonFile(path, z.array(ROW), ROW_VERSION);
    // Somebody may have deleted it while the run was under way.
    makePrivateDir(runDir);
    writeJsonAtomic(path, change("value" in read ? read.value : []));
  };

  // Whoever opens the books holds the run directory: no other run works in it.
  const isOrphan = (row: Row): boolean => row.status === "running" && row.run !== runId;
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
    // Whose row it is, for whoever looks at it meanwhile.
    pid: process.pid,
    host: hostname(),
  };
}
