import { Goal } from "../documents/goal.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import { judge } from "../roles/roles.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import type { Step } from "./step.ts";

const INCOMPLETE =
  "The goal cannot be used: it needs a statement and at least one check. Answer with the whole goal, both headings filled, and nothing else.";

/** A complete goal on disk, in whatever language, also one that a person has edited. */
export function frozenGoal(workbench: Workbench): Goal | undefined {
  const found = workbench.readDocument(documentFileCandidates("goal"));
  const goal = found === undefined ? undefined : Goal.parse(found.text);
  return goal?.complete() === true ? goal : undefined;
}

/**
 * A judge turns the brief into a statement and checks. Checks that cannot be verified here are shown at once, while
 * it is still free to change them. Skipped when the context already holds a goal.
 */
export function goalStep(parts: StarterParts): Step<StarterContext> {
  const { workbench, host, locale } = parts;
  return {
    name: "goal",
    spec: judge({ mode: "goal", locale }),
    prompt: ({ brief, request }) => brief ?? request,
    when: ({ goal }) => goal === undefined,
    // The judge is always fresh.
    continuous: false,
    retries: 1,
    gate: ({ text }) => (Goal.parse(text).complete() ? true : { rejected: INCOMPLETE }),
    reduce: ({ text }, context) => {
      const goal = Goal.parse(text);
      context.goal = goal;
      workbench.freezeDocument(documentFileName("goal", locale), goal.toMarkdown(locale));
      for (const check of goal.unverifiable())
        host.emit("goal", {
          type: "system",
          level: "warning",
          message: `this check cannot be verified here, change it in the goal file while it is free: ${check}`,
        });
    },
  };
}
