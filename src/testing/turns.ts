import { blocksOf, type ContentBlock, type WireMessage } from "./wire.ts";

/** Messages of one role in a row, which the API reads as one. */
export interface Turn {
  role: "user" | "assistant";
  /** Blocks with their place in the request, e.g. `messages.3.content.0`. */
  blocks: Array<{ block: ContentBlock; message: number; index: number }>;
}

/** User and assistant turns in order; `system` messages in between belong to neither. */
export function turnsOf(messages: readonly WireMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const [message, { role, content }] of messages.entries()) {
    if (role === "system") continue;
    let turn = turns.at(-1);
    if (turn?.role !== role) {
      turn = { role, blocks: [] };
      turns.push(turn);
    }
    for (const [index, block] of blocksOf(content).entries()) turn.blocks.push({ block, message, index });
  }
  return turns;
}
