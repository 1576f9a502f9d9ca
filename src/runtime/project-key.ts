import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../core/files.ts";

/**
 * The name under which a workspace's sessions are stored. A run directory inside of the workspace belongs to it,
 * wherever both are moved together; one outside may serve several workspaces, which the real path tells apart.
 */
export function projectKeyOf(workspace: string, runDir: string): string {
  return isInside(realPath(runDir), realPath(workspace)) ? "." : realPath(workspace);
}

/** The real path of the deepest existing ancestor, with the rest behind it. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
