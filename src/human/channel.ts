import { errorText } from "../core/errors.ts";
import type { Locale } from "../core/locale.ts";
import type { McpServer } from "../core/spec.ts";
import { appendExchange, type Exchange } from "./exchange-log.ts";
import { Inbox, type HandedOut, type Mail, type Receipt } from "./inbox.ts";
import type { AskOutcome } from "./outcome.ts";
import { QuestionDesk, type Ask, type AskContext, type AskEvent } from "./question-desk.ts";
import { humanServer } from "./tools.ts";

export type { Exchange } from "./exchange-log.ts";
export type { HandedOut, Mail, Receipt } from "./inbox.ts";
export type { AskOutcome, Fallthrough } from "./outcome.ts";
export type { Ask, AskContext, AskEvent } from "./question-desk.ts";

/** Half an hour: long enough to come back from lunch, short enough not to lose the night, ms. */
const DEFAULT_TIMEOUT_MS = 1_800_000;

/** How a run reaches its person. */
export interface HumanChannelOptions {
  /** Time to answer one question, ms; ≤ 0 = nobody is there, null = forever. Default 1,800,000. */
  timeoutMs?: number | null;
  /** Questions that may go out; 0 = none, negative = unlimited. Default unlimited. */
  quota?: number;
  /** Where exchanges go: a Markdown file that grows, or a function. Default: nowhere. */
  log?: string | ((exchange: Exchange) => void);
  /** Language of the log and of receipts. Default `en`. */
  locale?: Locale;
  /** Heading of the section that assumptions belong to. Default `Unknowns and assumptions`. */
  unknownsHeading?: string;
  /** First listener of {@link HumanChannel.onAsk}. Default: nobody. */
  onAsk?: (event: AskEvent) => void;
  /** Hears of a log that cannot be written and of listeners that throw. Default: nobody. */
  onProblem?: (message: string) => void;
  /** Epoch ms. Default `Date.now`. */
  now?: () => number;
}

/** Questions to a person and a person's messages, both ways between a run and its interface. */
export class HumanChannel {
  readonly #desk: QuestionDesk;
  readonly #inbox: Inbox;
  #listener: ((event: AskEvent) => void) | undefined;
  /** For `AgentSpec.mcpServers`: server `flower` with the tools `ask` and `inbox`. */
  readonly servers: Readonly<Record<string, McpServer>>;

  constructor(options: HumanChannelOptions = {}) {
    const { log, onProblem, quota = -1, locale = "en", now = Date.now } = options;
    const safely = (what: string, action: () => void): void => {
      try {
        action();
      } catch (error) {
        onProblem?.(`${what}: ${errorText(error)}`);
      }
    };
    this.#listener = options.onAsk;
    this.#inbox = new Inbox({ locale, now });
    this.#desk = new QuestionDesk({
      timeoutMs: options.timeoutMs === undefined ? DEFAULT_TIMEOUT_MS : options.timeoutMs,
      quota: quota < 0 ? null : quota,
      now,
      onEvent: (event) => safely("A listener of questions failed", () => this.#listener?.(event)),
      onExchange: (exchange) =>
        safely("The exchange could not be logged", () => {
          if (typeof log === "string") appendExchange(log, exchange, locale);
          else log?.(exchange);
        }),
    });
    this.servers = {
      flower: humanServer({
        ask: async (question, choices, signal) => this.ask(question, choices, { signal }),
        take: () => this.take(),
        unknownsHeading: options.unknownsHeading ?? "Unknowns and assumptions",
      }),
    };
  }

  /**
   * Asks the person and waits; one question is shown at a time, the others queue. Falling through is an outcome. The
   * quota does not count permissions.
   * @throws FlowerError `usage` for a blank question, `aborted` when `signal` is aborted before an outcome.
   */
  async ask(
    question: string,
    options: readonly string[] = [],
    context: AskContext = {},
  ): Promise<AskOutcome> {
    return this.#desk.ask(question, options, context);
  }

  /**
   * Sets who hears of questions from now on, in place of who did: `asked` when one is shown, then its outcome.
   * What a listener throws is a problem, no error.
   */
  onAsk(listener: (event: AskEvent) => void): void {
    this.#listener = listener;
  }

  /** Questions that wait, the shown one first. */
  get pending(): readonly Ask[] {
    return this.#desk.pending;
  }

  /** Answers a waiting question; a number picks an option. False when it waits no longer or the text is blank. */
  answer(id: string, text: string): boolean {
    return this.#desk.answer(id, text);
  }

  /** Leaves a waiting question to the model. False when it waits no longer. */
  skip(id: string): boolean {
    return this.#desk.skip(id);
  }

  /**
   * Keeps a message for the run.
   * @throws FlowerError `usage` for a blank one.
   */
  send(text: string): Receipt {
    return this.#inbox.send(text);
  }

  /** Hands out what nobody took yet, in the order of sending; it is kept until it is delivered. */
  take(): Mail[] {
    return this.#inbox.take();
  }

  /** Takes messages back that were handed out and did not reach the model. */
  giveBack(mails: readonly Mail[]): void {
    this.#inbox.giveBack(mails);
  }

  /** Forgets messages: the model has them, or nobody has to read them any more. */
  delivered(mails: readonly Mail[]): void {
    this.#inbox.delivered(mails);
  }

  /** Messages that were taken, and neither delivered nor given back. */
  get handedOut(): readonly HandedOut[] {
    return this.#inbox.handedOut;
  }

  /**
   * Sets who keeps messages until they are delivered: it is told all of them whenever they change. A runtime does so.
   * @param kept from an earlier run; they wait like new ones.
   * @returns these, as they wait.
   */
  keepMail(kept: readonly Omit<Mail, "id">[], keeper: (mails: readonly Mail[]) => void): Mail[] {
    return this.#inbox.keep(kept, keeper);
  }

  /** Messages that nobody took yet. */
  get undelivered(): readonly Mail[] {
    return this.#inbox.undelivered;
  }

  /** Nobody is there any more: waiting and later questions fall through, and no timer holds the process. */
  close(): void {
    this.#desk.close();
  }
}
