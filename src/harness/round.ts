import type { SDKMessage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { addTokens, NO_TOKENS, subtractTokens, type TokenCounts } from "../core/tokens.ts";
import type { TranscriptEntry } from "../store/contract.ts";
import { DECLINED, type Counted, type RoundFailure, type RoundResult } from "./contract.ts";
import { blocksOf } from "./normalize.ts";

/** Cumulative figures of a session, against which a round is booked as a difference (0.3.332). */
export interface Cumulative {
  costUsd: number;
  tokens: TokenCounts;
}

/** Where a fresh session starts. */
export const NOTHING_SPENT: Cumulative = { costUsd: 0, tokens: NO_TOKENS };

interface UsageOfModel {
  inputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  outputTokens: number;
}

function tokensOf(models: Readonly<Record<string, UsageOfModel>>): TokenCounts {
  const tokens = { ...NO_TOKENS };
  for (const usage of Object.values(models)) {
    tokens.input += usage.inputTokens;
    tokens.cacheRead += usage.cacheReadInputTokens;
    tokens.cacheWrite += usage.cacheCreationInputTokens;
    tokens.output += usage.outputTokens;
  }
  return tokens;
}

/** What a resumed transcript brings along: the harness counts on from its last `cost-state` entry (0.3.332). */
export function costBefore(entries: readonly TranscriptEntry[]): Cumulative {
  const last = entries.findLast((entry) => entry.type === "cost-state");
  if (last === undefined) return NOTHING_SPENT;
  return {
    costUsd: Number(last["totalCostUSD"] ?? 0),
    tokens: tokensOf((last["modelUsage"] ?? {}) as Record<string, UsageOfModel>),
  };
}

interface ApiUsage {
  input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
}

/** Main-thread context of a request: all that the model read. */
export function contextOf(usage: ApiUsage): number {
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0)
  );
}

/** A difference of the harness's figures, which are rounded and may fall short of each other by a little. */
function difference(a: TokenCounts, b: TokenCounts): TokenCounts {
  const { input, cacheRead, cacheWrite, output } = subtractTokens(a, b);
  return {
    input: Math.max(0, input),
    cacheRead: Math.max(0, cacheRead),
    cacheWrite: Math.max(0, cacheWrite),
    output: Math.max(0, output),
  };
}

const countsOf = (usage: ApiUsage): TokenCounts => ({
  input: usage.input_tokens ?? 0,
  cacheRead: usage.cache_read_input_tokens ?? 0,
  cacheWrite: usage.cache_creation_input_tokens ?? 0,
  output: usage.output_tokens ?? 0,
});

/** Follows one round's messages and books it when the result comes. */
export class RoundTracker {
  #turnIds = new Set<string>();
  /** Texts of the main thread's messages in this round, the last one growing. */
  #texts: string[] = [];
  #lastOutput: number | undefined;
  #lastTurn: string | undefined;
  #failure: RoundFailure | undefined;
  /** By message: a message comes in several parts, each with the usage so far. */
  readonly #usage = new Map<string, TokenCounts>();
  /** Main-thread context of the last request seen. */
  context = 0;

  /** True once the main thread has said something in this round. */
  get started(): boolean {
    return this.#turnIds.size > 0 || this.#failure !== undefined;
  }

  /** Tokens of the messages seen, subagents' included. */
  get tokens(): TokenCounts {
    return [...this.#usage.values()].reduce(addTokens, NO_TOKENS);
  }

  see(message: SDKMessage): void {
    if (message.type !== "assistant") return;
    if (message.error === undefined) this.#usage.set(message.message.id, countsOf(message.message.usage));
    if (message.parent_tool_use_id !== null) return;
    if (message.error !== undefined || message.message.model === "<synthetic>") {
      if (message.error !== undefined) this.#failure = failureOf(message);
      return;
    }
    this.#failure = undefined;
    const id = message.message.id;
    if (id !== this.#lastTurn) {
      this.#lastTurn = id;
      this.#texts.push("");
      this.#turnIds.add(id);
    }
    this.context = contextOf(message.message.usage);
    this.#lastOutput = message.message.usage.output_tokens;
    for (const block of blocksOf(message.message.content)) {
      if (block.type === "text" && typeof block["text"] === "string") this.#say(block["text"]);
    }
  }

  #say(text: string): void {
    const before = this.#texts.at(-1) ?? "";
    this.#texts[Math.max(0, this.#texts.length - 1)] = before === "" ? text : `${before}\n${text}`;
  }

  #textsOfRound(): Pick<RoundResult, "text" | "allText"> {
    return {
      text: (this.#texts.at(-1) ?? "").trim(),
      allText: this.#texts
        .filter((text) => text !== "")
        .join("\n")
        .trim(),
    };
  }

  /** Tokens of the main thread's messages seen. */
  #seenOfMain(): TokenCounts {
    return [...this.#turnIds].map((id) => this.#usage.get(id) ?? NO_TOKENS).reduce(addTokens, NO_TOKENS);
  }

  /** A reply without content comes in no message (0.3.332): only the round's sum tells that there was one. */
  #noteEmptyReply(main: TokenCounts): void {
    const { input, cacheRead, cacheWrite } = difference(main, this.#seenOfMain());
    const context = input + cacheRead + cacheWrite;
    if (context === 0 || context < this.context) return;
    this.context = context;
    this.#lastOutput = 0;
  }

  /** What the messages seen so far come to. */
  get soFar(): Counted {
    const main = this.#seenOfMain();
    return { numTurns: this.#turnIds.size, tokens: { main, subagents: difference(this.tokens, main) } };
  }

  /** Books the round as the difference to what the session had cost before. */
  finish(result: SDKResultMessage, before: Cumulative, cut: string | undefined): RoundResult {
    const main = countsOf(result.usage);
    this.#noteEmptyReply(main);
    const failure = this.#failureIn(result, cut);
    return {
      ...this.#textsOfRound(),
      ...(failure === undefined ? {} : { failure }),
      ...(cut === undefined ? {} : { cut }),
      costUsd: Math.max(0, result.total_cost_usd - before.costUsd),
      costIsEstimate: Object.values(result.modelUsage).some((usage) => usage.costBasis === "unknown"),
      numTurns: this.#turnIds.size,
      tokens: { main, subagents: difference(difference(cumulative(result).tokens, before.tokens), main) },
      context: this.context,
      lastOutput: this.#lastOutput,
    };
  }

  /**
   * The round of a process that ended without a result: booked by its messages, and by what the harness had last said
   * that the round cost, US dollars.
   */
  broken(message: string, saidUsd = 0): RoundResult {
    return {
      ...this.#textsOfRound(),
      failure: { message, ...this.#failure },
      costUsd: Math.max(0, saidUsd),
      costIsEstimate: this.started,
      ...this.soFar,
      context: this.context,
      lastOutput: this.#lastOutput,
    };
  }

  #failureIn(result: SDKResultMessage, cut: string | undefined): RoundFailure | undefined {
    if (cut !== undefined || (result.subtype === "success" && !result.is_error)) return undefined;
    const message = result.subtype === "success" ? result.result : result.errors.join("; ");
    const status = result.subtype === "success" ? result.api_error_status : undefined;
    return {
      message: message === "" ? result.subtype : message,
      ...(status === undefined || status === null ? {} : { status }),
      ...(result.terminal_reason === undefined ? {} : { terminalReason: result.terminal_reason }),
      ...this.#failure,
      ...(result.stop_reason === "refusal" ? { category: DECLINED } : {}),
    };
  }
}

/** Cumulative cost and tokens of everything the session did, subagents included. */
export function cumulative(result: SDKResultMessage): Cumulative {
  return { costUsd: result.total_cost_usd, tokens: tokensOf(result.modelUsage) };
}

function failureOf(message: Extract<SDKMessage, { type: "assistant" }>): RoundFailure {
  const extra = message as { api_error_status?: number | null; api_error_type?: string | null };
  const text = blocksOf(message.message.content)
    .map((block) => (typeof block["text"] === "string" ? block["text"] : ""))
    .join(" ")
    .trim();
  return {
    message: text,
    ...(message.error === undefined ? {} : { category: message.error }),
    ...(typeof extra.api_error_status === "number" ? { status: extra.api_error_status } : {}),
    ...(typeof extra.api_error_type === "string" ? { apiErrorType: extra.api_error_type } : {}),
  };
}
