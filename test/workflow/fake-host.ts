import type { LineageEntry } from "../../src/runtime/lineage.ts";
import type { EventDraft } from "../../src/core/events.ts";
import { NO_TOKENS } from "../../src/core/tokens.ts";
import type { Locale } from "../../src/core/locale.ts";
import type { AgentSpec } from "../../src/core/spec.ts";
import { HumanChannel } from "../../src/human/channel.ts";
import type { RunStepOptions, StepResult } from "../../src/runtime/contract.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import type { StarterParts } from "../../src/workflow/context.ts";
import type { WorkflowHost } from "../../src/workflow/workflow.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";

export const BRIEF =
  "## Goal\na converter\n\n## Acceptance criteria\nit converts\n\n## Boundaries\nno packages\n\n## Unknowns and assumptions\nnone known\n";
export const GOAL =
  "## Goal\na converter that converts\n\n## Checks\n- run it, see HTML\n- run the tests, see 0\n";

/** A verdict as a judge writes it. */
export const ruling = (conclusion: string, reason = "looked at it", failed = "(empty)"): string =>
  `## Conclusion\n${conclusion}\n\n## Reason\n${reason}\n\n## Failed\n${failed}\n`;

/** One call of the runner. */
export interface Call {
  step: string;
  prompt: string;
  spec: AgentSpec;
  options: RunStepOptions;
}

/** What a scripted run comes to: its text, or parts of its result. */
export type Scripted = string | Partial<StepResult>;

/** A runner whose results are scripted by step id; a run that nobody scripted throws. */
export class FakeHost implements WorkflowHost {
  readonly calls: Call[] = [];
  readonly events: Array<{ step: string; event: EventDraft }> = [];
  readonly sessions: Record<string, LineageEntry> = {};
  handoffs: Record<string, string> = {};
  readonly lineage: WorkflowHost["lineage"] = { get: (step) => this.sessions[step] };
  readonly #script: Record<string, Scripted[]>;
  readonly #during: (call: Call) => void | Promise<void>;

  /** @param during runs inside of every run, e.g. to change a file. */
  constructor(
    script: Record<string, Scripted[]>,
    during: (call: Call) => void | Promise<void> = () => undefined,
  ) {
    this.#script = structuredClone(script);
    this.#during = during;
  }

  async run(spec: AgentSpec, prompt: string, options: RunStepOptions = {}): Promise<StepResult> {
    const step = options.stepName ?? spec.name;
    const call = { step, prompt, spec, options };
    this.calls.push(call);
    const scripted = this.#script[step]?.shift();
    if (scripted === undefined) throw new Error(`nobody scripted this run of ${step}`);
    await this.#during(call);
    const fork = options.fork === true ? " fork" : "";
    return result({
      sessionId: options.resume === undefined ? `session of ${step}` : options.resume + fork,
      resumed: options.resume !== undefined,
      ...(typeof scripted === "string" ? { text: scripted } : scripted),
    });
  }

  emit(step: string, event: EventDraft): void {
    this.events.push({ step, event });
  }

  frozenHandoff(step: string): string | undefined {
    return this.handoffs[step];
  }

  /** Ids of the steps that ran, in order. */
  get steps(): string[] {
    return this.calls.map((call) => call.step);
  }

  /** The only call of a step. */
  call(step: string): Call {
    const found = this.calls.filter((call) => call.step === step);
    if (found.length !== 1 || found[0] === undefined) throw new Error(`${step} ran ${found.length} times`);
    return found[0];
  }

  /** Everything said to the person, a line each. */
  get said(): string {
    return this.events.map(({ event }) => (event.type === "system" ? event.message : "")).join("\n");
  }
}

/** A run that went well, with changes. */
export function result(changes: Partial<StepResult> = {}): StepResult {
  return {
    ok: true,
    status: "done",
    text: "done",
    sessionId: "session",
    costUsd: 0,
    costIsEstimate: false,
    numTurns: 1,
    durationMs: 1,
    error: undefined,
    errors: [],
    attempts: 1,
    resumed: false,
    retired: [],
    generations: [],
    context: 0,
    window: 0,
    tokens: { main: NO_TOKENS, subagents: NO_TOKENS },
    refusals: 0,
    worktrees: [],
    predecessorCostUsd: 0,
    ...changes,
  };
}

/** A run that failed. */
export const failure = (error: string): Partial<StepResult> => ({ ok: false, status: "failed", error });

/** A workspace with a workbench and a person who gives these answers in turn, then none. */
export async function starterParts(
  host: WorkflowHost,
  { answers = [], locale = "en" }: { answers?: readonly string[]; locale?: Locale } = {},
): Promise<StarterParts & { questions: string[] }> {
  const workbench = Workbench.open({ workspace: await tempDir(), locale });
  const questions: string[] = [];
  const left = [...answers];
  const channel: HumanChannel = new HumanChannel({
    locale,
    onAsk: (event) => {
      if (event.phase !== "asked") return;
      questions.push(event.question);
      const answer = left.shift();
      if (answer === undefined) channel.skip(event.id);
      else channel.answer(event.id, answer);
    },
  });
  onCleanup(async () => channel.close());
  return { host, workbench, channel, locale, questions };
}
