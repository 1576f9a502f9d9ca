/** The time that a rehearsal goes by: for its journal and for the age of cached prefixes. */
export interface RehearsalClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves the clock forward. */
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. `startMs` (epoch ms) defaults to 0. */
export function settableClock(startMs = 0): RehearsalClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** The system's clock, which can be put forward. */
export function runningClock(): RehearsalClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}
