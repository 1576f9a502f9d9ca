import type { EventDraft } from "../core/events.ts";
import type { RoundFailure } from "../harness/contract.ts";
import {
  backoffMs,
  endpoint,
  limitOver,
  pauseUntil,
  resolveResilience,
  waitReachable,
  type Resilience,
} from "./resilience.ts";
import { usageLimit } from "./usage-limit.ts";

/** For whom is waited. */
export interface Waiter {
  emit(event: EventDraft): void;
  /** Ends the wait when a person interrupts, as if it were over. */
  breakIn: AbortSignal;
}

/** How a runtime waits out what is not the step's fault. */
export class Patience {
  readonly #resilience: Required<Resilience>;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #signal: AbortSignal;

  /**
   * @param env with the endpoint that is waited for.
   * @param signal ends every wait when the run ends.
   */
  constructor(
    option: boolean | Resilience,
    env: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
  ) {
    this.#resilience = resolveResilience(option);
    this.#env = env;
    this.#signal = signal;
  }

  /** Waits for the endpoint, then backs off; false when no try is left or the run is ending. */
  async beforeRetry(attempt: number, failure: RoundFailure, { emit, breakIn }: Waiter): Promise<boolean> {
    const { maxAttempts } = this.#resilience;
    if (attempt > maxAttempts || this.#signal.aborted) return false;
    const waitMs = backoffMs({ attempt, status: failure.status }, this.#resilience);
    emit({ type: "retry", attempt, maxAttempts, waitMs, reason: failure.message });
    const either = AbortSignal.any([this.#signal, breakIn]);
    const reachable = await waitReachable(endpoint(this.#env), this.#resilience, either);
    if (!reachable && !breakIn.aborted) return false;
    await pauseUntil(Date.now() + waitMs, either);
    return !this.#signal.aborted;
  }

  /** Waits until a used-up allowance comes back; false when that is not wanted or the run is ending. */
  async untilLimitIsOver(
    attempt: number,
    { message, details, resetsAtMs }: RoundFailure,
    { emit, breakIn }: Waiter,
  ): Promise<boolean> {
    const { waitLimits, maxAttempts } = this.#resilience;
    if (!waitLimits || this.#signal.aborted) return false;
    const nowMs = Date.now();
    const stated = resetsAtMs ?? usageLimit([message, details ?? ""], { nowMs })?.resetsAtMs;
    const untilMs = limitOver(stated, this.#resilience, nowMs);
    emit({ type: "retry", attempt, maxAttempts, waitMs: untilMs - nowMs, untilMs, reason: message });
    await pauseUntil(untilMs, AbortSignal.any([this.#signal, breakIn]));
    return !this.#signal.aborted;
  }
}
