import { setImmediate as nextRound } from "node:timers/promises";

/** What somebody else's code throws where nobody waits for it. */
export interface StrayErrors {
  /** What this promise comes to, unless something astray is thrown before, or by the time that it is done. */
  or<Value>(work: Promise<Value>): Promise<Value>;
  /** Gives Node's own way back. */
  off(): void;
}

/** Listens for rejections that nobody handles and errors out of timers, which would end the process with a stack. */
export function catchStrayErrors(): StrayErrors {
  let fail: (error: unknown) => void = () => undefined;
  const astray = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // Nobody may be waiting when it comes.
  astray.catch(() => undefined);
  const listener = (error: unknown): void => fail(error);
  process.on("unhandledRejection", listener);
  process.on("uncaughtException", listener);
  return {
    async or(work) {
      const value = await Promise.race([work, astray]);
      // Node tells of a rejection only when all that is ready has run.
      return Promise.race([nextRound(value), astray]);
    },
    off() {
      process.off("unhandledRejection", listener);
      process.off("uncaughtException", listener);
    },
  };
}
