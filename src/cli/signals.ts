import { isBlank } from "../runtime/pending-words.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { EXIT } from "./exit.ts";
import { hangUpFacts, startedByNohup } from "./hang-up.ts";

/** Exit codes of signals, by convention 128 + number. */
const SIGNAL_EXIT = { SIGTERM: 143, SIGHUP: 129 } as const;

/** How Ctrl-C is heard. */
export interface SignalOptions {
  /** What the person says to it. Default: nothing. */
  askWords?: () => Promise<string | undefined>;
  /** Another program has the terminal, and so Ctrl-C is its own. Default: never. */
  deaf?: () => boolean;
  /** Nothing runs: the first Ctrl-C leaves. Default: never. */
  idle?: () => boolean;
  /** Told with exit code and reason when a signal is about to end the process; the books are written. Default: nobody. */
  leaving?: (exitCode: number, reason: string) => void;
}

/**
 * Ctrl-C interrupts with words, a second one leaves; SIGTERM and SIGHUP write the books first. Under `nohup`
 * SIGHUP is ignored.
 * @returns `interrupt` for a terminal that reads Ctrl-C itself, and `off`.
 */
export function handleSignals(
  runtime: Runtime,
  { askWords, deaf = () => false, idle = () => false, leaving = () => undefined }: SignalOptions = {},
): { interrupt(): void; off(): void } {
  let interrupting = false;
  const leave = (code: number, signal: string): void => {
    runtime.abandon();
    leaving(code, `ended by ${signal}`);
    process.exit(code);
  };
  const interrupt = (): void => {
    if (deaf()) return;
    if (interrupting || idle()) {
      leave(EXIT.interrupted, "SIGINT");
      return;
    }
    interrupting = true;
    runtime.interrupt(askWords?.().then(heard));
  };
  // Without words the run ends; until it has, another Ctrl-C leaves.
  const heard = (words: string | undefined): string | undefined => {
    interrupting = isBlank(words);
    return words;
  };
  const onTerm = (): void => leave(SIGNAL_EXIT.SIGTERM, "SIGTERM");
  const isIgnored = startedByNohup(hangUpFacts(process.env));
  const onHup = (): void => {
    if (!isIgnored) leave(SIGNAL_EXIT.SIGHUP, "SIGHUP");
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", onTerm);
  process.on("SIGHUP", onHup);
  return {
    interrupt,
    off() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", onTerm);
      process.off("SIGHUP", onHup);
    },
  };
}
