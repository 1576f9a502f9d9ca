import type { SubagentSpec } from "../core/spec.ts";
import type { Locale } from "../core/locale.ts";
import { documentFileCandidates, stepDisplayName, type DocumentKind } from "../documents/names.ts";
import { coordinator, merger, worker, type RoleOptions } from "../roles/roles.ts";
import { clarifyStep } from "./clarify.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { goalStep } from "./goal.ts";
import { withGoal, type GoalLoopOptions } from "./goal-loop.ts";
import type { Step } from "./step.ts";
import { WORKFLOW_TEXTS } from "./texts.ts";
import { together } from "./together.ts";
import { Workflow, WOKEN } from "./workflow.ts";

/** Options of {@link starterFlow}. */
export interface StarterOptions extends GoalLoopOptions {
  /** Stop when the brief is confirmed. Default false. */
  clarifyOnly?: boolean;
  /** False: no goal and no verdict. Default true. */
  goal?: boolean;
  /** The default workers are isolated, with one beside them that merges; needs a runtime that isolates. Default false. */
  isolate?: boolean;
  /** Default: one general worker. */
  workers?: Readonly<Record<string, SubagentSpec>>;
  /** Of the coordinator. */
  role?: RoleOptions;
  /** Words said when this directory was woken; given to the work step. Default: those that no step was told yet. */
  words?: string;
}

const generalWorker = (isolate: boolean): SubagentSpec =>
  worker(
    "Does hands-on work in the workspace: writing and changing files, running programs and tests, searching.",
    "You are a worker in a team of agents. A coordinator gave you one task.",
    { isolate },
  );

/** Clarify, set a goal, work, judge: the workflow behind `flower "make me an X"`. */
export function starterFlow(parts: StarterParts, options: StarterOptions): Workflow<StarterContext> {
  const { channel, locale } = parts;
  const { isolate = false } = options;
  const words = options.words ?? untold(parts);
  const workers = options.workers ?? {
    worker: generalWorker(isolate),
    ...(isolate ? { merger: merger() } : {}),
  };
  const spec = coordinator("work", "", workers, {
    channel,
    ...options.role,
  });
  const work: Step<StarterContext> = {
    name: "work",
    spec,
    prompt: (context) => workPrompt(context, locale),
    resumePrompt: (context) => together(WOKEN, whereToRead(parts), news(context, words, locale)),
    successorPrompt: (handoff, context) => together(handoff, news(context, words, locale)),
  };
  const judged = options.goal === false ? work : withGoal(work, parts, options);
  const told: Step<StarterContext> = {
    ...judged,
    gate: async (result, context, attempt) => {
      // Only now: whoever is killed before says it again.
      parts.host.lineage.heard?.();
      return (await judged.gate?.(result, context, attempt)) ?? true;
    },
  };
  const steps = [clarifyStep(parts, { words }), ...(options.goal === false ? [] : [goalStep(parts)]), told];
  return new Workflow(options.clarifyOnly === true ? steps.slice(0, 1) : steps, {
    displayName: (step) => stepDisplayName(step, locale),
    whySkipped: WORKFLOW_TEXTS[locale].documentComplete,
  });
}

function untold({ host }: StarterParts): string | undefined {
  const { words = [] } = host.lineage;
  return words.length === 0 ? undefined : words.join("\n\n");
}

function workPrompt({ request, brief, goal }: StarterContext, locale: Locale): string {
  return together(
    "Have this built. The brief is what the person wants; nothing outside of it.",
    brief ?? request,
    goal === undefined ? "" : goal.promptBlock(locale),
  );
}

/** A person may have edited the files meanwhile; and when the session is gone from the store, they are all there is. */
function whereToRead({ workbench }: StarterParts): string {
  const path = (kind: DocumentKind): string | undefined =>
    workbench.readDocument(documentFileCandidates(kind))?.path;
  const named = [path("brief"), path("goal")].filter((each) => each !== undefined);
  return named.length === 0
    ? ""
    : `What was agreed stands in ${named.join(" and ")}. Read it: it may have been edited since.`;
}

/** What the person said at waking, and what came of it. */
function news({ goal }: StarterContext, words: string | undefined, locale: Locale): string {
  if (words === undefined) return "";
  const again = goal === undefined ? "" : `The goal was derived again:\n\n${goal.toMarkdown(locale)}`;
  return together(`The person says:\n\n${words}`, again);
}
