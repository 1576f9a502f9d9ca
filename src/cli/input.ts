import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Who takes a line that a person typed. */
export interface LineTaker {
  /** Id of the open question; undefined = none. */
  pending(): string | undefined;
  answer(line: string): void;
  /**
   * Asked at the Enter of a line that was begun under another question, or under none: true = it stays in the input
   * line, and the person is told what a second Enter does. A "1" that was meant for one command must not allow the next.
   */
  keeps(line: string): boolean;
  /** No further line will come. */
  nobodyThere(): void;
  /** A line while nothing was asked. */
  message(line: string): void;
}

/** A wait that shows the seconds left. */
export interface Countdown {
  seconds: number;
  /** The prompt line with so many whole seconds left. */
  prompt(secondsLeft: number): string;
  /** A small letter that needs no Enter on an empty line. */
  key: string;
  /** Ends the wait; what was typed is dropped. */
  signal: AbortSignal;
}

/** At a pipe nobody may be there to answer Ctrl-C, and no end of it ever come: a script has this long, ms. */
const WORDS_MS = 10_000;

/** Lines from a terminal or a pipe. */
export interface LineInput {
  /** The next line, whoever waits for it; undefined at the end of input. */
  next(): Promise<string | undefined>;
  /**
   * What is said to a Ctrl-C. Through a pipe only a line that comes from now on counts, within ten seconds: what waits
   * there is for questions.
   */
  words(): Promise<string | undefined>;
  /** The next line at a terminal, or the key as one; undefined when the time is over, and like `next`. */
  countdown(options: Countdown): Promise<string | undefined>;
  /** Shows a line that changes each second, at a terminal; undefined = no more. What is typed stands behind it. */
  show(line: (() => string) | undefined): void;
  /** Lets another program have the terminal meanwhile. */
  lend(action: () => Promise<void>): Promise<void>;
  /** Another program has the terminal. */
  readonly lent: boolean;
  /** What stands in the line that is being typed. */
  typed(): string;
  /** Lines that came through a pipe and that nothing asked for. */
  unused(): number;
  /** A question was asked: a line that came early through a pipe answers it. */
  asked(): void;
  close(): void;
}

/**
 * Reads lines from the start, so that none is lost. From a terminal, a line answers the open question, else it is a
 * message. From a pipe, lines wait in order for the questions, because a script cannot know when one is asked; at
 * the end of the pipe nobody is there.
 * @param typed at a terminal, what stands in the line already. Default: nothing.
 */
export function readLines(
  input: Readable & {
    isTTY?: boolean;
    setRawMode?: (raw: boolean) => unknown;
    ref?: () => unknown;
    unref?: () => unknown;
  },
  taker: LineTaker,
  onInterrupt: () => void,
  typed = "",
): LineInput {
  const early: string[] = [];
  const waiting: Array<(line: string | undefined) => void> = [];
  // Of an input that was read whole before, no end will be told.
  let ended = input.readableEnded;
  let lent = false;
  let showing: NodeJS.Timeout | undefined;
  const reader = createInterface({
    input,
    terminal: input.isTTY === true,
    ...(input.isTTY === true ? { output: process.stderr } : {}),
  });

  /** What was asked when the line was begun that is being typed; undefined = it is to be begun. */
  let begun: { under: string | undefined } | undefined;
  // What comes at once was pasted: its further lines were begun when the first one was.
  const beginAnew = (next: typeof begun): void => void setImmediate(() => (begun = next));
  if (input.isTTY === true)
    input.on("keypress", (_text: unknown, { name }: { name?: string }) => {
      if (name === "return" || name === "enter") return;
      if (reader.line === "") begun = undefined;
      else begun ??= { under: taker.pending() };
    });

  reader.on("line", (line) => {
    const under = taker.pending();
    if (waiting.length === 0 && begun !== undefined && begun.under !== under && taker.keeps(line)) {
      reader.write(line);
      beginAnew({ under });
      return;
    }
    beginAnew(undefined);
    const wants = waiting.shift();
    if (wants !== undefined) wants(line);
    else if (taker.pending() !== undefined) taker.answer(line);
    else if (input.isTTY === true) taker.message(line);
    else early.push(line);
  });
  reader.on("SIGINT", onInterrupt);
  // Of a terminal that is gone, or what `nohup` puts in its place: as much an end as any.
  reader.on("error", () => reader.close());
  reader.on("close", () => {
    ended = true;
    for (const wants of waiting.splice(0)) wants(undefined);
    if (taker.pending() !== undefined) taker.nobodyThere();
  });

  if (input.isTTY === true && typed !== "") reader.write(typed);

  /** Draws the prompt line anew, with what the person has typed so far. */
  const draw = (prompt: string): void => {
    if (ended) return;
    reader.setPrompt(prompt);
    reader.prompt(true);
  };
  const dropTyped = (): void => {
    if (ended) return;
    for (const name of ["e", "u"]) reader.write(null, { ctrl: true, name });
  };

  // A pipe that nobody closes must not keep a process alive that waits for nothing else.
  const holds = (isHeld: boolean): void => {
    if (input.isTTY !== true) (isHeld ? input.ref : input.unref)?.call(input);
  };
  holds(false);
  const nextLine = async (): Promise<string | undefined> => {
    holds(true);
    return new Promise<string | undefined>((resolve) => waiting.push(resolve)).finally(() => holds(false));
  };
  const next = async (): Promise<string | undefined> => {
    const line = early.shift();
    return line !== undefined || ended ? line : nextLine();
  };

  return {
    next,
    async words() {
      if (input.isTTY === true) return next();
      if (ended) return undefined;
      return new Promise((resolve) => {
        const end = (line: string | undefined): void => {
          clearTimeout(timer);
          const place = waiting.indexOf(end);
          if (place >= 0) waiting.splice(place, 1);
          resolve(line);
        };
        const timer = setTimeout(() => end(undefined), WORDS_MS);
        waiting.push(end);
      });
    },
    async countdown({ seconds, prompt, key, signal }) {
      if (ended || signal.aborted) return undefined;
      return new Promise((resolve) => {
        const deadlineMs = Date.now() + seconds * 1_000;
        let timer: NodeJS.Timeout | undefined;
        const end = (line: string | undefined): void => {
          clearTimeout(timer);
          input.off("keypress", onKey);
          signal.removeEventListener("abort", onAbort);
          const place = waiting.indexOf(end);
          if (place >= 0) waiting.splice(place, 1);
          draw("");
          resolve(line);
        };
        const drop = (line: string | undefined): void => {
          dropTyped();
          end(line);
        };
        const onAbort = (): void => drop(undefined);
        // Looked at when all that came at once is in the line: words that are pasted are no key.
        const onKey = (): void =>
          void setImmediate(() => {
            if (waiting.includes(end) && reader.line.toLowerCase() === key) drop(key);
          });
        const tick = (): void => {
          const leftMs = deadlineMs - Date.now();
          if (leftMs <= 0) {
            end(undefined);
            return;
          }
          draw(prompt(Math.ceil(leftMs / 1_000)));
          timer = setTimeout(tick, Math.min(leftMs, 1_000));
        };
        waiting.push(end);
        input.on("keypress", onKey);
        signal.addEventListener("abort", onAbort);
        tick();
      });
    },
    show(line) {
      if (input.isTTY !== true || (line === undefined && showing === undefined)) return;
      clearInterval(showing);
      showing = line === undefined ? undefined : setInterval(() => draw(line()), 1_000);
      draw(line?.() ?? "");
    },
    async lend(action) {
      lent = true;
      reader.pause();
      // Not every editor sets the terminal up by itself.
      input.setRawMode?.(false);
      try {
        await action();
      } finally {
        input.setRawMode?.(true);
        reader.resume();
        lent = false;
      }
    },
    get lent() {
      return lent;
    },
    asked() {
      // A command answers nothing.
      while (taker.pending() !== undefined) {
        const line = early.shift();
        if (line === undefined) break;
        taker.answer(line);
      }
      if (ended && taker.pending() !== undefined) taker.nobodyThere();
    },
    typed: () => reader.line,
    unused: () => early.length,
    close() {
      clearInterval(showing);
      reader.close();
    },
  };
}

/** All lines until the input ends, as one text. */
export async function restOf(lines: Pick<LineInput, "next">): Promise<string> {
  const rest: string[] = [];
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) rest.push(line);
  return rest.join("\n");
}
