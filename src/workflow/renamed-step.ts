import { z } from "zod";
import { lookAtJson } from "../core/look-at-json.ts";

const FILE = z.object({ steps: z.record(z.string(), z.unknown()) });

/** The name of `flower once`, which no workflow has. */
const ONCE = "once";

/**
 * Names under which sessions of earlier runs are kept, and that no step has: one may have been renamed since.
 * @param path of `lineage.json`; undefined = there is none.
 */
export function lostSteps(path: string | undefined, steps: readonly string[]): string[] {
  if (path === undefined) return [];
  const look = lookAtJson(path, FILE, Number.POSITIVE_INFINITY);
  const known = new Set([...steps, ONCE]);
  return look.state === "sound" ? Object.keys(look.value.steps).filter((name) => !known.has(name)) : [];
}

/** What to say about them when a step begins without a session of its own. */
export function lostStepsLine(step: string, lost: readonly string[]): string {
  const names = lost.map((name) => JSON.stringify(name)).join(" and ");
  return `step ${JSON.stringify(step)} begins afresh; sessions are kept here of ${names}, which no step is called now: if this one was renamed, give it the old name back to go on there`;
}
