import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realPath } from "../core/files.ts";
import { documentFileCandidates } from "../documents/names.ts";
import type { GatePolicy } from "../gate/policy.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** Where a session works, as far as the gate's rules on paths look. Paths are absolute. */
export interface PolicyPlaces {
  workspace: string;
  runDir: string;
  home: string;
  workbench: Workbench | undefined;
  /** Files or directories with credentials beyond the usual ones. */
  credentialFiles: readonly string[];
}

type OfPlaces =
  | "workspace"
  | "workbench"
  | "runDir"
  | "home"
  | "tempDirs"
  | "protectedFiles"
  | "credentialFiles"
  | "realpath"
  | "exists"
  | "entries";

/** A policy for these places on this machine's disk. */
export function gatePolicy(
  { workspace, runDir, home, workbench, credentialFiles }: PolicyPlaces,
  rights: Omit<GatePolicy, OfPlaces>,
): GatePolicy {
  return {
    ...rights,
    workspace,
    ...(workbench === undefined ? {} : { workbench: workbench.paths.root }),
    runDir,
    home,
    tempDirs: [...new Set([tmpdir(), realPath(tmpdir())])],
    protectedFiles: workbench === undefined ? [] : frozenDocuments(workbench),
    credentialFiles,
    realpath: realPath,
    exists: existsSync,
    entries: namesIn,
  };
}

/** Under the file names of every locale. */
function frozenDocuments({ paths }: Workbench): string[] {
  const names = (["brief", "goal", "questions"] as const).flatMap((kind) => documentFileCandidates(kind));
  return [paths.index, ...names.map((name) => join(paths.notes, name))];
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
