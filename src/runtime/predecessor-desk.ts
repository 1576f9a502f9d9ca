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
}

/** Offers coordinators that took over a tool to ask the session before them, and ends what was opened for it. */
export class PredecessorDesk {
  readonly #options: ResolvedOptions;
  readonly #factory: SessionFactory;
  /** Ends the copies of retired sessions that are being asked. */
  readonly #copies = new Set<() => Promise<void>>();

  constructor(options: ResolvedOptions, factory: SessionFactory) {
    this.#options = options;
    this.#factory = factory;
  }

  /**
   * The spec with the tool, if there is somebody to ask.
   * @param before the step whose last session, or the successor of that, goes on from an earlier run; null = none.
   */
  offer(spec: AgentSpec, run: Successor, before: string | null): AgentSpec {
    const { handoff, runDir } = this.#options;
    const { predecessorBudgetUsd: budgetUsd = PREDECESSOR_BUDGET_USD, enabled } = handoff;
    if (spec.delegateOnly !== true || !enabled || budgetUsd <= 0) return spec;
    const retired = run.retired ?? (before === null ? undefined : lastRetired(runDir, before));
    if (retired === undefined) return spec;
    return withPredecessor(spec, {
      retired,
      budgetUsd,
      factory: this.#factory,
      onCost: (costUsd) => {
        run.predecessorCostUsd += costUsd;
      },
      onOpen: (end) => {
        this.#copies.add(end);
        return () => this.#copies.delete(end);
      },
    });
  }

  /** Ends all copies. */
  async end(): Promise<void> {
    await Promise.all([...this.#copies].map(async (end) => end()));
  }
}
