import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { exchangesOf, type Entry } from "../context/transcript.ts";
import { isInside } from "../core/files.ts";
import type { BequestScript } from "../documents/bequest.ts";
import { Handoff } from "../documents/handoff.ts";
import { documentFileCandidates, handoffFileCandidates, type DocumentKind } from "../documents/names.ts";
import type { Transcript } from "../harness/contract.ts";
import type { GitEnv } from "../isolation/git.ts";
import { collectFacts } from "../runtime/handoff-facts.ts";
import { openTranscripts } from "../runtime/read-transcripts.ts";
import { scriptDescriptions } from "../workbench/script-description.ts";
import { listEntries } from "../workbench/entries.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** Where to look, and for which sessions. */
export interface BequestPlaces {
  workbench: Workbench;
  /** Absolute. */
  runDir: string;
  env: GitEnv;
  /** Of the run, in order. */
  sessionIds: readonly string[];
}

/** What disk and transcripts say, with paths as seen from the workspace. */
export interface FoundFacts {
  scripts: BequestScript[];
  /** What agents wrote and is still there, the newest first. */
  written: string[];
  deadEnds: string;
  places: string[];
}

/** Scripts that are named: of more than this the index tells. */
const MAX_SCRIPTS = 20;
const DOCUMENTS: readonly DocumentKind[] = ["brief", "goal", "questions"];

/** Collects it; what cannot be read is left out. */
export async function bequestFacts(places: BequestPlaces): Promise<FoundFacts> {
  const { workbench, runDir, env } = places;
  const { workspace, paths } = workbench;
  const shown = (path: string): string => relative(workspace, path) || ".";
  const transcript = transcriptOf(places);
  const commands = commandsOf(transcript);
  const { filesWritten, artifactsAdded } = await collectFacts({
    ...{ workspace, env, transcript },
    workbench: paths,
    generation: 1,
    redact: (text) => text,
  }).then(({ facts }) => facts);
  const { entries } = listEntries(paths.scripts, {
    ...{ limit: MAX_SCRIPTS, root: paths.root },
    describe: scriptDescriptions(),
  });
  const handoff = documentOf(workbench, handoffFileCandidates("work"));
  const documents = [
    ...DOCUMENTS.map((kind) => documentOf(workbench, documentFileCandidates(kind))),
    handoff,
  ].flatMap((found) => (found === undefined ? [] : [`\`${shown(found.path)}\``]));
  const scripts = entries.map(({ name, description }) => {
    const command = commands.findLast((each) => each.includes(`scripts/${name}`));
    return {
      path: shown(join(paths.scripts, name)),
      ...(description === undefined ? {} : { description }),
      ...(command === undefined ? {} : { command }),
    };
  });
  const isLeft = (path: string): boolean =>
    existsSync(path) &&
    (isInside(path, paths.root) || isInside(path, workspace)) &&
    !entries.some(({ name }) => path === join(paths.scripts, name));
  const written = [...artifactsAdded, ...filesWritten].map((path) => resolve(workspace, path));
  return {
    scripts,
    written: [...new Set(written.filter(isLeft))].toReversed().map(shown),
    deadEnds: handoff === undefined ? "" : Handoff.parse(handoff.text, { step: "work" }).deadEnds,
    places: [
      `\`${shown(paths.root)}/\` · \`${shown(paths.index)}\``,
      ...(documents.length === 0 ? [] : [documents.join(" · ")]),
      `\`${shown(runDir)}/manifest.json\``,
    ],
  };
}

function documentOf(workbench: Workbench, names: readonly string[]): ReturnType<Workbench["readDocument"]> {
  try {
    return workbench.readDocument(names);
  } catch {
    return undefined;
  }
}

/** All sessions as one; of a store of one's own, and of a damaged one, nothing is known. */
function transcriptOf({ workbench, runDir, sessionIds }: BequestPlaces): Transcript {
  const main: Entry[] = [];
  const subagents: Entry[][] = [];
  try {
    const transcripts = openTranscripts({ workspace: workbench.workspace, runDir });
    try {
      for (const id of sessionIds) {
        main.push(...(transcripts?.thread(id) ?? []));
        for (const agent of transcripts?.agents(id) ?? [])
          subagents.push(transcripts?.thread(id, agent) ?? []);
      }
    } finally {
      transcripts?.close();
    }
  } catch {
    // What could be read stays.
  }
  return { main, subagents };
}

function commandsOf({ main, subagents }: Transcript): string[] {
  return [main, ...subagents].flatMap((thread) =>
    exchangesOf(thread).flatMap(({ name, input }) => {
      const command = name === "Bash" ? input["command"] : undefined;
      return typeof command === "string" ? [command] : [];
    }),
  );
}
