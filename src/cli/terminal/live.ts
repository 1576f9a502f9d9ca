import { setImmediate } from "node:timers/promises";
import { render, type Instance, type Key } from "ink";
import { createElement } from "react";
import stringWidth from "string-width";
import type { Countdown, LineInput, LineTaker } from "../input.ts";
import { EMPTY_LINE, edited, type EditedLine } from "./edit.ts";
import { inputRows } from "./input-rows.ts";
import { keyReader, type Pressed } from "./keys.ts";
import type { StatusRow } from "./status-rows.ts";
import { View, type ViewProps } from "./view.ts";

/** What the live terminal is made of. */
export interface LiveOptions {
  input: NodeJS.ReadStream;
  /** Where it is drawn; results go elsewhere. */
  output: NodeJS.WriteStream;
  taker: LineTaker;
  onInterrupt(): void;
  /** The status area for a screen of that size, now. */
  status(size: { columns: number; rows: number }): readonly StatusRow[];
}

/** Lines above, the status area and the input line at the bottom. */
export interface LiveTerminal extends LineInput {
  /** Prints whole lines above the status area. */
  print(text: string): void;
  /** Something of the status has changed. */
  changed(): void;
}

/** Lines that come together are printed together: each print draws the bottom anew. */
const PRINT_EVERY_MS = 30;
/** Events may come by the thousand; a person sees no more than this. */
const DRAW_EVERY_MS = 50;
const TICK_MS = 1_000;
const HISTORY_LINES = 200;
const PROMPT = "> ";
/** Asks the terminal to mark what is pasted, so that its line ends are no Enter. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";

/** Takes the terminal until it is closed. */
export function openLive(options: LiveOptions): LiveTerminal {
  const { input, output, taker } = options;
  const waiting: Array<(line: string | undefined) => void> = [];
  const history: string[] = [];
  const printed: string[] = [];
  const readKeys = keyReader();
  let line: EditedLine = EMPTY_LINE;
  let counting: { options: Countdown; deadlineMs: number; end(line: string | undefined): void } | undefined;
  let ink: Instance | undefined;
  let write: ((text: string) => void) | undefined;
  let printing: NodeJS.Timeout | undefined;
  let drawing: NodeJS.Timeout | undefined;
  let shown: Pick<ViewProps, "status" | "input"> | undefined;
  let lent = false;
  let closed = false;

  const flush = (): void => {
    clearTimeout(printing);
    printing = undefined;
    const text = printed.splice(0).join("");
    if (text === "") return;
    if (write === undefined) output.write(text);
    else write(text);
  };
  const secondsLeft = (): number => Math.ceil(((counting?.deadlineMs ?? 0) - Date.now()) / 1_000);
  const view = () => {
    const columns = output.columns || 80;
    const prompt = counting === undefined ? PROMPT : counting.options.prompt(Math.max(0, secondsLeft()));
    // The last column stays free: some terminals break the line as soon as it is filled.
    const rows = output.rows || 24;
    const typed = inputRows(line, prompt, columns, Math.max(1, Math.min(5, Math.floor(rows / 3))));
    // An area as high as the screen makes Ink clear all of it, and what went off the top (6.8).
    const status = options.status({ columns: columns - 1, rows: Math.max(1, rows - typed.rows.length - 2) });
    shown = { status, input: typed };
    return createElement(View, { ...shown, onInput, onMounted });
  };
  const onMounted = (print: (text: string) => void): void => {
    write = print;
  };
  const draw = (): void => {
    clearTimeout(drawing);
    drawing = undefined;
    ink?.rerender(view());
  };

  const taken = (text: string): void => {
    if (text.trim() !== "" && history.at(-1) !== text) history.push(text);
    if (history.length > HISTORY_LINES) history.shift();
    const wants = waiting.shift();
    if (wants !== undefined) wants(text);
    else if (taker.pending()) taker.answer(text);
    else taker.message(text);
  };
  const pressed = (key: Pressed): void => {
    switch (key.do) {
      case "enter": {
        const { text } = line;
        line = EMPTY_LINE;
        taken(text);
        return;
      }
      case "interrupt":
        line = EMPTY_LINE;
        options.onInterrupt();
        return;
      case "endOfInput":
        return;
      default:
        line = edited(line, key, history);
    }
  };
  const onInput = (text: string, key: Key): void => {
    // A key by itself, not the first letter of what was pasted.
    const wanted = counting;
    if (wanted !== undefined && line.text === "" && text.toLowerCase() === wanted.options.key) {
      wanted.end(wanted.options.key);
    } else for (const one of readKeys(text, key)) pressed(one);
    draw();
  };
  const tick = (): void => {
    if (counting !== undefined && secondsLeft() <= 0) counting.end(undefined);
    draw();
  };

  const mount = (): void => {
    output.write(MARK_PASTES);
    ink = render(view(), {
      ...{ stdin: input, stdout: output, exitOnCtrlC: false, patchConsole: false },
      // How often is decided here, so that what was given to Ink is what stands on the screen.
      maxFps: 1_000,
    });
  };
  const unmount = (): void => {
    flush();
    // Nothing of the bottom is left behind; what was printed stays.
    ink?.rerender(null);
    ink?.unmount();
    ink = undefined;
    write = undefined;
    output.write(MARK_NO_PASTES);
  };
  const onExit = (): void => {
    if (ink !== undefined) unmount();
  };
  let columnsBefore = output.columns;
  const beforeResize = (): void => {
    if (ink !== undefined && output.columns < columnsBefore && shown !== undefined) {
      const grown = grownRows(shown, output.columns);
      if (grown > 0) output.write(`\u001b[${grown}A\u001b[J`);
    }
    columnsBefore = output.columns;
  };

  mount();
  const ticking = setInterval(tick, TICK_MS);
  process.on("exit", onExit);
  // In front of Ink's own: it erases as many rows as it has drawn.
  output.prependListener("resize", beforeResize);
  output.on("resize", draw);

  return {
    print(text) {
      printed.push(text);
      printing ??= setTimeout(flush, PRINT_EVERY_MS);
    },
    changed() {
      drawing ??= setTimeout(draw, DRAW_EVERY_MS);
    },
    async next() {
      if (closed) return undefined;
      return new Promise((resolve) => waiting.push(resolve));
    },
    async countdown(asked) {
      if (closed || asked.signal.aborted) return undefined;
      return new Promise((resolve) => {
        const end = (said: string | undefined): void => {
          counting = undefined;
          asked.signal.removeEventListener("abort", onAbort);
          const place = waiting.indexOf(end);
          if (place >= 0) waiting.splice(place, 1);
          resolve(said);
          draw();
        };
        const onAbort = (): void => {
          line = EMPTY_LINE;
          end(undefined);
        };
        asked.signal.addEventListener("abort", onAbort);
        waiting.push(end);
        counting = { options: asked, deadlineMs: Date.now() + asked.seconds * 1_000, end };
        draw();
      });
    },
    // The status area says what is waited for.
    show: () => undefined,
    async lend(action) {
      lent = true;
      unmount();
      try {
        await stopReading(input);
        await action();
      } finally {
        lent = false;
        mount();
      }
    },
    get lent() {
      return lent;
    },
    asked: draw,
    close() {
      closed = true;
      clearInterval(ticking);
      clearTimeout(drawing);
      process.off("exit", onExit);
      output.off("resize", beforeResize);
      output.off("resize", draw);
      if (ink !== undefined) unmount();
      for (const wants of waiting.splice(0)) wants(undefined);
    },
  };
}

/**
 * By how many rows the drawn ones, down to the cursor, have grown where a terminal breaks lines anew when it gets
 * narrower, as most do. Ink does not count them (6.8), and would leave that many behind.
 */
export function grownRows({ status, input }: Pick<ViewProps, "status" | "input">, columns: number): number {
  const above = [...status.map(({ text }) => text), ...input.rows.slice(0, input.cursor.y)];
  const grown = above.reduce(
    (sum, text) => sum + Math.floor(Math.max(0, stringWidth(text) - 1) / columns),
    0,
  );
  return grown + Math.floor(input.cursor.x / columns);
}

/**
 * Leaves all keys to another program. A stream that was read by `readable`, as Ink does, counts as paused already, so
 * that `pause()` alone does nothing, and Node goes on taking what is typed (20.20).
 */
async function stopReading(input: NodeJS.ReadStream): Promise<void> {
  // The listener that is gone is noticed a tick later.
  await setImmediate();
  input.resume();
  input.pause();
  await setImmediate();
}
