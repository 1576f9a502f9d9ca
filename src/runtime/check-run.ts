import { checkSpec } from "../core/check-spec.ts";
import { FlowerError } from "../core/errors.ts";
import type { AgentSpec } from "../core/spec.ts";
import type { RunStepOptions } from "./contract.ts";

/** What only says something about a session to go on from. */
const OF_A_RESUME = ["fork", "resumeAt", "handOverFirst"] as const;

/**
 * Refuses a step that cannot be run as it is asked for.
 * @throws FlowerError `usage` for a closed runtime, a wrong agent, an empty prompt, and for what needs a `resume` and has none: the step
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
  if (options.resume !== undefined) return;
  for (const name of OF_A_RESUME)
    if (options[name] !== undefined && options[name] !== false)
      throw new FlowerError("usage", `\`${name}\` is given without a session to go on from`, {
        nextStep: "give its id as `resume`, or leave it out",
      });
}
