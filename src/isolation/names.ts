/** First part of the names of all branches that isolated workers get. */
export const BRANCH_PREFIX = "flower";

/** A worktree of one dispatch. */
export interface Worktree {
  /** Id of the subagent that works in it, as events carry it. */
  id: string;
  path: string;
  /** Made for it; the worker may have gone on from there. */
  branch: string;
  /** Commit that it was made from. */
  base: string;
}

/**
 * Branch of a dispatch, `flower/<agent id>/<step>`: the part with the id is the worker's own, and all that it may write
 * of the repository's branches.
 */
export function branchName(step: string, id: string): string {
  // `#`, `·` and the like would have to be quoted by whoever types the name; git refuses others.
  const word = step.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${branchSpace(id)}/${word === "" ? "step" : word}`;
}

/** What all branches of a dispatch begin with. */
export const branchSpace = (id: string): string => `${BRANCH_PREFIX}/${id}`;

/**
 * The subagent for whom the harness asks for a worktree: it names it `agent-<id>` (0.3.332). Undefined for a name that
 * could lead out of the directory of worktrees.
 */
export function agentIdIn(name: string): string | undefined {
  return /^agent-([A-Za-z0-9]+)$/.exec(name)?.[1];
}
