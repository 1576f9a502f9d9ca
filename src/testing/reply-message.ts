import type { CacheSplit } from "./prompt-cache.ts";
import type { MessageReply, Usage } from "./scenario.ts";
import { signThinking } from "./thinking-record.ts";
import type { ContentBlock } from "./wire.ts";

/** A message of the model as the API returns it without streaming. */
export interface ApiMessage {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ContentBlock[];
  stop_reason: string;
  stop_sequence: null;
  usage: Usage;
}

// Four bytes a token is the usual rule of thumb for English text and code.
const OUTPUT_TOKENS_PER_BYTE = 0.25;

/**
 * Turns a scripted message into one of the API.
 * @param nextId makes an id unique over rehearsals from a prefix, e.g. `toolu`
 * @param tokensOf tokens of that many bytes of input
 */
export function buildMessage(
  reply: MessageReply,
  model: string,
  split: CacheSplit,
  tokensOf: (bytes: number) => number,
  nextId: (prefix: string) => string,
): ApiMessage {
  const content = reply.content.map((block): ContentBlock => {
    switch (block.type) {
      case "text":
        return { ...block };
      case "thinking":
        return { ...block, signature: signThinking(block.thinking) };
      case "tool_use":
        return { type: "tool_use", id: nextId("toolu"), name: block.name, input: block.input };
    }
  });
  const callsTool = content.some((block) => block.type === "tool_use");
  return {
    id: nextId("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: reply.stopReason ?? (callsTool ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: { ...inputUsage(split, tokensOf), output_tokens: outputTokens(content), ...reply.usage },
  };
}

/** Rounded at the borders of the parts, so that the three figures add up to the tokens of the whole. */
function inputUsage(split: CacheSplit, tokensOf: (bytes: number) => number): Omit<Usage, "output_tokens"> {
  const read = tokensOf(split.readBytes);
  const to1h = tokensOf(split.readBytes + split.write1hBytes);
  const to5m = tokensOf(split.readBytes + split.write1hBytes + split.write5mBytes);
  const all = tokensOf(split.readBytes + split.write1hBytes + split.write5mBytes + split.uncachedBytes);
  return {
    input_tokens: all - to5m,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: to5m - read,
    cache_creation: { ephemeral_5m_input_tokens: to5m - to1h, ephemeral_1h_input_tokens: to1h - read },
  };
}

function outputTokens(content: readonly ContentBlock[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(content)) * OUTPUT_TOKENS_PER_BYTE);
}
