import { existsSync } from "node:fs";
import { FlowerError } from "../core/errors.ts";
import { ownPart, workbenchPaths } from "../workbench/directories.ts";
import { Workbench, type WorkbenchOptions } from "../workbench/workbench.ts";
import { NOTICE_TEXTS } from "./notice-texts.ts";
import { lockRunDir } from "./run-lock.ts";

/** A workbench that one run holds. */
export interface HeldWorkbench {
  workbench: Workbench;
  /** Why it is not the workspace's, one line for the person. */
  notice: string | undefined;
  /** Safe to call twice. */
  release(): void;
}

/**
 * Opens the workbench of a workspace for one run. While a run with another run directory holds it, or once that was so,
 * the run directory has one of its own inside: two runs would take each other's brief and goal for theirs.
 * @param options.runDir absolute.
 * @throws FlowerError `workspace` as {@link Workbench.open} does, `locked` when another run holds its own one, too.
 */
export function holdWorkbench(options: WorkbenchOptions & { runDir: string; runId: string }): HeldWorkbench {
  const { runDir, runId, ...open } = options;
  const part = ownPart(open.workspace, runDir);
  const hold = (workbench: Workbench, notice?: string): HeldWorkbench => {
    const { release } = lockRunDir(workbench.paths.root, runId);
    return { workbench, notice, release };
  };
  if (existsSync(workbenchPaths(open.workspace, open.isolated ?? false, part).root))
    return hold(Workbench.open({ ...open, part }));
  const shared = Workbench.open(open);
  try {
    return hold(shared);
  } catch (error) {
    if (!FlowerError.is(error) || error.code !== "locked") throw error;
    const own = Workbench.open({ ...open, part });
    return hold(own, NOTICE_TEXTS[open.locale ?? "en"].ownWorkbench(own.paths.root));
  }
}
