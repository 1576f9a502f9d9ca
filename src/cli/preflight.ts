import { existsSync, readdirSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { believedWindow } from "../config/window.ts";
import { FlowerError } from "../core/errors.ts";
import { isInside, realPath } from "../core/files.ts";
import { checkRepository } from "../isolation/repository.ts";
import { workbenchPaths } from "../workbench/directories.ts";
import { isDirectory } from "./path-block.ts";

/** Directories that belong to somebody else, git and the workbench, in lower case: some file systems know no other. */
const TAKEN: ReadonlySet<string> = new Set([".git", ".flower"]);

/** What the command line and the environment say, before anything is done about it. */
export interface Intent {
  /** Absolute. */
  workspace: string;
  /** As given; relative to the workspace. */
  runDir: string;
  /** `--window`, tokens; then `FLOWER_WINDOW` does not matter. */
  window?: number;
  /** `--isolate`. Default false. */
  isolate?: boolean;
  /** `--new`: what is there is put away. Default false. */
  new?: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Refuses what cannot work before anything is said or made on disk.
 * @throws FlowerError `usage` for a run directory that is the workspace, holds it, or lies in `.git` or `.flower`, and
 * for a bad `FLOWER_WINDOW`; `workspace` when a file stands in the run directory's way, when workers are to be isolated
 * and cannot be, and when the documents of an earlier run lie where this one would not find them.
 */
export function preflight(intent: Intent): void {
  const { workspace, runDir, window, env, isolate = false } = intent;
  refuseRunDir(workspace, runDir);
  if (isDirectory(workspace)) {
    if (isolate) checkRepository(realPath(workspace), env);
    if (intent.new !== true) refuseOtherWorkbench(realPath(workspace), isolate);
  }
  believedWindow({ env, ...(window === undefined ? {} : { option: window }) });
}

/** With and without isolation the workbench is in two places: half of the documents here, half there helps nobody. */
function refuseOtherWorkbench(workspace: string, isolate: boolean): void {
  const other = workbenchPaths(workspace, !isolate).notes;
  if (!holdsDocuments(other) || holdsDocuments(workbenchPaths(workspace, isolate).notes)) return;
  throw new FlowerError("workspace", `the documents of this workspace are in ${other}`, {
    nextStep: isolate
      ? "that run was not isolated: go on without --isolate, or put its documents away with --new"
      : "that run was isolated: go on with --isolate, or start fresh with --new",
  });
}

function holdsDocuments(notes: string): boolean {
  return isDirectory(notes) && readdirSync(notes).some((name) => name.endsWith(".md"));
}

function refuseRunDir(workspace: string, runDir: string): void {
  const root = realPath(workspace);
  const path = realPath(resolve(workspace, runDir));
  const existing = existingPart(path);
  const refuse = (why: string): FlowerError =>
    new FlowerError("usage", `${runDir} cannot be the run directory: ${why}`, {
      nextStep: "name a directory of its own with --run-dir, e.g. runs",
    });
  if (path === root) throw refuse("it is the workspace");
  if (isInside(root, path)) throw refuse("it holds the workspace");
  const taken = relative(root, path)
    .split(sep)
    .find((name) => TAKEN.has(name.toLowerCase()));
  if (taken !== undefined) throw refuse(`${taken} is not for that`);
  // A workspace that is no directory is refused in its own words, by whoever opens it.
  if (isDirectory(root) && !isDirectory(existing))
    throw new FlowerError("workspace", `the run directory ${path} cannot be made: ${existing} is a file`, {
      nextStep: "move it away, or name another place with --run-dir",
    });
}

/** The deepest part of a path that is there. */
const existingPart = (path: string): string => (existsSync(path) ? path : existingPart(dirname(path)));
