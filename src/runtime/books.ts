import {
  addSplit,
  addTokens,
  NO_TOKENS,
  subtractTokens,
  type SplitTokens,
  type TokenCounts,
} from "../core/tokens.ts";
import type { Counted, RoundResult } from "../harness/contract.ts";

/** Sums of rounds: cost, turns and tokens add up over retries, handoffs and further rounds. */
export class Books {
  costUsd = 0;
  costIsEstimate = false;
  numTurns = 0;
  tokens: SplitTokens = { main: NO_TOKENS, subagents: NO_TOKENS };
  #taken = { costUsd: 0, tokens: NO_TOKENS };

  add(round: RoundResult): void {
    this.costUsd += round.costUsd;
    this.costIsEstimate ||= round.costIsEstimate;
    Object.assign(this, this.with(round));
  }

  /** Turns and tokens with those of a round that is under way. */
  with(underWay: Counted | undefined): Counted {
    if (underWay === undefined) return { numTurns: this.numTurns, tokens: this.tokens };
    return {
      numTurns: this.numTurns + underWay.numTurns,
      tokens: addSplit(this.tokens, underWay.tokens),
    };
  }

  /** Cost and tokens since the last call of this: one generation's share. */
  takeGeneration(): { costUsd: number; tokens: TokenCounts } {
    const share = {
      costUsd: this.costUsd - this.#taken.costUsd,
      tokens: subtractTokens(this.allTokens, this.#taken.tokens),
    };
    this.#taken = { costUsd: this.costUsd, tokens: this.allTokens };
    return share;
  }

  /** All tokens, main thread and subagents. */
  get allTokens(): TokenCounts {
    return addTokens(this.tokens.main, this.tokens.subagents);
  }
}
