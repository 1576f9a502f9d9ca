import { z } from "zod";
import { checkSpec } from "../core/check-spec.ts";
import { FlowerError } from "../core/errors.ts";
import type { AgentSpec } from "../core/spec.ts";
import { FUNCTION, wrongPart } from "../core/wrong-part.ts";
import type { RunStepOptions } from "./contract.ts";

/** One entry a field, so that none is forgotten here. */
const OPTIONS = z.strictObject({
  stepName: z.string().min(1).optional(),
  displayName: z.string().optional(),
  position: z.object({ index: z.number(), total: z.number() }).optional(),
  resume: z.string().min(1).optional(),
  freshPrompt: z.string().optional(),
  fork: z.boolean().optional(),
  resumeAt: z.string().min(1).optional(),
  handOverFirst: z.looseObject({ prompt: FUNCTION }).optional(),
  task: z.string().optional(),
  spent: z.object({ turns: z.number(), costUsd: z.number() }).optional(),
  keepAlive: z.boolean().optional(),
  lineageStep: z.string().min(1).nullable().optional(),
  copyMount: z.object({ copy: z.string().min(1), readOnly: z.array(z.string()) }).optional(),
  wordsFor: z.enum(["this", "next", "both"]).optional(),
  onEvent: FUNCTION.optional(),
} satisfies Record<keyof RunStepOptions, z.ZodType>);

/** What only says something about a session to go on from. */
const OF_A_RESUME = ["fork", "resumeAt", "handOverFirst"] as const;

/**
 * Refuses a step that cannot be run as it is asked for.
 * @throws FlowerError `usage` for a closed runtime, a wrong agent, an empty prompt, wrong options, and for what needs a `resume` and has none: the step
 * would begin afresh, and nobody would notice.
 */
export function checkRun(
  spec: AgentSpec,
  prompt: string,
  options: RunStepOptions,
  closed: AbortSignal,
): void {
  if (closed.aborted)
    throw new FlowerError("usage", "the runtime is closed", {
      nextStep: "run the step before close(), or in a new Runtime",
    });
  checkSpec(spec);
  if (typeof prompt !== "string" || prompt.trim() === "")
    throw new FlowerError("usage", "the prompt of a step is empty");
  const wrong = wrongPart(OPTIONS, options);
  if (wrong !== undefined)
    throw new FlowerError("usage", `the options of a run have ${wrong}`, {
      nextStep: "see the type RunStepOptions of flower-agent",
    });
  if (spec.throwawayCopy === true && options.copyMount === undefined)
    throw new FlowerError("usage", `the agent ${JSON.stringify(spec.name)} works in a copy, and has none`, {
      nextStep:
        "give one as `copyMount` (makeThrowawayCopy makes it), let withGoal judge, or make the judge with run: false",
    });
  if (options.resume !== undefined) return;
  for (const name of OF_A_RESUME)
    if (options[name] !== undefined && options[name] !== false)
      throw new FlowerError("usage", `\`${name}\` is given without a session to go on from`, {
        nextStep: "give its id as `resume`, or leave it out",
      });
}
