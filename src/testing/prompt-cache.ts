import { KEEP_1_HOUR_MS, type PromptBlock } from "./prompt-blocks.ts";

/** How the bytes of one prompt divide up; the four add up to the prompt. */
export interface CacheSplit {
  /** Served from the cache. */
  readBytes: number;
  /** Kept for five minutes from now on. */
  write5mBytes: number;
  /** Kept for an hour from now on. */
  write1hBytes: number;
  /** Behind the last mark. */
  uncachedBytes: number;
}

// The API looks for an earlier prefix this many blocks before each mark.
const LOOKBACK_BLOCKS = 20;

interface Kept {
  keepMs: number;
  expiresAtMs: number;
}

/**
 * The API's prompt cache: a prefix is kept when a mark ends it, and found again by a mark at its end or up to
 * 20 blocks further on. Reading renews it. The API's least length for a prefix is not imitated, so that short
 * scripts show what they cache.
 */
export class PromptCache {
  readonly #kept = new Map<string, Kept>();

  /** Serves and keeps prefixes of one prompt at `nowMs` (epoch ms). */
  use(blocks: readonly PromptBlock[], nowMs: number): CacheSplit {
    const read = this.#longestKept(blocks, nowMs);
    const split: CacheSplit = {
      readBytes: blocks[read]?.prefixBytes ?? 0,
      write5mBytes: 0,
      write1hBytes: 0,
      uncachedBytes: 0,
    };
    let doneBytes = split.readBytes;
    for (const [index, block] of blocks.entries()) {
      if (block.keepMs === null) continue;
      this.#keep(block.prefixHash, block.keepMs, nowMs);
      if (index <= read) continue;
      split[block.keepMs === KEEP_1_HOUR_MS ? "write1hBytes" : "write5mBytes"] +=
        block.prefixBytes - doneBytes;
      doneBytes = block.prefixBytes;
    }
    split.uncachedBytes = (blocks.at(-1)?.prefixBytes ?? 0) - doneBytes;
    return split;
  }

  /** Index of the block that ends the longest prefix still kept, renewed by this; -1 when there is none. */
  #longestKept(blocks: readonly PromptBlock[], nowMs: number): number {
    let checkedDownTo = blocks.length;
    for (let mark = blocks.length - 1; mark >= 0; mark--) {
      if (blocks[mark]?.keepMs == null) continue;
      const from = Math.min(mark, checkedDownTo - 1);
      for (let index = from; index >= Math.max(0, mark - LOOKBACK_BLOCKS); index--) {
        const hash = blocks[index]?.prefixHash ?? "";
        const kept = this.#kept.get(hash);
        checkedDownTo = index;
        if (kept === undefined) continue;
        if (kept.expiresAtMs <= nowMs) {
          this.#kept.delete(hash);
          continue;
        }
        kept.expiresAtMs = nowMs + kept.keepMs;
        return index;
      }
    }
    return -1;
  }

  #keep(hash: string, keepMs: number, nowMs: number): void {
    const before = this.#kept.get(hash);
    const longerMs =
      before !== undefined && before.expiresAtMs > nowMs ? Math.max(before.keepMs, keepMs) : keepMs;
    this.#kept.set(hash, { keepMs: longerMs, expiresAtMs: nowMs + longerMs });
  }
}
