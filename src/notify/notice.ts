import { basename } from "node:path";
import type { Event } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { stepDisplayName } from "../documents/names.ts";
import { NOTIFY_TEXTS, type NotifyEvent } from "./texts.ts";

/** Something to tell; also the JSON that commands and webhooks get. */
export interface Notice {
  /** Format version. */
  v: 1;
  event: NotifyEvent;
  title: string;
  text: string;
  /** Id of the run. */
  run: string;
  /** English id of the step; empty at the end of a run. */
  step: string;
  workspace: string;
  /** ISO 8601, UTC. */
  time: string;
}

/** What every notice of a run needs. */
export interface NoticeContext {
  locale: Locale;
  workspace: string;
  /** Asked for each notice: what takes out the secrets that are known by now. */
  redaction(): (text: string) => string;
}

/** What a run came to. */
export interface RunEnd {
  ok: boolean;
  /** The result, or why it stopped. */
  text: string;
  run: string;
  /** Epoch ms. */
  timeMs: number;
}

/** More than any of the targets shows, characters. */
const MAX_TEXT_CHARS = 1_000;
const MAX_TITLE_CHARS = 120;

/** What a run's events say to a person who is not looking. One for each run: it knows what was said. */
export class Notices {
  readonly #context: NoticeContext;
  /** An allowance of which nobody knows when it comes back is tried every few minutes: it is one wait. */
  #limited = false;

  constructor(context: NoticeContext) {
    this.#context = context;
  }

  /** The notice that an event is worth, if any. */
  of(event: Event): Notice | undefined {
    if (event.type === "toolCall") this.#limited = false;
    const said = this.#said(event);
    if (said === undefined) return undefined;
    const [what, text] = said;
    return this.#notice(what, { text, run: event.runId, step: event.step, timeMs: event.timeMs });
  }

  /** The notice that a run has ended. */
  ended({ ok, ...rest }: RunEnd): Notice {
    return this.#notice(ok ? "finished" : "failed", { ...rest, step: "" });
  }

  #said(event: Event): [NotifyEvent, string] | undefined {
    const { locale } = this.#context;
    const texts = NOTIFY_TEXTS[locale];
    if (event.type === "ask" && event.phase === "asked")
      return [
        "question",
        [event.question, ...event.options.map((option, i) => `${i + 1}) ${option}`)].join("\n"),
      ];
    if (event.type === "retry" && event.untilMs !== undefined && !this.#limited) {
      this.#limited = true;
      const moment = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });
      return ["limit", texts.limitUntil(moment.format(event.untilMs))];
    }
    if (event.type === "handoff" && event.phase === "done" && event.degraded === true)
      return ["degraded", texts.degraded(stepDisplayName(event.step, locale))];
    return undefined;
  }

  #notice(
    event: NotifyEvent,
    { text, run, step, timeMs }: { text: string; run: string; step: string; timeMs: number },
  ): Notice {
    const { locale, workspace } = this.#context;
    const redact = this.#context.redaction();
    const title = `flower: ${NOTIFY_TEXTS[locale].happened[event]} (${basename(workspace)})`;
    // In this order: colours split a key, and a part of one that was cut is not found any more.
    const shown = (words: string, chars: number): string => cut(redact(stripControl(words)), chars);
    return {
      v: 1,
      event,
      title: shown(title.replace(/\s+/g, " "), MAX_TITLE_CHARS),
      text: shown(text.trim(), MAX_TEXT_CHARS),
      run,
      step: redact(step),
      workspace: redact(workspace),
      time: new Date(timeMs).toISOString(),
    };
  }
}

/** A half of a character at the end is dropped with the rest. */
function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
