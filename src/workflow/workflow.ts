import type { EventDraft } from "../core/events.ts";
import type { RunStepOptions, StepResult, StepRunner } from "../runtime/contract.ts";
import type { LineageEntry } from "../runtime/lineage.ts";
import { checkSteps, limitUsed, rejectionOf, specOf, spentBy, textOf } from "./check-steps.ts";
import { lostSteps, lostStepsLine, sourceLostLine } from "./lost-sessions.ts";
import { fromContext, StepAbort, type Step } from "./step.ts";

/** What a workflow runs on; a `Runtime` is one. */
export interface WorkflowHost extends StepRunner {
  /** Last sessions of earlier runs. */
  lineage: {
    /** The step's last session. */
    get(step: string): LineageEntry | undefined;
    /** Names of all steps that have one. */
    readonly steps?: readonly string[];
    /** What the person said at wakings, as long as no work session was told. */
    readonly words?: readonly string[];
    /** What the person said at wakings has reached a work session. */
    heard?(): void;
    /** A brief was made of it. */
    putIntoBrief?(): void;
  };
  /** Whether a person said words that the next step hears; waits for what is being typed. */
  hasWords?(): Promise<boolean>;
  /** Tells listeners and the event file something that no session said. */
  emit(step: string, event: EventDraft): void;
  /** Notes a temp directory, for the case that the process is killed; what is returned forgets it. */
  noteTemp?(path: string): () => void;
  /** The successor's prompt when an earlier run ended between a frozen handoff and its successor. */
  frozenHandoff(step: string): string | undefined;
}

/** How a workflow ended. */
export interface WorkflowResult {
  ok: boolean;
  /** The step that ended it, with its reason. */
  stopped?: { step: string; reason: string };
  /** Every run of every step, in order; at the end the run that a {@link StepAbort} named. */
  results: StepResult[];
}

/** Options of a workflow. */
export interface WorkflowOptions {
  /** Steps go on in the sessions of an earlier run in the same directory. Default true. */
  continuous?: boolean;
  /** A step's name on screen. Default: its id. */
  displayName?: (step: string) => string;
  /** What it means when a step's `when` says no, for the person. Default: nothing is said but that it is skipped. */
  whySkipped?: string;
}

/** Where a step may go on from: the session of its `resumeFrom` in this run, and that of an earlier run. */
interface Source {
  from: string | undefined;
  earlier: string | undefined;
}

/** What a step came to. */
interface Ran {
  /** The step's own last run. */
  last: StepResult;
  results: StepResult[];
  /** Why it failed. */
  failed?: string;
}

/** Said to a session that goes on in a new process; its last words are still in front of it. */
export const WOKEN =
  "This session was woken: its process had ended. Look at the disk for what is already there, then go on from where you stopped.";

/** An ordered list of steps over one context object. */
export class Workflow<C> {
  readonly steps: ReadonlyArray<Step<C>>;
  readonly #options: WorkflowOptions & Required<Pick<WorkflowOptions, "continuous" | "displayName">>;

  /** @throws FlowerError `usage` for a step of a wrong form, a name that comes twice, or a `resumeFrom` that names no earlier step. */
  constructor(steps: ReadonlyArray<Step<C>>, options: WorkflowOptions = {}) {
    checkSteps(steps);
    this.steps = steps;
    this.#options = { continuous: true, displayName: (step) => step, ...options };
  }

  /** Runs the steps in order; a failed one ends it unless its `onFail` says otherwise. */
  async run(host: WorkflowHost, context: C): Promise<WorkflowResult> {
    const results: StepResult[] = [];
    const sessions = new Map<string, string>();
    /** Of steps that an earlier run did, so that this one leaves them out. */
    const earlier = new Map<string, string>();
    const lost = lostSteps(
      host.lineage.steps ?? [],
      this.steps.map(({ name }) => name),
    );
    let told = 0;
    for (const [i, step] of this.steps.entries()) {
      const position = { index: i + 1, total: this.steps.length };
      if (step.when !== undefined && !(await step.when(context))) {
        const name = this.#options.displayName(step.name);
        const note = this.#options.whySkipped === undefined ? {} : { note: this.#options.whySkipped };
        host.emit(step.name, { type: "step", phase: "skipped", name, ...position, ...note });
        const session = this.#isContinuous(step) ? earlierSession(step.name, host) : undefined;
        if (session !== undefined) earlier.set(step.name, session);
        continue;
      }
      const source = {
        from: sessions.get(step.resumeFrom ?? ""),
        earlier: earlier.get(step.resumeFrom ?? ""),
      };
      const hasOwn = this.#isContinuous(step) && host.lineage.get(step.name) !== undefined;
      if (step.resumeFrom !== undefined && !hasOwn && !source.from && !source.earlier) {
        const message = sourceLostLine(step.name, step.resumeFrom);
        host.emit(step.name, { type: "system", level: "warning", message });
      }
      const isCutOff = source.from === undefined && this.#isContinuous(step) && !hasOwn;
      // As often as there are lost names: more new steps than that were not renamed.
      if (isCutOff && told < lost.length) {
        const message = lostStepsLine(step.name, lost);
        host.emit(step.name, { type: "system", level: "warning", message });
        told += 1;
      }
      const ran = await this.#runStep(host, step, context, position, source);
      results.push(...ran.results);
      if (ran.failed !== undefined) {
        const { onFail = "stop" } = step;
        // Whoever interrupts wants it to end, however little this step matters.
        if (onFail === "stop" || results.at(-1)?.status === "interrupted")
          return { ok: false, stopped: { step: step.name, reason: ran.failed }, results };
        const message = `${ran.failed}; the workflow goes on without it (onFail: ${onFail})`;
        host.emit(step.name, { type: "system", level: "warning", message });
        if (onFail === "skip") continue;
      }
      await step.reduce?.(ran.last, context);
      if (ran.last.sessionId !== undefined) sessions.set(step.name, ran.last.sessionId);
    }
    return { ok: true, results };
  }

  #isContinuous(step: Step<C>): boolean {
    return step.continuous ?? this.#options.continuous;
  }

  async #runStep(
    host: WorkflowHost,
    step: Step<C>,
    context: C,
    position: { index: number; total: number },
    source: Source,
  ): Promise<Ran> {
    const spec = specOf(step.name, fromContext(step.spec, context));
    const attempts = 1 + (step.retries ?? 0);
    const results: StepResult[] = [];
    const task = textOf(step.name, "prompt", fromContext(step.prompt, context));
    let { prompt, ...options } = this.#start(host, step, task, context, source);
    for (let attempt = 1; ; attempt += 1) {
      const stepName = attempt === 1 ? step.name : `${step.name}#round${attempt}`;
      const result = await host.run(spec, prompt, {
        ...options,
        stepName,
        displayName: this.#options.displayName(stepName),
        position,
        keepAlive: attempt < attempts && (step.keepAlive ?? true),
        ...(step.wordsFor === undefined ? {} : { wordsFor: step.wordsFor }),
        task,
        ...(results.length === 0 ? {} : { spent: spentBy(results) }),
      });
      results.push(result);
      const ran = { last: result, results };
      if (!result.ok) return { ...ran, failed: result.error ?? result.status };
      try {
        const answer = step.gate === undefined ? true : await step.gate(result, context, attempt);
        const reason = rejectionOf(step.name, answer);
        if (reason === undefined) return ran;
        if (attempt >= attempts) return { ...ran, failed: reason };
        const limit = limitUsed(spec, results);
        if (limit !== undefined) return { ...ran, failed: `${limit}: ${reason}` };
        const next = await step.onReject?.(reason, result, context);
        prompt = next === undefined ? reason : textOf(step.name, "onReject", next);
        options = result.sessionId === undefined ? {} : { resume: result.sessionId };
      } catch (error) {
        if (!(error instanceof StepAbort)) throw error;
        if (error.result !== undefined) results.push(error.result);
        return { ...ran, failed: error.message };
      }
    }
  }

  /** Where a step begins: from another step, from a frozen handoff, in its last session, or fresh. */
  #start(
    host: WorkflowHost,
    step: Step<C>,
    task: string,
    context: C,
    { from, earlier }: Source,
  ): { prompt: string } & Pick<RunStepOptions, "resume" | "fork" | "freshPrompt" | "handOverFirst"> {
    const fork = step.fork === true ? { fork: true } : {};
    if (from !== undefined) return { prompt: task, resume: from, ...fork };
    const last = this.#isContinuous(step) ? host.lineage.get(step.name) : undefined;
    if (last === undefined) {
      return earlier === undefined ? { prompt: task } : { prompt: task, resume: earlier, ...fork };
    }
    const successor = last.handoff === "frozen" ? host.frozenHandoff(step.name) : undefined;
    const takingOver = (handoff: string): string =>
      step.successorPrompt?.(handoff, context) ?? withWords(handoff, host);
    if (successor !== undefined) return { prompt: takingOver(successor), freshPrompt: task };
    const prompt =
      step.resumePrompt === undefined ? withWords(WOKEN, host) : fromContext(step.resumePrompt, context);
    // A successor that was killed before its first entry was stored starts from the document again, not from scratch.
    const document = last.handoff === "started" ? host.frozenHandoff(step.name) : undefined;
    const freshPrompt = document === undefined ? task : takingOver(document);
    const writing =
      last.handoff === "writing" || last.handoff === "frozen"
        ? { handOverFirst: { prompt: takingOver, ...(last.cut ?? { reason: "level", context: 0 }) } }
        : {};
    return { prompt, freshPrompt, resume: last.sessionId, ...writing, ...fork };
  }
}

/** The session of a step that an earlier run did. What is being handed over is no one's. */
function earlierSession(step: string, { lineage }: WorkflowHost): string | undefined {
  const entry = lineage.get(step);
  return entry?.handoff === "writing" || entry?.handoff === "frozen" ? undefined : entry?.sessionId;
}

/** A step that words nothing itself passes on what the person said at waking. */
function withWords(prompt: string, { lineage: { words = [] } }: WorkflowHost): string {
  return words.length === 0 ? prompt : `${prompt}\n\nThe person says:\n\n${words.join("\n\n")}`;
}
