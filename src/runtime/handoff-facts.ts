import { statSync } from "node:fs";
import { factsFromTranscript } from "../context/facts-from-transcript.ts";
import { lastWords, type LastWords } from "../context/last-words.ts";
import { redactDeep } from "../context/redact.ts";
import { walk } from "../core/files.ts";
import type { HandoffFacts } from "../documents/facts.ts";
import type { Transcript } from "../harness/contract.ts";
import { git, type GitEnv } from "../isolation/git.ts";
import type { WorkbenchPaths } from "../workbench/directories.ts";
import { ARCHIVE } from "../workbench/documents.ts";

/** A repository that does not answer within this is left out, ms. */
const GIT_TIMEOUT_MS = 5_000;

/** Where facts are looked for. */
export interface FactPlaces {
  workspace: string;
  env: GitEnv;
  workbench: WorkbenchPaths | undefined;
  transcript: Transcript;
  generation: number;
  /** Applied to whole texts: a secret that is cut first would not be recognised any more. */
  redact: (text: string) => string;
}

/** What transcript and disk say about a generation that ends; never throws for what cannot be read. */
export async function collectFacts(places: FactPlaces): Promise<{ facts: HandoffFacts; words: LastWords }> {
  const { transcript, workbench } = places;
  // A generation is one session, which may have lived in several processes.
  const sinceMs = beginning(transcript.main);
  const repository = await gitFacts(places);
  const said = factsFromTranscript(transcript.main, transcript.subagents);
  // Commands write as well. In a repository the status tells of it.
  const found = repository === undefined ? writtenSince(places.workspace, sinceMs) : [];
  const facts = {
    generation: places.generation,
    ...said,
    filesWritten: [...new Set([...found, ...said.filesWritten])],
    ...(repository === undefined ? {} : { git: repository }),
    artifactsAdded: addedSince(workbench?.artifacts, sinceMs),
    notesAdded: addedSince(workbench?.notes, sinceMs, ARCHIVE),
  };
  return redactDeep({ facts, words: lastWords(transcript.main) }, places.redact);
}

function beginning(entries: Transcript["main"]): number {
  const time = entries.map((entry) => Date.parse(String(entry["timestamp"]))).find((ms) => !Number.isNaN(ms));
  return time ?? Date.now();
}

/** Directories in all that are looked through, and names that are made rather than written. */
const LOOKED_INTO = 500;
const MADE = new Set(["node_modules", "runs", "dist", "build", "target", "venv", "__pycache__"]);

/** Files below a directory that were changed since, oldest first; hidden and generated directories are left out. */
function writtenSince(root: string, sinceMs: number): string[] {
  const enters = (name: string): boolean => !name.startsWith(".") && !MADE.has(name);
  return changedSince([...walk(root, { maxDirs: LOOKED_INTO, enters })], sinceMs);
}

/** What a folder of the workbench got since, oldest first; what was moved to an archive in it was not added. */
function addedSince(dir: string | undefined, sinceMs: number, archive?: string): string[] {
  if (dir === undefined) return [];
  const enters = (name: string): boolean => name !== archive;
  return changedSince([...walk(dir, { maxDirs: LOOKED_INTO, enters })], sinceMs);
}

function changedSince(paths: readonly string[], sinceMs: number): string[] {
  return paths
    .flatMap((path) => {
      const timeMs = fileTimeMs(path);
      return timeMs !== undefined && timeMs >= sinceMs ? [{ path, timeMs }] : [];
    })
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(({ path }) => path);
}

/** When a file was written, epoch ms; undefined for what is none, and for a link that leads to itself. */
function fileTimeMs(path: string): number | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

async function gitFacts({ workspace, env }: FactPlaces): Promise<HandoffFacts["git"]> {
  const place = { cwd: workspace, env, timeoutMs: GIT_TIMEOUT_MS };
  if (!(await git(place, "rev-parse", "--git-dir")).ok) return undefined;
  const [head, status] = await Promise.all([
    git(place, "log", "-1", "--format=%h %s"),
    git(place, "status", "--short", "--branch"),
  ]);
  return { head: head.out.trimEnd(), status: status.out.trimEnd() };
}
