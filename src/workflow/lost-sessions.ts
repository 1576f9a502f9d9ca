/** The name of `flower once`, which no workflow has. */
const ONCE = "once";

/**
 * Names under which sessions of earlier runs are kept, and that no step has: one may have been renamed since.
 * @param kept names of the steps whose sessions are kept.
 */
export function lostSteps(kept: readonly string[], steps: readonly string[]): string[] {
  const known = new Set([...steps, ONCE]);
  return kept.filter((name) => !known.has(name));
}

/** What to say about them when a step begins without a session of its own. */
export function lostStepsLine(step: string, lost: readonly string[]): string {
  const names = lost.map((name) => JSON.stringify(name)).join(" and ");
  return `step ${JSON.stringify(step)} begins afresh; sessions are kept here of ${names}, which no step is called now: if this one was renamed, give it the old name back to go on there`;
}

/** What to say when a step cannot go on from the one that it names. */
export function sourceLostLine(step: string, from: string): string {
  return `step ${JSON.stringify(step)} begins afresh: ${JSON.stringify(from)}, which it goes on from, left no session`;
}
