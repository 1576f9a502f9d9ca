import type { EventListener } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { eventLines, lineState } from "./lines.ts";
import { textsFor, type Texts } from "./texts.ts";

/** Plain lines on standard error; results go to standard output, so that a pipe gets them alone. */
export interface Screen {
  readonly texts: Texts;
  listener: EventListener;
  say(line: string): void;
}

/** A screen of plain lines. */
export function lineScreen(
  locale: Locale,
  verbose: boolean,
  write = (text: string) => void process.stderr.write(text),
): Screen {
  const texts = textsFor(locale);
  const state = lineState(Date.now(), verbose);
  const say = (line: string): void => write(`${line}\n`);
  return {
    texts,
    say,
    listener: (event) => {
      for (const line of eventLines(event, state, texts)) say(line);
    },
  };
}
