import { isInside, realPath } from "../core/files.ts";

/**
 * The name under which a workspace's sessions are stored. A run directory inside of the workspace belongs to it,
 * wherever both are moved together; one outside may serve several workspaces, which the real path tells apart.
 */
export function projectKeyOf(workspace: string, runDir: string): string {
  return isInside(realPath(runDir), realPath(workspace)) ? "." : realPath(workspace);
}
