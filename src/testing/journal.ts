import type { FixedReply } from "./scenario.ts";
import type { Refusal } from "./refusal.ts";
import type { ContentBlock } from "./wire.ts";

/** One request to `/v1/messages` and what became of it. */
export interface JournalRow {
  /** Position in the journal, from 0. */
  index: number;
  /** When it came, epoch ms of the rehearsal's clock. */
  timeMs: number;
  /** Name of the actor; null when none took it. */
  actor: string | null;
  sessionId: string | undefined;
  agentId: string | undefined;
  /** Empty when the body could not be read. */
  model: string;
  /** HTTP status; null when the connection was dropped before an answer or left hanging. */
  status: number | null;
  /** All input tokens, cached or not; 0 when the body could not be read. */
  inputTokens: number;
  /** Tokens served from the cache. */
  cacheRead: number;
  /** Tokens newly kept. */
  cacheWrite: number;
  /** Those of `cacheWrite` that are kept for an hour instead of five minutes, at a higher price. */
  cacheWrite1h: number;
  outputTokens: number;
  messageCount: number;
  lastUserText: string;
  /** Set when the API's rules were broken. */
  refusal?: Refusal;
  /** The answer in brief, e.g. `thinking, tool_use Bash → tool_use`. */
  reply: string;
}

/** A short line on an answer that is not a message. */
export function describeFault(reply: Exclude<FixedReply, { kind: "message" }>): string {
  return reply.kind === "error" ? `error ${reply.status} ${reply.type}` : reply.kind;
}

/** A short line on a message. */
export function describeMessage(content: readonly ContentBlock[], stopReason: string): string {
  const parts = content.map((block) =>
    block.type === "tool_use" ? `tool_use ${String(block["name"])}` : block.type,
  );
  return `${parts.join(", ")} → ${stopReason}`;
}
