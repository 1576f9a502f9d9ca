import { createHash } from "node:crypto";
import type { ToolCall } from "../core/tool-call.ts";

/** The longest cycle that is looked for, batches. */
const LONGEST = 4;
/** After two rounds of a cycle the model is told, after four its turn is cut; both not before so many batches. */
const TOLD_AT = 4;
const CUT_AT = 8;

/** What should happen at a batch boundary of a thread that repeats itself. */
export type LoopVerdict = "tell" | "cut" | undefined;

interface Thread {
  batch: string[];
  past: string[];
  /** Stands for all of its batches. */
  did: string;
}

/**
 * Notices threads that make the same calls and get the same results, over and over or up to four by turns. Waiting for
 * something is no loop: a batch that sleeps is never the same as another. Subagents that report the same are the same
 * only when they did the same: "done" is said of one thing after the other.
 */
export class LoopGuard {
  readonly #threads = new Map<string, Thread>();
  #waits = 0;

  /** Notes a call with what came of it. */
  note(call: ToolCall, outcome: unknown): void {
    this.#thread(call.agentId).batch.push(this.#signature(call, outcome));
  }

  /** Closes a batch. */
  atBoundary(agentId: string | undefined): LoopVerdict {
    const thread = this.#thread(agentId);
    if (thread.batch.length > 0) {
      const batch = thread.batch.sort().join("\n");
      thread.past.push(batch);
      thread.did = digest(thread.did + batch);
    }
    thread.batch = [];
    thread.past = thread.past.slice(-4 * LONGEST);
    return loopVerdict(thread.past);
  }

  #thread(agentId = ""): Thread {
    const known = this.#threads.get(agentId) ?? { batch: [], past: [], did: "" };
    this.#threads.set(agentId, known);
    return known;
  }

  #signature({ name, input }: ToolCall, outcome: unknown): string {
    if (WAITS.test(typeof input["command"] === "string" ? input["command"] : ""))
      return `${(this.#waits += 1)}`;
    const came = name === "Agent" ? this.#workOf(outcome) : outcome;
    // A label for whoever watches, new each time, that changes nothing of what is done.
    const asked = { ...input, description: undefined };
    return digest(
      JSON.stringify([name, asked, came], (key, value: unknown) => (TIMES.test(key) ? 0 : value)),
    );
  }

  /**
   * Of a subagent that has ended: what it reports and did. The rest of its result differs each time, and so do the
   * figures and ids in the word of one that failed (0.3.332).
   */
  #workOf(outcome: unknown): unknown {
    if (typeof outcome === "string") return outcome.replace(DIFFERS, "");
    if (typeof outcome !== "object" || outcome === null || !("agentId" in outcome)) return outcome;
    const agentId = String(outcome.agentId);
    const did = this.#threads.get(agentId)?.did ?? "";
    this.#threads.delete(agentId);
    return ["content" in outcome ? outcome.content : "", did];
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

const WAITS = /(?:^|[;&|({]|\b(?:do|then|timeout\s+\S+))\s*(?:sleep|wait|inotifywait)\b/;
/** Figures, times and ids: of requests, subagents and sessions. */
const DIFFERS = /request id [^\s,;)]+|[\w-]*\d[\w.:-]*/gi;
/** Fields of results that differ each time (0.3.332). */
const TIMES = /duration|elapsed|timestamp/i;

/** What the last batches of a thread, oldest first, ask for. */
export function loopVerdict(past: readonly string[]): LoopVerdict {
  for (let period = 1; period <= LONGEST; period += 1) {
    const batches = cyclic(past, period);
    const toldAt = Math.max(TOLD_AT, 2 * period);
    // The shortest cycle counts: it is one of every multiple as well.
    if (batches < toldAt) continue;
    if (batches >= Math.max(CUT_AT, 4 * period)) return "cut";
    return batches === toldAt ? "tell" : undefined;
  }
  return undefined;
}

/** How many of the last batches are the same as those a period before; what is not repeated at all counts for none. */
function cyclic(past: readonly string[], period: number): number {
  let repeated = 0;
  while (repeated + period < past.length && past.at(-1 - repeated) === past.at(-1 - repeated - period))
    repeated += 1;
  return repeated === 0 ? 0 : repeated + period;
}
