import { z } from "zod";
import { checkSpec } from "../core/check-spec.ts";
import { FlowerError } from "../core/errors.ts";
import type { AgentSpec } from "../core/spec.ts";
import { FUNCTION, wrongPart } from "../core/wrong-part.ts";
import type { StepResult } from "../runtime/contract.ts";
import type { GateAnswer, Step } from "./step.ts";

/** Workflows in JavaScript, and those that `flower run` loads, are seen by no compiler. */
const STEP = z.strictObject({
  name: z.string().min(1),
  spec: z.unknown(),
  prompt: z.unknown(),
  resumePrompt: z.unknown().optional(),
  resumeFrom: z.string().optional(),
  fork: z.boolean().optional(),
  retries: z.int().nonnegative().optional(),
  when: FUNCTION.optional(),
  gate: FUNCTION.optional(),
  onReject: FUNCTION.optional(),
  reduce: FUNCTION.optional(),
  successorPrompt: FUNCTION.optional(),
  onFail: z.enum(["stop", "skip", "continue"]).optional(),
  keepAlive: z.boolean().optional(),
  continuous: z.boolean().optional(),
  wordsFor: z.enum(["this", "next", "both"]).optional(),
});

/**
 * Refuses steps that cannot be run as they are written.
 * @throws FlowerError `usage`, naming the step and the field.
 */
export function checkSteps<C>(steps: ReadonlyArray<Step<C>>): void {
  if (!z.array(z.unknown()).safeParse(steps).success)
    throw new FlowerError("usage", "a workflow needs a list of steps", {
      nextStep: "give them as an array, in order",
    });
  const earlier = new Set<string>();
  for (const step of steps) {
    const wrong = wrongPart(STEP, step);
    if (wrong !== undefined) throw badStep(step, wrong);
    const { name, spec, resumeFrom } = step;
    // Those that are made when their step begins are looked at then.
    if (typeof spec !== "function") checkSpec(spec, stepNamed(name));
    if (earlier.has(name))
      throw new FlowerError("usage", `the workflow has two steps named ${JSON.stringify(name)}`, {
        nextStep: "give each step a name of its own: sessions are found by it",
      });
    if (resumeFrom !== undefined && !earlier.has(resumeFrom))
      throw new FlowerError(
        "usage",
        `step ${JSON.stringify(name)} is to go on from ${JSON.stringify(resumeFrom)}, which is no earlier step`,
        { nextStep: "name a step that comes before it" },
      );
    earlier.add(name);
  }
}

function badStep(step: unknown, wrong: string): FlowerError {
  const name = z.object({ name: z.string() }).safeParse(step).data?.name;
  const where = name === undefined ? "a step of the workflow" : stepNamed(name);
  return new FlowerError("usage", `${where} has ${wrong}`, {
    nextStep: "see the fields of a step in docs/guides/workflows.md",
  });
}

const stepNamed = (name: string): string => `step ${JSON.stringify(name)}`;

/**
 * What a gate said, as a reason; undefined = accepted.
 * @throws FlowerError `usage` for anything that is neither `true`, `false` nor `{ rejected }`: taken for a yes it
 * would let anything through.
 */
export function rejectionOf(step: string, answer: GateAnswer): string | undefined {
  if (answer === true) return undefined;
  if (answer === false) return REJECTED;
  const reason = WITH_REASON.safeParse(answer).data?.rejected;
  if (reason !== undefined) return reason;
  throw new FlowerError(
    "usage",
    `the gate of step ${JSON.stringify(step)} answered ${JSON.stringify(answer)}`,
    {
      nextStep: 'let it return true, false, or { rejected: "why" }',
    },
  );
}

const WITH_REASON = z.object({ rejected: z.string() });
const REJECTED = "The result was not accepted. Go on, and check it again.";

/**
 * The agent that a step made.
 * @throws FlowerError `usage` when it is none, such as the promise of an async function.
 */
export function specOf(step: string, spec: AgentSpec): AgentSpec {
  checkSpec(spec, stepNamed(step));
  return spec;
}

/**
 * A prompt that a step made.
 * @throws FlowerError `usage` when it is no text, such as the promise of an async function.
 */
export function textOf(step: string, field: string, value: string): string {
  if (typeof value === "string") return value;
  throw new FlowerError("usage", `\`${field}\` of step ${JSON.stringify(step)} made no text`, {
    nextStep: "let it return a string, and load what takes time in `when`",
  });
}

/** Which limit of a step its rounds have used up, for the person; undefined = none. */
export function limitUsed(
  { maxTurns = Infinity, maxBudgetUsd = Infinity }: AgentSpec,
  results: readonly StepResult[],
): string | undefined {
  const { turns, costUsd } = spentBy(results);
  if (turns >= maxTurns) return `the limit of ${maxTurns} turns is used up`;
  if (costUsd >= maxBudgetUsd) return `the limit of $${maxBudgetUsd} is used up`;
  return undefined;
}

/** What the rounds of a step have used. */
export function spentBy(results: readonly StepResult[]): { turns: number; costUsd: number } {
  const sum = (of: (result: StepResult) => number): number =>
    results.reduce((all, each) => all + of(each), 0);
  return {
    turns: sum(({ numTurns }) => numTurns),
    costUsd: sum(({ costUsd, predecessorCostUsd }) => costUsd + predecessorCostUsd),
  };
}
