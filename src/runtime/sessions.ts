import { existsSync } from "node:fs";
import { join } from "node:path";
import { SqliteSessionStore, type SessionSize } from "../store/sqlite.ts";
import type { Generation } from "./contract.ts";
import { readManifest } from "./manifest.ts";
import { projectKeyOf } from "./project-key.ts";

/** A session of a run directory, as far as its books and its store tell. */
export interface SessionSummary {
  sessionId: string;
  /** English id of the step that used it last; null when no row names it. */
  step: string | null;
  /** How that step stands; `retired` of a session that handed over. Null when no row names it. */
  status: string | null;
  /** ISO times of its first and last step; null while that runs, or when no row names it. */
  startedAt: string | null;
  endedAt: string | null;
  /** Transcript entries and their bytes, subagents included. */
  entries: number;
  bytes: number;
  /** Main-thread context when it was last seen, and the window; tokens. Null before the first reply, or when no row names it. */
  context: number | null;
  window: number | null;
  /** US dollars, over all its steps. Null when no row names it. */
  costUsd: number | null;
}

/**
 * All sessions of a run directory, the one used last at the end; those that only the store knows come first. Also of a
 * run that is under way.
 * @throws FlowerError `store` or `format` when books or store cannot be read.
 */
export async function listSessions(places: {
  workspace: string;
  /** Absolute. */
  runDir: string;
}): Promise<SessionSummary[]> {
  return foldSessions(readManifest(places.runDir), await storedSizes(places));
}

/**
 * {@link listSessions} of rows and sizes that were read already.
 * @param rows in execution order.
 * @param sizes what the store holds; undefined when there is no store to ask, then every named session counts.
 */
export function foldSessions(
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
  sizes: ReadonlyMap<string, SessionSize> | undefined,
): SessionSummary[] {
  const found = new Map<string, SessionSummary>();
  for (const { sessionId } of sizes?.values() ?? []) found.set(sessionId, unnamed(sessionId));
  for (const use of rows.flatMap(usesOf)) {
    const before = found.get(use.sessionId);
    // At the end, where the last one used belongs.
    found.delete(use.sessionId);
    found.set(use.sessionId, {
      ...use,
      startedAt: before?.startedAt ?? use.startedAt,
      // A run that failed before its first request saw no context.
      context: use.context ?? before?.context ?? null,
      window: use.window ?? before?.window ?? null,
      costUsd: (before?.costUsd ?? 0) + (use.costUsd ?? 0),
    });
  }
  // Books may serve several workspaces; a session that has just begun is in no store yet.
  return [...found.values()].flatMap((session) => {
    const { entries = 0, bytes = 0 } = sizes?.get(session.sessionId) ?? {};
    const isForeign = sizes !== undefined && entries === 0 && session.status !== "running";
    return isForeign ? [] : [{ ...session, entries, bytes }];
  });
}

async function storedSizes({
  workspace,
  runDir,
}: {
  workspace: string;
  runDir: string;
}): Promise<ReadonlyMap<string, SessionSize> | undefined> {
  const path = join(runDir, "sessions.db");
  // The runs had a store of their own.
  if (!existsSync(path)) return undefined;
  const store = SqliteSessionStore.open({ path });
  try {
    const sizes = store.sizes(projectKeyOf(workspace, runDir));
    return new Map(sizes.map((size) => [size.sessionId, size]));
  } finally {
    await store.close();
  }
}

function unnamed(sessionId: string): SessionSummary {
  const nothing = { step: null, status: null, startedAt: null, endedAt: null };
  return { sessionId, ...nothing, entries: 0, bytes: 0, context: null, window: null, costUsd: null };
}

/** Sessions that a row names, oldest first: those it burned, then its last one. */
function usesOf(row: Readonly<Record<string, unknown>>): SessionSummary[] {
  const generations = (Array.isArray(row["generations"]) ? row["generations"] : []) as Generation[];
  const burnedUsd = generations.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const base = {
    ...unnamed(""),
    step: textOf(row["step"]),
    startedAt: textOf(row["startedAt"]),
    endedAt: textOf(row["endedAt"]),
    window: tokensOf(row["window"]),
  };
  const burned = generations.map(({ sessionId, contextAtCut, costUsd }) => ({
    ...base,
    sessionId,
    status: "retired",
    context: contextAtCut,
    costUsd,
  }));
  const last = textOf(row["sessionId"]);
  // Of a run that ended before the successor began, the last one is burned already.
  if (last === null || generations.some(({ sessionId }) => sessionId === last)) return burned;
  const costUsd = Math.max(0, Number(row["costUsd"] ?? 0) - burnedUsd);
  const own = { status: textOf(row["status"]), context: tokensOf(row["context"]), costUsd };
  return [...burned, { ...base, ...own, sessionId: last }];
}

/** Rows hold 0 as long as nothing is known. */
const tokensOf = (value: unknown): number | null => (typeof value === "number" && value > 0 ? value : null);

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
