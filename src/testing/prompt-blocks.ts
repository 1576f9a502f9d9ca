import { createHash } from "node:crypto";
import { blocksOf, type ContentBlock, type MessagesBody } from "./wire.ts";

/** One block of a prompt in the order in which the API reads it: tools, system, messages. */
export interface PromptBlock {
  /** Stands for the model and everything up to and with this block, cache marks left out. */
  prefixHash: string;
  /** Bytes of everything up to and with this block. */
  prefixBytes: number;
  /** How long a prefix that ends here is to be kept; null when the block carries no mark. */
  keepMs: number | null;
}

const MINUTE_MS = 60_000;
/** What `cache_control` marks ask for: five minutes unless they say `ttl: "1h"`. */
const KEEP_5_MINUTES_MS = 5 * MINUTE_MS;
/** The longer of the two lifetimes that the API knows. */
export const KEEP_1_HOUR_MS = 60 * MINUTE_MS;

/** The blocks of a prompt, each with the fingerprint of the prefix that it ends. */
export function promptBlocks(body: MessagesBody): PromptBlock[] {
  const blocks: PromptBlock[] = [];
  let prefixHash = body.model;
  let prefixBytes = 0;
  const add = (place: string, block: Record<string, unknown>): void => {
    const json = JSON.stringify(withoutMarks(block));
    prefixHash = createHash("sha1").update(`${prefixHash}\n${place}\n`).update(json).digest("base64");
    prefixBytes += Buffer.byteLength(json);
    blocks.push({ prefixHash, prefixBytes, keepMs: keepMsOf(block) });
  };
  for (const tool of body.tools ?? []) add("tool", tool);
  for (const block of blocksOf(body.system)) add("system", block);
  for (const message of body.messages) {
    // What is around the blocks of a message in JSON counts as input too.
    prefixBytes += `{"role":"${message.role}","content":[]},`.length;
    for (const block of blocksOf(message.content)) add(message.role, block);
  }
  return blocks;
}

/** Marks say where to cache, they are no part of what is cached. */
function withoutMarks(block: Record<string, unknown>): Record<string, unknown> {
  const content = block["content"];
  const inner = Array.isArray(content) ? { content: (content as ContentBlock[]).map(withoutMarks) } : {};
  const bare: Record<string, unknown> = { ...block, ...inner };
  delete bare["cache_control"];
  return bare;
}

function keepMsOf(block: Record<string, unknown>): number | null {
  const mark = block["cache_control"];
  if (typeof mark !== "object" || mark === null) return null;
  return (mark as { ttl?: unknown }).ttl === "1h" ? KEEP_1_HOUR_MS : KEEP_5_MINUTES_MS;
}
