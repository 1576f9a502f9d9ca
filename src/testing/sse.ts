import type { ApiMessage } from "./reply-message.ts";
import type { ContentBlock } from "./wire.ts";

// Long parts come in several deltas, so that a client has to put them together again.
const DELTA_CHARS = 1000;

/**
 * A message as server-sent events.
 * @param blocks break off behind this many blocks; undefined sends all and the end of the message
 */
export function streamText(message: ApiMessage, blocks?: number): string {
  const events = [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
    },
    ...message.content.slice(0, blocks).flatMap(blockEvents),
    ...(blocks === undefined
      ? [
          {
            type: "message_delta",
            delta: { stop_reason: message.stop_reason, stop_sequence: null },
            usage: message.usage,
          },
          { type: "message_stop" },
        ]
      : []),
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function blockEvents(block: ContentBlock, index: number): Array<{ type: string }> {
  const { empty, deltas } = inDeltas(block);
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ] as Array<{ type: string }>;
}

/** The block as it starts out, and what is then added to it. */
function inDeltas(block: ContentBlock): { empty: ContentBlock; deltas: ContentBlock[] } {
  switch (block.type) {
    case "thinking":
      return {
        empty: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...pieces(String(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block["signature"] },
        ],
      };
    case "tool_use":
      return {
        empty: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block["input"])).map((json) => ({
          type: "input_json_delta",
          partial_json: json,
        })),
      };
    default:
      return {
        empty: { type: "text", text: "" },
        deltas: pieces(String(block["text"])).map((text) => ({ type: "text_delta", text })),
      };
  }
}

function pieces(text: string): string[] {
  const count = Math.ceil(text.length / DELTA_CHARS);
  return Array.from({ length: count }, (_, i) => text.slice(i * DELTA_CHARS, (i + 1) * DELTA_CHARS));
}
