import type { Locale } from "../core/locale.ts";
import type { AgentSpec } from "../core/spec.ts";
import { NOTICE_TEXTS } from "./notice-texts.ts";

/** Shares of the budget that are said when they are used, once each. */
const SAID_AT = [0.5, 0.8];

/** A limit on what a whole run may cost, US dollars. */
export class Budget {
  readonly #budgetUsd: number | undefined;
  readonly #notice: (message: string) => void;
  readonly #locale: Locale;
  #said = 0;

  /** @param budgetUsd undefined = no limit. */
  constructor(budgetUsd: number | undefined, notice: (message: string) => void, locale: Locale) {
    this.#locale = locale;
    this.#budgetUsd = budgetUsd;
    this.#notice = notice;
  }

  /** Why no further step may start; undefined when one may. */
  refusal(spentUsd: number): string | undefined {
    if (this.#budgetUsd === undefined || spentUsd < this.#budgetUsd) return undefined;
    return `the budget of $${this.#budgetUsd.toFixed(2)} is used up: run again with a larger --budget, it goes on where it stopped`;
  }

  /** The spec, bounded by what is left. */
  bounded(spec: AgentSpec, spentUsd: number): AgentSpec {
    if (this.#budgetUsd === undefined) return spec;
    const leftUsd = this.#budgetUsd - spentUsd;
    return { ...spec, maxBudgetUsd: Math.min(leftUsd, spec.maxBudgetUsd ?? leftUsd) };
  }

  /** Takes in what the run has cost so far. */
  note(spentUsd: number): void {
    if (this.#budgetUsd === undefined) return;
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
}
