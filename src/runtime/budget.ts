import type { Locale } from "../core/locale.ts";
import type { AgentSpec } from "../core/spec.ts";
import type { StepResult } from "./contract.ts";
import { NOTICE_TEXTS } from "./notice-texts.ts";
import { STOP_TEXTS } from "./stop-texts.ts";

/** Shares of the budget that are said when they are used, once each. */
const SAID_AT = [0.5, 0.8, 1];

/** What one step has of the budget. */
export interface BudgetShare {
  /** The step's spec, bounded by what is left. */
  readonly spec: AgentSpec;
  /** Why the step may not start; undefined when it may. */
  readonly refusal: string | undefined;
  /** The step starts; what it costs is asked for whenever somebody wants to know, US dollars. */
  starts(costUsd: () => number): void;
  /** How much of what was left other steps have used up beside it, US dollars. */
  takenUsd(): number;
  /** The step is over; only the first call counts. */
  ends(result?: Pick<StepResult, "costUsd" | "costIsEstimate" | "predecessorCostUsd">): void;
}

/** What a run costs, and the limit on it. */
export class Budget {
  readonly #budgetUsd: number | undefined;
  readonly #notice: (message: string) => void;
  readonly #locale: Locale;
  readonly #running = new Set<() => number>();
  #ended = { costUsd: 0, costIsEstimate: false };
  #said = 0;

  /** @param budgetUsd US dollars; undefined = no limit. */
  constructor(budgetUsd: number | undefined, notice: (message: string) => void, locale: Locale) {
    this.#locale = locale;
    this.#budgetUsd = budgetUsd;
    this.#notice = notice;
  }

  /** What the steps that are over have cost. */
  get ended(): { costUsd: number; costIsEstimate: boolean } {
    return { ...this.#ended };
  }

  /** The share of a step that is about to start. */
  share(asked: AgentSpec): BudgetShare {
    const thenUsd = this.#spentUsd();
    let own: (() => number) | undefined;
    let isOver = false;
    return {
      spec: this.#bounded(asked, thenUsd),
      refusal: this.#refusal(thenUsd),
      starts: (costUsd) => {
        own = costUsd;
        this.#running.add(own);
      },
      takenUsd: () => this.#limitUsd(asked, thenUsd) - this.#limitUsd(asked, this.#spentUsd(own)),
      ends: (result) => {
        if (own !== undefined) this.#running.delete(own);
        if (result !== undefined && !isOver)
          this.#ended = {
            costUsd: this.#ended.costUsd + result.costUsd + result.predecessorCostUsd,
            costIsEstimate: this.#ended.costIsEstimate || result.costIsEstimate,
          };
        isOver = true;
      },
    };
  }

  /** Looks at what the run has cost so far, and says it when much is used. */
  look(): void {
    if (this.#budgetUsd === undefined) return;
    const spentUsd = this.#spentUsd();
    const share = spentUsd / this.#budgetUsd;
    const reached = SAID_AT.filter((each) => share >= each).length;
    if (reached <= this.#said) return;
    this.#said = reached;
    const [budget, spent] = [this.#budgetUsd, spentUsd].map((usd) => `$${usd.toFixed(2)}`) as [
      string,
      string,
    ];
    this.#notice(NOTICE_TEXTS[this.#locale].budgetUsed(Math.floor(share * 100), budget, spent));
  }

  /** Of all steps, those under way included. */
  #spentUsd(besides?: () => number): number {
    return [...this.#running]
      .filter((each) => each !== besides)
      .reduce((sum, costUsd) => sum + costUsd(), this.#ended.costUsd);
  }

  #refusal(spentUsd: number): string | undefined {
    if (this.#budgetUsd === undefined || spentUsd < this.#budgetUsd) return undefined;
    return STOP_TEXTS[this.#locale].budgetUsedUp(`$${this.#budgetUsd.toFixed(2)}`);
  }

  #bounded(spec: AgentSpec, spentUsd: number): AgentSpec {
    return this.#budgetUsd === undefined ? spec : { ...spec, maxBudgetUsd: this.#limitUsd(spec, spentUsd) };
  }

  /** 0 when there is no budget. */
  #limitUsd({ maxBudgetUsd = Infinity }: AgentSpec, spentUsd: number): number {
    return this.#budgetUsd === undefined ? 0 : Math.min(this.#budgetUsd - spentUsd, maxBudgetUsd);
  }
}
