import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { believedWindow } from "../config/window.ts";
import { FlowerError } from "../core/errors.ts";
import { isInside, realPath } from "../core/files.ts";

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
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Refuses what cannot work before anything is said or made on disk.
 * @throws FlowerError `usage` for a run directory that is the workspace, holds it, or lies in `.git` or `.flower`, and
 * for a bad `FLOWER_WINDOW`; `workspace` when a file stands in the run directory's way.
 */
export function preflight({ workspace, runDir, window, env }: Intent): void {
  refuseRunDir(workspace, runDir);
  believedWindow({ env, ...(window === undefined ? {} : { option: window }) });
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

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
