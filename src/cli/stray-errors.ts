import { setImmediate as nextRound } from "node:timers/promises";

/** What somebody else's code throws where nobody waits for it. */
export interface StrayErrors {
  /** What this promise comes to, unless something astray is thrown before, or by the time that it is done. Rejects when it never can. */
  or<Value>(work: Promise<Value>): Promise<Value>;
  /** Gives Node's own way back. */
  off(): void;
}

const NEVER =
  "the workflow waits for a promise that nothing settles: look at what its functions return (gate, when, reduce, …)";

/**
 * Listens for rejections that nobody handles and errors out of timers, which would end the process with a stack, and
 * for a wait that nothing can end.
 */
export function catchStrayErrors(): StrayErrors {
  let fail: (error: unknown) => void = () => undefined;
  const astray = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // Nobody may be waiting when it comes.
  astray.catch(() => undefined);
  const listener = (error: unknown): void => fail(error);
  // Nothing is left that could wake the process, which would end in silence with a code of Node's own (13).
  const idle = (): void => fail(new Error(NEVER));
  process.on("unhandledRejection", listener);
  process.on("uncaughtException", listener);
  process.on("beforeExit", idle);
  return {
    async or(work) {
      const value = await Promise.race([work, astray]);
      // Node tells of a rejection only when all that is ready has run.
      return Promise.race([nextRound(value), astray]);
    },
    off() {
      process.off("unhandledRejection", listener);
      process.off("uncaughtException", listener);
      process.off("beforeExit", idle);
    },
  };
}
