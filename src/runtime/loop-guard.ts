import { createHash } from "node:crypto";
import type { ToolCall } from "../core/tool-call.ts";

/** Batches in a row of one or two kinds, each with the same results, after which the model is told. */
const TOLD_AT = 4;
/** After which its turn is cut. */
const CUT_AT = 8;

/** What should happen at a batch boundary of a thread that repeats itself. */
export type LoopVerdict = "tell" | "cut" | undefined;

interface Thread {
  batch: string[];
  past: string[];
}

/**
 * Notices threads that make the same calls and get the same results, one after the other or two by turns. Waiting for
 * something is no loop: a batch that sleeps is never the same as another.
 */
export class LoopGuard {
  readonly #threads = new Map<string, Thread>();
  #waits = 0;

  /** Notes a call with what came of it. */
  note(call: ToolCall, outcome: unknown): void {
    this.#thread(call.agentId).batch.push(this.#signature(call, outcome));
  }

  /** Closes a batch. Of a subagent that has ended nothing is kept for long: its ids never come again. */
  atBoundary(agentId: string | undefined): LoopVerdict {
    const thread = this.#thread(agentId);
    if (thread.batch.length > 0) thread.past.push(thread.batch.sort().join("\n"));
    thread.batch = [];
    thread.past = thread.past.slice(-CUT_AT);
    const repeated = repeatedBatches(thread.past);
    return repeated >= CUT_AT ? "cut" : repeated === TOLD_AT ? "tell" : undefined;
  }

  #thread(agentId = ""): Thread {
    const known = this.#threads.get(agentId) ?? { batch: [], past: [] };
    this.#threads.set(agentId, known);
    return known;
  }

  #signature({ name, input }: ToolCall, outcome: unknown): string {
    if (WAITS.test(typeof input["command"] === "string" ? input["command"] : ""))
      return `${(this.#waits += 1)}`;
    return createHash("sha256")
      .update(JSON.stringify([name, input, outcome], (key, value: unknown) => (TIMES.test(key) ? 0 : value)))
      .digest("hex");
  }
}

const WAITS = /\b(?:sleep|wait|inotifywait|timeout)\b/;
/** Fields of results that differ each time (0.3.332). */
const TIMES = /duration|elapsed|timestamp/i;

/** How many of the last batches are of one kind, or of two by turns. */
export function repeatedBatches(past: readonly string[]): number {
  let count = Math.min(2, past.length);
  while (count < past.length && past.at(-count - 1) === past.at(-count + 1)) count += 1;
  return count > 2 ? count : 0;
}
