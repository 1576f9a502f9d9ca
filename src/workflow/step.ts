import type { AgentSpec } from "../core/spec.ts";
import type { RunStepOptions, StepResult } from "../runtime/contract.ts";

/** A value, or a function of the workflow's context that makes it when the step starts. */
export type FromContext<C, T> = T | ((context: C) => T);

/** What a gate says: accepted, or why not; `false` gives no reason. */
export type GateAnswer = boolean | { rejected: string };

/** Thrown in `gate` or `onReject`: no further try, the step fails with this reason. */
export class StepAbort extends Error {
  /** A run of another session that led to this, such as a judge's; it joins the workflow's results. */
  readonly result: StepResult | undefined;

  constructor(reason: string, result?: StepResult) {
    super(reason);
    this.name = "StepAbort";
    this.result = result;
  }
}

/**
 * One step of a workflow. Order: `when` → run → `gate` (once an attempt, not at all when the run failed) → `onReject`
 * → next attempt, at most `retries` → `reduce` → with a failure `onFail`. A run that failed ends the step: what can be
 * tried again, the runtime has tried.
 */
export interface Step<C> {
  /** English id, once in a workflow: lineage, manifest and file names follow it; renaming it cuts the lineage. */
  name: string;
  spec: FromContext<C, AgentSpec>;
  prompt: FromContext<C, string>;
  /**
   * Sent instead of `prompt` when the step goes on in its last session. Default: a short word to go on, with what the
   * person said at waking.
   */
  resumePrompt?: FromContext<C, string>;
  /**
   * The first prompt of the successor of a session that had handed over before the process ended.
   * Default: the handoff's prompt, with what the person said at waking.
   */
  successorPrompt?: (handoff: string, context: C) => string;
  /** Go on from the session of this earlier step of the same run. Goes before the session of an earlier run. */
  resumeFrom?: string;
  /** With a session to go on from: in a copy of its history. Default false. */
  fork?: boolean;
  /** Attempts after a rejection. Default 0. */
  retries?: number;
  /** False = the step is skipped. May fill the context, e.g. from a document on disk. Default: it runs. */
  when?: (context: C) => boolean | Promise<boolean>;
  /** Judges a run that succeeded. */
  gate?: (result: StepResult, context: C, attempt: number) => GateAnswer | Promise<GateAnswer>;
  /** The prompt of the next attempt, in the same session. Default: the reason. */
  onReject?: (reason: string, result: StepResult, context: C) => string | Promise<string>;
  /** Takes an accepted result into the context; with `onFail: "continue"` also a failed one. */
  reduce?: (result: StepResult, context: C) => void | Promise<void>;
  /**
   * What a failed step means for the workflow: `stop` ends it; `skip` goes on as if the step had not been; `continue`
   * goes on with what it came to: `reduce` gets its last result. A person's interruption always ends it. Default `stop`.
   */
  onFail?: "stop" | "skip" | "continue";
  /** Who hears what a person says as they interrupt this step. Default `this`: its own session. */
  wordsFor?: NonNullable<RunStepOptions["wordsFor"]>;
  /** Keep the session's process alive between attempts. Default true. */
  keepAlive?: boolean;
  /** Go on in the session of an earlier run. Default: the workflow's `continuous`. */
  continuous?: boolean;
}

/** Evaluates a {@link FromContext}. */
export function fromContext<C, T extends object | string>(value: FromContext<C, T>, context: C): T {
  return typeof value === "function" ? (value as (context: C) => T)(context) : value;
}
