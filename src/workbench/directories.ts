import { accessSync, constants, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
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
 */
export function workbenchPaths(workspace: string, isolated: boolean): WorkbenchPaths {
  const absolute = resolve(workspace);
  const root = isolated
    ? join(dirname(absolute), `.flower-${basename(absolute)}`)
    : join(absolute, ".flower");
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
