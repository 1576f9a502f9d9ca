import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { factsFromTranscript } from "../context/facts-from-transcript.ts";
import { lastWords, type LastWords } from "../context/last-words.ts";
import type { HandoffFacts } from "../documents/facts.ts";
import type { Transcript } from "../harness/contract.ts";
import type { WorkbenchPaths } from "../workbench/directories.ts";

/** A repository that does not answer within this is left out, ms. */
const GIT_TIMEOUT_MS = 5_000;

/** Where facts are looked for. */
export interface FactPlaces {
  workspace: string;
  workbench: WorkbenchPaths | undefined;
  transcript: Transcript;
  generation: number;
}

/** What transcript and disk say about a generation that ends; never throws for what cannot be read. */
export async function collectFacts(places: FactPlaces): Promise<{ facts: HandoffFacts; words: LastWords }> {
  const { transcript, workbench } = places;
  // A generation is one session, which may have lived in several processes.
  const sinceMs = beginning(transcript.main);
  const git = await gitFacts(places.workspace);
  return {
    facts: {
      generation: places.generation,
      ...factsFromTranscript(transcript.main, transcript.subagents),
      ...(git === undefined ? {} : { git }),
      artifactsAdded: addedSince(workbench?.artifacts, sinceMs),
      notesAdded: addedSince(workbench?.notes, sinceMs),
    },
    words: lastWords(transcript.main),
  };
}

function beginning(entries: Transcript["main"]): number {
  const time = entries.map((entry) => Date.parse(String(entry["timestamp"]))).find((ms) => !Number.isNaN(ms));
  return time ?? Date.now();
}

function addedSince(dir: string | undefined, sinceMs: number): string[] {
  if (dir === undefined) return [];
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(dir, entry.name))
      .map((path) => ({ path, timeMs: statSync(path).mtimeMs }))
      .filter(({ timeMs }) => timeMs >= sinceMs)
      .sort((a, b) => a.timeMs - b.timeMs)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

/** A repository's settings name programs that git runs, and whoever works in it may have set them. */
const TAME = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

async function gitFacts(workspace: string): Promise<HandoffFacts["git"]> {
  const git = async (...args: string[]): Promise<string> => {
    // No optional locks: a worker's own git command may be running.
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
    const { stdout } = await promisify(execFile)("git", [...TAME, ...args], {
      cwd: workspace,
      env,
      timeout: GIT_TIMEOUT_MS,
    });
    return stdout.trimEnd();
  };
  try {
    const head = await git("log", "-1", "--format=%h %s").catch(() => "");
    return { head, status: await git("status", "--short", "--branch") };
  } catch {
    return undefined;
  }
}
