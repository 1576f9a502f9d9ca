import { errorText } from "../core/errors.ts";
import type { Locale } from "../core/locale.ts";
import type { HumanChannel } from "../human/channel.ts";
import type { StepResult } from "../runtime/contract.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { StarterContext } from "./context.ts";
import { Workflow, type WorkflowResult } from "./workflow.ts";

/** What `flower run` gives to a function. The runtime is open; it is closed when the function is done. */
export interface FlowParts {
  /** What the person asked for, with what they said at wakings below it; empty when they said nothing. */
  request: string;
  /** Absolute, without links in it. */
  workspace: string;
  runtime: Runtime;
  workbench: Workbench;
  /** The person: asks them, and has their messages. */
  channel: HumanChannel;
  locale: Locale;
}

/**
 * What a function may come to: a workflow to be run, the result of one or of a step, or a text. Whatever else JavaScript
 * returns is taken for done, unless it, or something in a list, says `ok: false` or is a branch of `Promise.allSettled`
 * that was rejected.
 */
export type FlowOutcome = Workflow<StarterContext> | WorkflowResult | StepResult | string | undefined;

/** What `flower run` runs. The context of a workflow begins as {@link StarterContext}, filled from the workbench. */
export type Flow = Workflow<StarterContext> | ((parts: FlowParts) => FlowOutcome | Promise<FlowOutcome>);

/** How it ended. */
export interface FlowResult extends WorkflowResult {
  /** The text that a function came to. */
  text?: string;
}

/** Whether a value can be run. A workflow of another copy of this package can, too. */
export function isFlow(value: unknown): value is Flow {
  return typeof value === "function" || isWorkflow(value);
}

/** Whether a value is a workflow, of whatever copy of this package. */
export function isWorkflow(value: unknown): value is Workflow<StarterContext> {
  if (value instanceof Workflow) return true;
  return has(value, "steps") && Array.isArray(value.steps) && has(value, "run");
}

/**
 * Runs it; what its functions throw is thrown.
 * @param start `context`: where a workflow begins; `name`: what is said to have stopped when a function's only step did.
 */
export async function runFlow(
  flow: Flow,
  parts: FlowParts,
  { context, name }: { context: StarterContext; name: string },
): Promise<FlowResult> {
  const outcome: unknown = typeof flow === "function" ? await flow(parts) : flow;
  if (isWorkflow(outcome)) return outcome.run(parts.runtime, context);
  if (typeof outcome === "string") return { ok: true, results: [], text: outcome };
  if (isWorkflowResult(outcome)) return outcome;
  const all = (Array.isArray(outcome) ? outcome : [outcome]).map(unsettled);
  const results = all.filter(isStepResult);
  const failed = all.find((each) => has(each, "ok") && each.ok === false);
  if (failed === undefined) return { ok: true, results };
  return { ok: false, results, stopped: { step: name, reason: reasonOf(failed) } };
}

function isWorkflowResult(value: unknown): value is WorkflowResult {
  const isResult = has(value, "ok") && typeof value.ok === "boolean" && has(value, "results");
  return isResult && Array.isArray(value.results) && value.results.every(isStepResult);
}

function isStepResult(value: unknown): value is StepResult {
  const isResult = has(value, "ok") && typeof value.ok === "boolean" && has(value, "text");
  return isResult && typeof value.text === "string" && has(value, "status");
}

/** A branch of `Promise.allSettled` as what it came to; anything else as it is. */
function unsettled(value: unknown): unknown {
  const status = has(value, "status") ? value.status : undefined;
  if (status === "fulfilled" && has(value, "value")) return value.value;
  if (status === "rejected" && has(value, "reason")) return { ok: false, error: errorText(value.reason) };
  return value;
}

/** Why it says that it failed, in the first of the places where that may stand. */
function reasonOf(failed: unknown): string {
  const stopped = has(failed, "stopped") && has(failed.stopped, "reason") ? failed.stopped.reason : undefined;
  const places = [
    stopped,
    ...(["error", "reason", "status"] as const).map((name) => (has(failed, name) ? failed[name] : undefined)),
  ];
  const said = places.find((place) => typeof place === "string" && place !== "");
  return typeof said === "string" ? said : "it returned ok: false, and no reason";
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && name in value;
}
