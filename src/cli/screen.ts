import type { Event, EventListener } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { eventLines, lineState } from "./lines.ts";
import { EMPTY_VIEW, withEvent, type RunView } from "./run-view.ts";
import { statusRows, type RowOptions, type StatusRow } from "./terminal/status-rows.ts";
import { TERMINAL_TEXTS } from "./terminal/texts.ts";
import { textsFor, type Texts } from "./texts.ts";

/** Where lines go. */
export interface LineSink {
  /** Prints whole lines. */
  print(text: string): void;
  /** The status may be another one. */
  changed(): void;
}

/** Plain lines on standard error; results go to standard output, so that a pipe gets them alone. */
export interface Screen {
  readonly locale: Locale;
  readonly texts: Texts;
  listener: EventListener;
  say(line: string): void;
  /** Prints a result to standard output; at a terminal that is drawn on, above what is drawn there. */
  result(text: string): void;
  /** A handoff document waits for its person, which no event says; the input line counts down. */
  reviews(isReviewing: boolean): void;
  /** What goes on now. */
  status(): RunView;
  /** The same as rows, for a place of that size. */
  statusRows(size: { columns: number; rows: number }): StatusRow[];
  /** Sends lines there from now on; undefined = to standard error again. */
  into(sink: LineSink | undefined): void;
}

/** What a screen is made for. */
export interface ScreenOptions extends Pick<RowOptions, "rounds" | "budgetUsd"> {
  locale: Locale;
  verbose: boolean;
  /** Events that are said. Default: all. */
  shows?: (event: Event) => boolean;
}

/** Beside JSON lines a person needs to see only what they are to answer at this terminal. */
export const forTypist = (event: Event): boolean => event.type === "ask" && process.stdin.isTTY;

const STANDARD_ERROR: LineSink = {
  print: (text) => void process.stderr.write(text),
  changed: () => undefined,
};

/** A screen of plain lines. */
export function lineScreen({ locale, verbose, shows = () => true, ...bounds }: ScreenOptions): Screen {
  const texts = textsFor(locale);
  const state = lineState(Date.now(), verbose);
  let status: RunView = { ...EMPTY_VIEW, startedMs: state.startedMs, callMs: state.startedMs };
  let isReviewing = false;
  let sink = STANDARD_ERROR;
  const say = (line: string): void => sink.print(`${line}\n`);
  return {
    locale,
    texts,
    say,
    result: (text) => {
      if (sink === STANDARD_ERROR || !process.stdout.isTTY) process.stdout.write(`${text}\n`);
      else sink.print(`${text}\n`);
    },
    listener: (event) => {
      const lines = eventLines(event, state, texts);
      if (shows(event)) for (const line of lines) say(line);
      status = withEvent(status, event);
      sink.changed();
    },
    reviews: (is) => {
      isReviewing = is;
      sink.changed();
    },
    status: () => status,
    statusRows: (size) =>
      statusRows(status, {
        ...{ ...size, ...bounds, isReviewing },
        nowMs: Date.now(),
        texts: TERMINAL_TEXTS[locale],
      }),
    into: (next) => {
      sink = next ?? STANDARD_ERROR;
      state.hasGauge = next !== undefined;
    },
  };
}
