import type { EventDraft } from "../core/events.ts";
import type { RunStepOptions, StepResult, StepRunner } from "../runtime/contract.ts";
import { fromContext, StepAbort, type Step } from "./step.ts";

/** What a workflow runs on; a `Runtime` is one. */
export interface WorkflowHost extends StepRunner {
  /** Last sessions of earlier runs. */
  lineage: { get(step: string): { sessionId: string; handoff?: string } | undefined };
  emit(step: string, event: EventDraft): void;
  /** The successor's prompt when an earlier run ended between a frozen handoff and its successor. */
  frozenHandoff(step: string): string | undefined;
}

/** How a workflow ended. */
export interface WorkflowResult {
  ok: boolean;
  /** The step that ended it, with its reason. */
  stopped?: { step: string; reason: string };
  /** Every run of every step, in order. */
  results: StepResult[];
}

/** Options of a workflow. */
export interface WorkflowOptions {
  /** Steps go on in the sessions of an earlier run in the same directory. Default true. */
  continuous?: boolean;
  /** A step's name on screen. Default: its id. */
  displayName?: (step: string) => string;
}

const GO_ON =
  "This session was woken: its process had ended. Look at the disk for what is already there, then go on from where you stopped.";

/** An ordered list of steps over one context object. */
export class Workflow<C> {
  readonly steps: ReadonlyArray<Step<C>>;
  readonly #options: Required<WorkflowOptions>;

  constructor(steps: ReadonlyArray<Step<C>>, options: WorkflowOptions = {}) {
    this.steps = steps;
    this.#options = { continuous: true, displayName: (step) => step, ...options };
  }

  /** Runs the steps in order; a failed one ends it unless its `onFail` says otherwise. */
  async run(host: WorkflowHost, context: C): Promise<WorkflowResult> {
    const results: StepResult[] = [];
    const sessions = new Map<string, string>();
    for (const [i, step] of this.steps.entries()) {
      const position = { index: i + 1, total: this.steps.length };
      if (step.when !== undefined && !(await step.when(context))) {
        const name = this.#options.displayName(step.name);
        host.emit(step.name, { type: "step", phase: "skipped", name, ...position });
        continue;
      }
      const ran = await this.#runStep(host, step, context, position, sessions.get(step.resumeFrom ?? ""));
      results.push(...ran.results);
      const last = ran.results.at(-1);
      if (last?.sessionId !== undefined) sessions.set(step.name, last.sessionId);
      if (ran.failed === undefined) continue;
      if ((step.onFail ?? "stop") === "stop")
        return { ok: false, stopped: { step: step.name, reason: ran.failed }, results };
    }
    return { ok: true, results };
  }

  async #runStep(
    host: WorkflowHost,
    step: Step<C>,
    context: C,
    position: { index: number; total: number },
    from: string | undefined,
  ): Promise<{ results: StepResult[]; failed?: string }> {
    const spec = fromContext(step.spec, context);
    const attempts = 1 + (step.retries ?? 0);
    const results: StepResult[] = [];
    let { prompt, ...options } = this.#start(host, step, context, from);
    for (let attempt = 1; ; attempt += 1) {
      const stepName = attempt === 1 ? step.name : `${step.name}#round${attempt}`;
      const result = await host.run(spec, prompt, {
        ...options,
        stepName,
        displayName: this.#options.displayName(stepName),
        position,
        keepAlive: step.keepAlive ?? attempts > 1,
      });
      results.push(result);
      if (!result.ok) return { results, failed: result.error ?? result.status };
      try {
        const answer = (await step.gate?.(result, context, attempt)) ?? true;
        if (answer === true) {
          await step.reduce?.(result, context);
          return { results };
        }
        if (attempt >= attempts) return { results, failed: answer.rejected };
        prompt = (await step.onReject?.(answer.rejected, result, context)) ?? answer.rejected;
        options = result.sessionId === undefined ? {} : { resume: result.sessionId };
      } catch (error) {
        if (error instanceof StepAbort) return { results, failed: error.message };
        throw error;
      }
    }
  }

  /** Where a step begins: from another step, from a frozen handoff, in its last session, or fresh. */
  #start(
    host: WorkflowHost,
    step: Step<C>,
    context: C,
    from: string | undefined,
  ): { prompt: string } & Pick<RunStepOptions, "resume" | "fork"> {
    const fork = step.fork === true ? { fork: true } : {};
    if (from !== undefined) return { prompt: fromContext(step.prompt, context), resume: from, ...fork };
    const continuous = step.continuous ?? this.#options.continuous;
    const last = continuous ? host.lineage.get(step.name) : undefined;
    if (last === undefined) return { prompt: fromContext(step.prompt, context) };
    const successor = last.handoff === "frozen" ? host.frozenHandoff(step.name) : undefined;
    if (successor !== undefined) return { prompt: successor };
    return { prompt: fromContext(step.resumePrompt ?? GO_ON, context), resume: last.sessionId, ...fork };
  }
}
