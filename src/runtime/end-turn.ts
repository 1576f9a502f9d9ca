import type { HarnessSession } from "../harness/contract.ts";
import type { Turn } from "./turn.ts";

/** Time for a boundary after an interruption; then the reply under way is dropped. */
const INTERRUPT_GRACE_MS = 12_000;
/** A Bash call that has run for this long when the person interrupts is ended, so that its boundary comes. */
const LONG_CALL_MS = 10_000;
/** How often calls are looked at meanwhile. */
const LOOK_INTERVAL_MS = 250;

/** Brings an interrupted turn to its boundary: long calls are ended; what has none after 12 s is dropped. */
export function endTurn(
  { session, turn }: { session: HarnessSession; turn: Turn },
  onDropped: () => void,
): void {
  const deadlineMs = Date.now() + INTERRUPT_GRACE_MS;
  const ended = new Set<string>();
  const timer = setInterval(() => {
    const now = Date.now();
    if (!turn.interrupted || !session.working) clearInterval(timer);
    else if (now >= deadlineMs) {
      clearInterval(timer);
      onDropped();
      void session.interrupt().catch(() => undefined);
    } else
      for (const [id, startedMs] of turn.running) {
        if (now - startedMs < LONG_CALL_MS || ended.has(id)) continue;
        ended.add(id);
        session.endCall(id);
      }
  }, LOOK_INTERVAL_MS);
  timer.unref();
}
