import { join } from "node:path";
import { z, type ZodType } from "zod";
import { errorText } from "../core/errors.ts";
import { lookAtJson } from "../core/look-at-json.ts";
import { NO_TOKENS } from "../core/tokens.ts";
import { isAlive, PROCESS_IDENTITY } from "./process-identity.ts";

/** Newest version of each file that this reader knows. */
const KNOWN_VERSION = 1;
const MANIFEST = "manifest.json";

const figure = z.number().catch(0);
const word = z.string().nullable().catch(null);
const TOKENS = z
  .object({ input: figure, cacheRead: figure, cacheWrite: figure, output: figure })
  .catch(NO_TOKENS);

const GENERATION = z.object({
  sessionId: z.string(),
  contextAtCut: figure,
  reason: z.string().catch(""),
  degraded: z.boolean().catch(false),
  path: word,
  costUsd: figure,
  tokens: TOKENS,
});

/** Fields that are not there count as nothing: rows may be of an older version, or written by hand. */
const ROW = z.object({
  run: z.string(),
  step: z.string(),
  status: z.string(),
  sessionId: word,
  costUsd: figure,
  costIsEstimate: z.boolean().catch(false),
  numTurns: figure,
  text: z.string().catch(""),
  error: word,
  startedAt: word,
  endedAt: word,
  context: figure,
  window: figure,
  generations: z.array(GENERATION).catch([]),
  tokens: z.object({ main: TOKENS, subagents: TOKENS }).catch({ main: NO_TOKENS, subagents: NO_TOKENS }),
  predecessorCostUsd: figure,
});

const LINEAGE = z.object({
  woke: figure,
  request: z.string().optional(),
  steps: z.record(z.string(), z.object({ sessionId: z.string() })),
});

const LOCK = z.object({
  run: z.string(),
  since: z.string(),
  step: z.string().nullable(),
  process: PROCESS_IDENTITY,
});

/** A row of the manifest, as far as it is shown. */
export type BookRow = z.infer<typeof ROW>;

/** Steps with their last sessions, and what was asked for. */
export type LineageView = z.infer<typeof LINEAGE>;

/** Who holds the run directory; `alive` false: the process is gone and left its lock behind. */
export type Holder = z.infer<typeof LOCK> & { alive: boolean };

/** A file that does not tell what it should; `detail` says where or why, in English. */
export interface FileProblem {
  path: string;
  kind: "damaged" | "newer" | "unreadable";
  detail: string;
}

/** What the small files of a run directory say. */
export interface RunFiles {
  /** In execution order. */
  rows: readonly BookRow[];
  lineage: LineageView | undefined;
  holder: Holder | undefined;
  problems: readonly FileProblem[];
}

/**
 * Reads manifest, lineage and lock without a lock and without changing anything, also while a run writes them. A file
 * that is missing counts as empty, and so does a damaged or newer one; it is among the problems then. Never throws.
 * @param runDir absolute.
 */
export function readRun(runDir: string): RunFiles {
  const problems: FileProblem[] = [];
  const read = <T>(name: string, schema: ZodType<T>): T | undefined => {
    const path = join(runDir, name);
    const look = lookAtJson(path, schema, KNOWN_VERSION);
    switch (look.state) {
      case "sound":
        return look.value;
      case "missing":
        return undefined;
      case "damaged":
        problems.push({ path, kind: "damaged", detail: look.why });
        return undefined;
      case "newer":
        problems.push({ path, kind: "newer", detail: `format ${look.version}, known: ${KNOWN_VERSION}` });
        return undefined;
      case "unreadable":
        problems.push({ path, kind: "unreadable", detail: errorText(look.error) });
        return undefined;
    }
  };
  const rows = read(MANIFEST, z.array(ROW.nullable().catch(null))) ?? [];
  const sound = rows.filter((row) => row !== null);
  if (sound.length < rows.length)
    problems.push({
      path: join(runDir, MANIFEST),
      kind: "damaged",
      detail: `rows left out: ${rows.length - sound.length}`,
    });
  const lineage = read("lineage.json", LINEAGE);
  const held = read("lock.json", LOCK);
  const holder = held === undefined ? undefined : { ...held, alive: isAlive(held.process) };
  return { rows: sound, lineage, holder, problems };
}
