import type { SubagentSpec } from "../core/spec.ts";
import { stepDisplayName } from "../documents/names.ts";
import { coordinator, worker, type RoleOptions } from "../roles/roles.ts";
import { clarifyStep } from "./clarify.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { goalStep } from "./goal.ts";
import { withGoal, type GoalLoopOptions } from "./goal-loop.ts";
import type { Step } from "./step.ts";
import { Workflow } from "./workflow.ts";

/** Options of {@link starterFlow}. */
export interface StarterOptions extends GoalLoopOptions {
  /** Stop when the brief is confirmed. Default false. */
  clarifyOnly?: boolean;
  /** False: no goal and no verdict. Default true. */
  goal?: boolean;
  /** Default: one general worker. */
  workers?: Readonly<Record<string, SubagentSpec>>;
  /** Of the coordinator. */
  role?: RoleOptions;
  /** Words said when this directory was woken; given to the work step. */
  words?: string;
}

const GENERAL_WORKER = worker(
  "Does hands-on work in the workspace: writing and changing files, running programs and tests, searching.",
  "You are a worker in a team of agents. A coordinator gave you one task.",
);

/** Clarify, set a goal, work, judge: the workflow behind `flower "make me an X"`. */
export function starterFlow(parts: StarterParts, options: StarterOptions): Workflow<StarterContext> {
  const { channel, locale } = parts;
  const spec = coordinator("work", "", options.workers ?? { worker: GENERAL_WORKER }, {
    channel,
    ...options.role,
  });
  const work: Step<StarterContext> = {
    name: "work",
    spec,
    prompt: workPrompt,
    resumePrompt: (context) => resumePrompt(context, options.words),
  };
  const judged = options.goal === false ? work : withGoal(work, parts, options);
  const steps = [clarifyStep(parts), ...(options.goal === false ? [] : [goalStep(parts)]), judged];
  return new Workflow(options.clarifyOnly === true ? steps.slice(0, 1) : steps, {
    displayName: (step) => stepDisplayName(step, locale),
  });
}

function workPrompt({ request, brief, goal }: StarterContext): string {
  return [
    "Have this built. The brief is what the person wants; nothing outside of it.",
    brief ?? request,
    goal === undefined
      ? ""
      : `An independent judge will rule on it by this goal:\n\n${goal.toMarkdown("en")}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function resumePrompt({ goal }: StarterContext, words: string | undefined): string {
  return [
    "This session was woken: the process had ended. Look at the disk for what is already there, then go on from where you stopped.",
    words === undefined ? "" : `The person says:\n\n${words}`,
    words === undefined || goal === undefined
      ? ""
      : `The goal was derived again:\n\n${goal.toMarkdown("en")}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}
