import { Goal } from "../documents/goal.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import { judge } from "../roles/roles.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { archiveDocuments, putAside } from "./put-aside.ts";
import { StepAbort, type Step } from "./step.ts";
import { WORKFLOW_TEXTS } from "./texts.ts";

const INCOMPLETE =
  "The goal cannot be used: it needs a statement and at least one check. Answer with the whole goal, both headings filled, and nothing else.";

/** How often a goal that cannot be used is asked for again. */
const RETRIES = 1;

/** A complete goal on disk, in whatever language, also one that a person has edited. */
export function frozenGoal(workbench: Workbench): Goal | undefined {
  const found = workbench.readDocument(documentFileCandidates("goal"));
  const goal = found === undefined ? undefined : Goal.parse(found.text);
  return goal?.complete() === true ? goal : undefined;
}

/**
 * Moves goals of every language to the archive, so that the next goal step derives one again. On disk, not in memory:
 * a process that dies before the new goal is frozen must not leave the old one to be found.
 */
export function retireGoal(workbench: Workbench): void {
  archiveDocuments(workbench, "goal");
}

/**
 * A judge turns the brief into a statement and checks. Checks that cannot be verified here are shown at once, while
 * it is still free to change them. Skipped when the context or the disk already holds a complete goal, which is then
 * in the context.
 */
export function goalStep({ workbench, host, locale }: StarterParts): Step<StarterContext> {
  return {
    name: "goal",
    spec: judge({ mode: "goal", locale }),
    prompt: ({ brief, request }) => brief ?? request,
    when: (context) => {
      const goal = context.goal ?? frozenGoal(workbench);
      if (goal !== undefined) context.goal = goal;
      return goal === undefined;
    },
    // The judge is always fresh.
    continuous: false,
    retries: RETRIES,
    // They change what the work has to do, not only what is checked.
    wordsFor: "both",
    gate: ({ text }, _context, attempt) => {
      if (Goal.parse(text).complete()) return true;
      if (attempt <= RETRIES) return { rejected: INCOMPLETE };
      throw new StepAbort(WORKFLOW_TEXTS[locale].noGoal);
    },
    reduce: ({ text }, context) => {
      const goal = Goal.parse(text);
      context.goal = goal;
      putAside(host, workbench, "goal", "goal");
      workbench.freezeDocument(documentFileName("goal", locale), goal.toMarkdown(locale));
      for (const check of goal.unverifiable())
        host.emit("goal", {
          type: "system",
          level: "warning",
          message: WORKFLOW_TEXTS[locale].unverifiable(check),
        });
    },
  };
}
