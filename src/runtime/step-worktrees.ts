import { errorText, FlowerError } from "../core/errors.ts";
import type { EventDraft } from "../core/events.ts";
import type { AgentSpec } from "../core/spec.ts";
import {
  goneText,
  keptLine,
  keptText,
  mergedLine,
  ownWorktreeText,
  type KeptWorktree,
  type Takers,
} from "../isolation/texts.ts";
import type { WorktreeRow } from "./contract.ts";
import { isolatedAgents, type Isolation } from "./isolation.ts";
import type { WorktreeRecord } from "./worktree-records.ts";

/** What the worktrees of a step need. */
export interface StepWorktreesOptions {
  isolation: Isolation;
  step: string;
  takers: Takers;
  workbench: string | undefined;
  emit(event: EventDraft): void;
  /** The rows changed: the books should be written. */
  onChange(): void;
}

/** Worktrees of one step's dispatches, from the harness's wish for one to what became of it. */
export class StepWorktrees {
  readonly #options: StepWorktreesOptions;
  readonly #working = new Map<string, WorktreeRecord>();
  readonly #rows = new Map<string, WorktreeRow>();
  #news: string | undefined;
  #problem: string | undefined;

  constructor(options: StepWorktreesOptions) {
    this.#options = options;
  }

  /** For the manifest: those that hold something, and those under way. */
  get rows(): WorktreeRow[] {
    return [...this.#rows.values()].map((row) => ({ ...row }));
  }

  /**
   * Makes the worktree of a subagent that is about to start.
   * @returns its root.
   * @throws FlowerError `workspace` when that fails; {@link problem} then says why.
   */
  async create(id: string): Promise<string> {
    const { isolation, step, emit, onChange } = this.#options;
    try {
      const record = await isolation.add(id, step);
      const { path, branch, base } = record;
      this.#working.set(id, record);
      this.#rows.set(id, {
        ...{ dispatch: id, description: null, path, branch, base },
        ...{ commits: null, changedFiles: null, state: "working" },
      });
      onChange();
      return path;
    } catch (error) {
      this.#problem = errorText(error);
      emit({ type: "system", level: "warning", message: this.#problem });
      throw error;
    }
  }

  /** Why the last worktree could not be made, once: the harness tells the model nothing of it (0.3.332). */
  takeProblem(): string | undefined {
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }

  /** What a subagent reads before its task; undefined when it is not isolated. */
  startText(id: string): string | undefined {
    const { takers, workbench } = this.#options;
    const record = this.#working.get(id);
    return record && ownWorktreeText(record, { workspace: takers.workspace, workbench });
  }

  /**
   * A subagent is done, or dead.
   * @returns what its starter reads of its worktree; undefined when it had none, or that was told before.
   */
  async ended(id: string, description: string | null): Promise<{ text: string; gone: boolean } | undefined> {
    const record = this.#working.get(id);
    if (record === undefined) return undefined;
    this.#working.delete(id);
    const { isolation, takers, emit, onChange } = this.#options;
    const ended = await isolation.end(record);
    if (ended.gone) this.#rows.delete(id);
    else {
      this.#keep(record, ended, description);
      emit({ type: "system", level: "info", message: keptLine(record, ended), agentId: id });
    }
    onChange();
    return ended.gone
      ? { gone: true, text: goneText(ended.ignored) }
      : { gone: false, text: keptText(record, ended, takers) };
  }

  /** Before a session starts: looks at what is left of dead subagents and of earlier runs. */
  async beforeSession(): Promise<void> {
    for (const id of [...this.#working.keys()]) await this.ended(id, null);
    const left = await this.#sweep();
    this.#news =
      left.length === 0
        ? undefined
        : [
            "Work of isolated agents that is not in the workspace yet:",
            ...left.map(({ record, kept }) => `- ${keptText(record, kept, this.#options.takers)}`),
          ].join("\n");
  }

  /** What a session reads behind its first prompt, once. */
  takeNews(): string | undefined {
    const news = this.#news;
    this.#news = undefined;
    return news;
  }

  /** At the step's end: nothing is under way any more, and what was merged meanwhile goes. */
  async finish(): Promise<void> {
    for (const id of [...this.#working.keys()]) await this.ended(id, null);
    await this.#sweep();
  }

  async #sweep(): Promise<{ record: WorktreeRecord; kept: KeptWorktree }[]> {
    const { isolation, emit } = this.#options;
    const say = (level: "info" | "warning", message: string): void =>
      emit({ type: "system", level, message });
    const left: { record: WorktreeRecord; kept: KeptWorktree }[] = [];
    for (const { record, ended } of await isolation.sweep()) {
      if (ended.gone) {
        const row = this.#rows.get(record.id);
        if (row !== undefined) row.state = "merged";
        say("info", mergedLine(record, ended.ignored));
        continue;
      }
      left.push({ record, kept: ended });
      if (record.settled) continue;
      this.#keep(record, ended, null);
      say("warning", `left by a run that did not end: ${keptLine(record, ended)}`);
    }
    return left;
  }

  #keep(
    { id, path, branch, base }: WorktreeRecord,
    { state }: KeptWorktree,
    description: string | null,
  ): void {
    this.#rows.set(id, {
      ...{ dispatch: id, description, path, branch: state?.onBranch ?? branch, base },
      ...{ commits: state?.commits ?? null, changedFiles: state?.changedFiles ?? null, state: "kept" },
    });
  }
}

/**
 * The worktrees of one step; undefined when none of its agents is isolated.
 * @throws FlowerError `usage` when one is and the runtime is not made for it: its workbench would lie in the checkout,
 * where an isolated worker cannot write.
 */
export function stepWorktrees(
  isolation: Isolation | undefined,
  spec: AgentSpec,
  parts: {
    step: string;
    workspace: string;
    workbench: string | undefined;
    emit(event: EventDraft): void;
    onChange(): void;
  },
): StepWorktrees | undefined {
  const names = isolatedAgents(spec);
  if (names.length === 0) return undefined;
  if (isolation === undefined)
    throw new FlowerError("usage", `the worker ${names.join(", ")} is isolated, and this runtime is not`, {
      nextStep: "make it with the option isolate: true (flower --isolate)",
    });
  const { workspace, ...rest } = parts;
  const agents = Object.keys(spec.agents ?? {}).filter((name) => !names.includes(name));
  return new StepWorktrees({ ...rest, isolation, takers: { workspace, agents } });
}
