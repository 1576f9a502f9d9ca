import type { Countdown, LineInput, LineTaker } from "../input.ts";
import { openArea, type Area } from "./area.ts";
import { EMPTY_LINE, edited, type EditedLine } from "./edit.ts";
import { inputRows } from "./input-rows.ts";
import { openKeyboard, type Keyboard } from "./keyboard.ts";
import type { Pressed } from "./keys.ts";
import type { Reflow } from "./reflow.ts";
import type { StatusRow } from "./status-rows.ts";
import type { Shown } from "./view.ts";

/** What the live terminal is made of. */
export interface LiveOptions {
  input: NodeJS.ReadStream;
  /** Where it is drawn; results go elsewhere. */
  output: NodeJS.WriteStream;
  taker: LineTaker;
  onInterrupt(): void;
  /** What stands in the input line already. */
  typed: string;
  /** What the terminal does with drawn rows when it gets narrower. */
  reflow: Reflow;
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

/**
 * Columns of the status area: at most 79, and one less than a multiple of ten. A window that loses a few columns, or
 * keeps 80, breaks none of its rows. The last column stays free: some terminals break the line as soon as it is filled.
 */
export function areaColumns(columns: number): number {
  return columns < 20 ? Math.max(1, columns - 1) : Math.min(79, 10 * Math.floor(columns / 10) - 1);
}

/** Takes the terminal until it is closed. */
export function openLive(options: LiveOptions): LiveTerminal {
  const { input, output, taker } = options;
  const waiting: Array<(line: string | undefined) => void> = [];
  const history: string[] = [];
  const printed: string[] = [];
  let line: EditedLine = edited(EMPTY_LINE, { do: "insert", text: options.typed }, []);
  let begunUnder = taker.pending();
  let counting: { options: Countdown; deadlineMs: number; end(line: string | undefined): void } | undefined;
  let area: Area | undefined;
  let keyboard: Keyboard | undefined;
  let printing: NodeJS.Timeout | undefined;
  let drawing: NodeJS.Timeout | undefined;
  let lent = false;
  let closed = false;

  const flush = (): void => {
    clearTimeout(printing);
    printing = undefined;
    const text = printed.splice(0).join("");
    if (text === "") return;
    if (area === undefined) output.write(text);
    else area.print(text);
  };
  const secondsLeft = (): number => Math.ceil(((counting?.deadlineMs ?? 0) - Date.now()) / 1_000);
  const shown = (): Shown => {
    const columns = output.columns || 80;
    const prompt = counting === undefined ? PROMPT : counting.options.prompt(Math.max(0, secondsLeft()));
    const rows = output.rows || 24;
    const typed = inputRows(line, prompt, columns, Math.max(1, Math.min(5, Math.floor(rows / 3))));
    // An area as high as the screen makes Ink clear all of it, and what went off the top (6.8).
    const room = Math.max(1, rows - typed.rows.length - 2);
    return { status: options.status({ columns: areaColumns(columns), rows: room }), input: typed };
  };
  const draw = (): void => {
    clearTimeout(drawing);
    drawing = undefined;
    area?.draw();
  };

  const taken = (text: string): void => {
    if (text.trim() !== "" && history.at(-1) !== text) history.push(text);
    if (history.length > HISTORY_LINES) history.shift();
    const wants = waiting.shift();
    if (wants !== undefined) wants(text);
    else if (taker.pending() !== undefined) taker.answer(text);
    else taker.message(text);
  };
  const pressed = (key: Pressed): void => {
    switch (key.do) {
      case "enter": {
        const { text } = line;
        const now = taker.pending();
        if (text !== "" && waiting.length === 0 && now !== begunUnder && taker.keeps(text)) {
          begunUnder = now;
          return;
        }
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
        if (line.text === "") begunUnder = taker.pending();
        line = edited(line, key, history);
    }
  };
  const onKeys = (keys: readonly Pressed[], came: string, pasting: boolean): void => {
    // A key by itself, not the first letter of what was pasted.
    const wanted = counting;
    if (wanted !== undefined && line.text === "" && came.toLowerCase() === wanted.options.key) {
      wanted.end(wanted.options.key);
    } else for (const key of keys) pressed(key);
    // A long paste comes in many pieces; it is drawn when it is there.
    if (!pasting) draw();
  };
  const tick = (): void => {
    if (counting !== undefined && secondsLeft() <= 0) counting.end(undefined);
    draw();
  };

  const open = (): void => {
    output.write(MARK_PASTES);
    keyboard = openKeyboard(input, onKeys);
    area = openArea({ output, reflow: options.reflow, shown });
  };
  const shut = async (): Promise<void> => {
    flush();
    area?.close();
    area = undefined;
    output.write(MARK_NO_PASTES);
    await keyboard?.stop();
  };
  const onExit = (): void => {
    if (area !== undefined) void shut();
  };

  open();
  const ticking = setInterval(tick, TICK_MS);
  process.on("exit", onExit);
  const next = async (): Promise<string | undefined> => {
    if (closed) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  };

  return {
    print(text) {
      printed.push(text);
      printing ??= setTimeout(flush, PRINT_EVERY_MS);
    },
    changed() {
      drawing ??= setTimeout(draw, DRAW_EVERY_MS);
    },
    next,
    words: next,
    unused: () => 0,
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
      try {
        await shut();
        await action();
      } finally {
        lent = false;
        open();
      }
    },
    get lent() {
      return lent;
    },
    typed: () => line.text,
    asked: draw,
    close() {
      closed = true;
      clearInterval(ticking);
      clearTimeout(drawing);
      process.off("exit", onExit);
      if (area !== undefined) void shut();
      for (const wants of waiting.splice(0)) wants(undefined);
    },
  };
}
