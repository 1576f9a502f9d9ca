import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { FlowerError } from "../core/errors.ts";
import { realPath } from "../core/files.ts";
import { DEFAULT_RUN_DIR } from "../runtime/options.ts";
import { blockOf, isDirectory } from "./path-block.ts";
import { workbenchPathsOf, type WorkbenchPaths } from "../workbench/directories.ts";

/** Options of the commands that read a run directory. */
export interface ViewOptions {
  workspace: string;
  /** Relative to the workspace. */
  runDir: string;
  lang?: string;
  json: boolean;
}

/** Where what is shown lies; absolute and real. */
export interface ViewPlace {
  workspace: string;
  runDir: string;
  /** The option as given, when it is not the default. */
  givenRunDir: string | undefined;
  workbench: WorkbenchPaths;
  /** The run's workers were isolated: the workbench lies beside the workspace. */
  isolated: boolean;
}

/**
 * Finds workspace, run directory and workbench; none of them is made.
 * @throws FlowerError `workspace` when the workspace is no directory.
 */
export function viewPlace({ workspace, runDir }: ViewOptions): ViewPlace {
  const root = realPath(resolve(workspace));
  if (!isDirectory(root))
    throw new FlowerError("workspace", `the workspace ${root} is not a directory`, {
      nextStep: "name the directory that the run worked in with --workspace",
    });
  // Only one of the two places holds documents; the usual one counts when neither does.
  const inside = workbenchPathsOf(root, false, runDir);
  const beside = workbenchPathsOf(root, true, runDir);
  const isolated = !holdsDocuments(inside) && holdsDocuments(beside);
  return {
    workspace: root,
    runDir: realPath(resolve(root, runDir)),
    givenRunDir: runDir === DEFAULT_RUN_DIR ? undefined : runDir,
    workbench: isolated ? beside : inside,
    isolated,
  };
}

/**
 * {@link viewPlace} whose workbench can be read.
 * @throws FlowerError `workspace` when the workspace is no directory, or something else stands for its workbench.
 */
export function documentPlace(options: ViewOptions): ViewPlace {
  const place = viewPlace(options);
  const { root, notes } = place.workbench;
  const blocked = [root, notes].find((path) => blockOf(path) !== undefined);
  if (blocked === undefined) return place;
  throw new FlowerError("workspace", `${blocked} must be a directory, and is none (${blockOf(blocked)})`, {
    nextStep: "move away what is there",
  });
}

/**
 * {@link viewPlace} whose run directory is there.
 * @throws FlowerError `workspace` when workspace or run directory is no directory.
 */
export function runPlace(options: ViewOptions): ViewPlace {
  const place = viewPlace(options);
  if (isDirectory(place.runDir)) return place;
  throw new FlowerError("workspace", `there is no run directory ${place.runDir}`, {
    nextStep: "name the directory that the run worked in with --workspace, and its --run-dir if it had one",
  });
}

function holdsDocuments({ notes }: WorkbenchPaths): boolean {
  return isDirectory(notes) && readdirSync(notes).some((name) => name.endsWith(".md"));
}
