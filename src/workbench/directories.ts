import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { ignoreInGit, makePrivateDir } from "../core/files.ts";

/** Absolute paths of the workbench. */
export interface WorkbenchPaths {
  root: string;
  index: string;
  scripts: string;
  artifacts: string;
  notes: string;
  spill: string;
}

/**
 * Where the workbench of a workspace is: `.flower` inside, or `.flower-<name>` beside it when workers are isolated
 * (a worktree does not hold what is ignored by git).
 * @param part name of a run's own workbench inside of it. Default: the workspace's.
 */
export function workbenchPaths(workspace: string, isolated: boolean, part = ""): WorkbenchPaths {
  const absolute = resolve(workspace);
  const shared = isolated
    ? join(dirname(absolute), `.flower-${basename(absolute)}`)
    : join(absolute, ".flower");
  const root = join(shared, part);
  return {
    root,
    index: join(root, "INDEX.md"),
    scripts: join(root, "scripts"),
    artifacts: join(root, "artifacts"),
    notes: join(root, "notes"),
    spill: join(root, "spill"),
  };
}

/**
 * Where the workbench of a run directory is: that of the workspace, unless it has one of its own, which it was given as
 * another run worked in the workspace.
 * @param runDir absolute, or relative to the workspace.
 */
export function workbenchPathsOf(workspace: string, isolated: boolean, runDir: string): WorkbenchPaths {
  const own = workbenchPaths(workspace, isolated, ownPart(workspace, runDir));
  return existsSync(own.root) ? own : workbenchPaths(workspace, isolated);
}

/** Name of a run directory's own workbench, by its way from the workspace. */
export function ownPart(workspace: string, runDir: string): string {
  const way = relative(resolve(workspace), resolve(workspace, runDir));
  return `run-${way.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")}`;
}

/**
 * Creates the directories, each private.
 * @throws FlowerError `workspace` when the workspace is no directory, or a file stands in the place of one, or it
 * cannot be written.
 */
export function prepareDirectories(workspace: string, paths: WorkbenchPaths): void {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new FlowerError("workspace", `the workspace ${workspace} is not a directory`, {
      nextStep: "create it, or name another with --workspace",
    });
  }
  for (const dir of [paths.root, paths.scripts, paths.artifacts, paths.notes, paths.spill]) {
    const present = statSync(dir, { throwIfNoEntry: false });
    if (present !== undefined && !present.isDirectory()) {
      throw new FlowerError("workspace", `${dir} must be a directory, and something else is there`, {
        nextStep: "move it away",
      });
    }
    try {
      makePrivateDir(dir);
      accessSync(dir, constants.W_OK | constants.X_OK);
      if (dir === paths.root) ignoreInGit(dir);
    } catch (error) {
      throw new FlowerError("workspace", `the workbench ${dir} cannot be written: ${errorText(error)}`, {
        nextStep: "make it writable, or copy the workspace to a place that is",
        cause: error,
      });
    }
  }
}
