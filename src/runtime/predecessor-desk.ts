import type { AgentSpec } from "../core/spec.ts";
import type { Generation } from "./contract.ts";
import { lastRetired } from "./manifest.ts";
import type { ResolvedOptions } from "./options.ts";
import { PREDECESSOR_BUDGET_USD, withPredecessor } from "./predecessor.ts";
import type { SessionFactory } from "./session-factory.ts";

/** A step, as far as its predecessor is concerned. */
export interface Successor {
  /** The session that handed over last in this run of the step. */
  readonly retired: Generation | undefined;
  /** What questions have cost, US dollars. */
  predecessorCostUsd: number;
  /** The result as it stands; its cost is without that of questions. */
  snapshot(status: "running"): { costUsd: number };
}

/** A step that books now. */
interface Asking {
  run: Successor;
  /** Its limit, US dollars; undefined = none. */
  maxBudgetUsd: number | undefined;
}

/** Offers coordinators that took over a tool to ask the session before them, and ends what was opened for it. */
export class PredecessorDesk {
  readonly #options: ResolvedOptions;
  readonly #factory: SessionFactory;
  /** Ends the copies of retired sessions that are being asked; each with the step that asks. */
  readonly #questions = new Map<() => Promise<void>, Successor>();
  /** The step that books now, by name in the lineage: a kept process has its tool from a round before. */
  readonly #current = new Map<string, Asking>();

  constructor(options: ResolvedOptions, factory: SessionFactory) {
    this.#options = options;
    this.#factory = factory;
  }

  /** A step begins, perhaps in a process of the round before. */
  begin(run: Successor, lineageStep: string | null, { maxBudgetUsd }: AgentSpec): void {
    if (lineageStep !== null) this.#current.set(lineageStep, { run, maxBudgetUsd });
  }

  /**
   * The spec with the tool, if there is somebody to ask.
   * @param step `tookOver`: its last session, or the successor of that, goes on from an earlier run.
   */
  offer(
    spec: AgentSpec,
    run: Successor,
    { lineageStep, tookOver }: { lineageStep: string | null; tookOver: boolean },
  ): AgentSpec {
    const { handoff, runDir } = this.#options;
    const { predecessorBudgetUsd: budgetUsd = PREDECESSOR_BUDGET_USD, enabled } = handoff;
    if (spec.delegateOnly !== true || !enabled || budgetUsd <= 0 || lineageStep === null) return spec;
    const retired = run.retired ?? (tookOver ? lastRetired(runDir, lineageStep) : undefined);
    if (retired === undefined) return spec;
    const asking = (): Asking => this.#current.get(lineageStep) ?? { run, maxBudgetUsd: spec.maxBudgetUsd };
    return withPredecessor(spec, {
      retired,
      budgetUsd,
      leftUsd: () => {
        const { run: now, maxBudgetUsd = Infinity } = asking();
        return maxBudgetUsd - now.snapshot("running").costUsd - now.predecessorCostUsd;
      },
      factory: this.#factory,
      onCost: (costUsd) => {
        asking().run.predecessorCostUsd += costUsd;
      },
      onAsk: (end) => {
        this.#questions.set(end, asking().run);
        return () => this.#questions.delete(end);
      },
    });
  }

  /** Ends the questions of a step, or all, and waits until what they have cost is booked. */
  async end(run?: Successor): Promise<void> {
    const ends = [...this.#questions].filter(([, asking]) => run === undefined || asking === run);
    await Promise.all(ends.map(async ([end]) => end()));
  }
}
