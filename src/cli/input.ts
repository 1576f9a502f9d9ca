import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Who takes a line that a person typed. */
export interface LineTaker {
  /** A question is open. */
  pending(): boolean;
  answer(line: string): void;
  /** No further line will come. */
  nobodyThere(): void;
  /** A line while nothing was asked. */
  message(line: string): void;
}

/** Lines from a terminal or a pipe. */
export interface LineInput {
  /** The next line, whoever waits for it; undefined at the end of input, and when the signal is aborted. */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /** Lets another program have the terminal meanwhile. */
  lend(action: () => Promise<void>): Promise<void>;
  /** A question was asked: a line that came early through a pipe answers it. */
  asked(): void;
  close(): void;
}

/**
 * Reads lines from the start, so that none is lost. From a terminal, a line answers the open question, else it is a
 * message. From a pipe, lines wait in order for the questions, because a script cannot know when one is asked; at
 * the end of the pipe nobody is there.
 */
export function readLines(
  input: Readable & { isTTY?: boolean },
  taker: LineTaker,
  onInterrupt: () => void,
): LineInput {
  const early: string[] = [];
  const waiting: Array<(line: string | undefined) => void> = [];
  let ended = false;
  const reader = createInterface({
    input,
    terminal: input.isTTY === true,
    ...(input.isTTY === true ? { output: process.stderr } : {}),
  });

  reader.on("line", (line) => {
    const wants = waiting.shift();
    if (wants !== undefined) wants(line);
    else if (taker.pending()) taker.answer(line);
    else if (input.isTTY === true) taker.message(line);
    else early.push(line);
  });
  reader.on("SIGINT", onInterrupt);
  reader.on("close", () => {
    ended = true;
    for (const wants of waiting.splice(0)) wants(undefined);
    if (taker.pending()) taker.nobodyThere();
  });

  return {
    async next(signal) {
      const line = early.shift();
      if (line !== undefined) return line;
      if (ended || signal?.aborted === true) return undefined;
      return new Promise((resolve) => {
        waiting.push(resolve);
        signal?.addEventListener("abort", () => {
          const place = waiting.indexOf(resolve);
          if (place >= 0) waiting.splice(place, 1);
          resolve(undefined);
        });
      });
    },
    async lend(action) {
      reader.pause();
      try {
        await action();
      } finally {
        reader.resume();
      }
    },
    asked() {
      const line = early.shift();
      if (line !== undefined) taker.answer(line);
      else if (ended) taker.nobodyThere();
    },
    close: () => reader.close(),
  };
}
