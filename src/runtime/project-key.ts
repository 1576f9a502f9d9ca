import { relative } from "node:path";
import { isInside, realPath } from "../core/files.ts";

/**
 * The name under which a workspace's sessions are stored. A run directory inside of the workspace belongs to it; one
 * outside may serve several workspaces, which their way from there tells apart. Either stays the same when both are
 * moved together.
 */
export function projectKeyOf(workspace: string, runDir: string): string {
  const [place, books] = [realPath(workspace), realPath(runDir)];
  return isInside(books, place) ? "." : relative(books, place);
}
