import { FlowerError } from "../core/errors.ts";
import type { EventDraft } from "../core/events.ts";
import { armDeadline } from "./deadline.ts";
import type { Exchange } from "./exchange-log.ts";
import { pickOption, type AskOutcome, type Fallthrough } from "./outcome.ts";

/** A question that waits for a person. */
export interface Ask {
  id: string;
  question: string;
  options: readonly string[];
  /** The one that is shown; the others wait behind it. */
  shown: boolean;
  /** Epoch ms when it falls through; null = never, or not shown yet. */
  deadlineMs: number | null;
  /** It asks to allow a tool call. Absent on all others. */
  permission?: true;
}

/** How a question is asked. */
export interface AskContext {
  /** Withdraws it. */
  signal?: AbortSignal;
  /** It asks to allow a tool call: the quota, which bounds the model's own questions, does not count it. */
  permission?: true;
}

/** An event of a question. */
export type AskEvent = Extract<EventDraft, { type: "ask" }>;

/** What a desk is made of. */
export interface QuestionDeskOptions {
  /** Time to answer in ms, counted from when a question is shown; ≤ 0 = nobody is there, null = forever. */
  timeoutMs: number | null;
  /** Questions that may go out; null = unlimited. */
  quota: number | null;
  /** Epoch ms. */
  now: () => number;
  onEvent: (event: AskEvent) => void;
  onExchange: (exchange: Exchange) => void;
}

/** What is said of a question. */
interface Asked {
  id: string;
  question: string;
  options: readonly string[];
  deadlineMs: number | null;
  permission?: true;
}

/** A question between `ask` and its outcome. */
interface Entry extends Asked {
  /** Stops the clock of a question that is shown. */
  stop?: () => void;
  settle(outcome: AskOutcome): void;
  withdraw(): void;
}

/** Shows one question at a time to a person and waits, each with the whole time to answer. */
export class QuestionDesk {
  readonly #options: QuestionDeskOptions;
  #line: Entry[] = [];
  #asked = 0;
  /** Those that the quota counts. */
  #counted = 0;
  #closed = false;

  constructor(options: QuestionDeskOptions) {
    this.#options = options;
  }

  /** Questions without an outcome, the one that is shown first. */
  get pending(): readonly Ask[] {
    return this.#line.map(({ id, question, options, deadlineMs, permission }, i) => ({
      id,
      question,
      options,
      shown: i === 0,
      deadlineMs,
      ...(permission === undefined ? {} : { permission }),
    }));
  }

  /**
   * Waits for a person.
   * @throws FlowerError `usage` for a blank question, `aborted` once `signal` is aborted.
   */
  async ask(question: string, options: readonly string[], context: AskContext = {}): Promise<AskOutcome> {
    const { signal, permission } = context;
    if (question.trim() === "") {
      throw new FlowerError("usage", "the question is empty", { nextStep: "ask in a full sentence" });
    }
    if (signal?.aborted === true) throw withdrawn();
    this.#asked += 1;
    if (permission === undefined) this.#counted += 1;
    const asked = {
      id: `ask-${this.#asked}`,
      question,
      options,
      deadlineMs: null,
      ...(permission === undefined ? {} : { permission }),
    };
    const { timeoutMs, quota } = this.#options;
    if (this.#closed || (timeoutMs !== null && timeoutMs <= 0)) return this.#refuse(asked, "nobody");
    if (permission === undefined && quota !== null && this.#counted > quota)
      return this.#refuse(asked, "quota");
    return new Promise<AskOutcome>((resolve, reject) => {
      const abort = (): void => this.#leave(entry, { fallthrough: "skipped" }, "withdrawn");
      const entry: Entry = {
        ...asked,
        settle: (outcome) => {
          signal?.removeEventListener("abort", abort);
          resolve(outcome);
        },
        withdraw: () => reject(withdrawn()),
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#line.push(entry);
      if (this.#line.length === 1) this.#show(entry);
    });
  }

  /**
   * A person's answer; a number picks an option. False when the question has its outcome already or the text is blank.
   */
  answer(id: string, text: string): boolean {
    const entry = this.#find(id);
    if (entry === undefined || text.trim() === "") return false;
    this.#leave(entry, { answer: pickOption(text, entry.options) });
    return true;
  }

  /** The person leaves the decision to the model. False when the question has its outcome already. */
  skip(id: string): boolean {
    const entry = this.#find(id);
    if (entry === undefined) return false;
    this.#leave(entry, { fallthrough: "skipped" });
    return true;
  }

  /** Nobody is there any more: what waits falls through, and so does every later question. */
  close(): void {
    this.#closed = true;
    // From the end, so that none of those behind is shown for a moment.
    for (const entry of this.#line.toReversed()) this.#leave(entry, { fallthrough: "nobody" });
  }

  #find(id: string): Entry | undefined {
    return this.#line.find((entry) => entry.id === id);
  }

  #show(entry: Entry): void {
    const { timeoutMs, now } = this.#options;
    entry.deadlineMs = timeoutMs === null ? null : now() + timeoutMs;
    entry.stop = armDeadline(entry.deadlineMs, now, () => this.#leave(entry, { fallthrough: "timeout" }));
    this.#tell(entry, "asked", timeoutMs);
  }

  /** Takes a question out of the line, tells everybody and shows the next one. */
  #leave(entry: Entry, outcome: AskOutcome, how: "settled" | "withdrawn" = "settled"): void {
    entry.stop?.();
    const wasShown = this.#line[0] === entry;
    this.#line = this.#line.filter((other) => other !== entry);
    if (how === "settled") entry.settle(outcome);
    else entry.withdraw();
    this.#report(entry, outcome);
    const next = this.#line[0];
    if (wasShown && next !== undefined) this.#show(next);
  }

  #refuse(asked: Asked, why: Fallthrough): AskOutcome {
    const outcome = { fallthrough: why };
    this.#report(asked, outcome);
    return outcome;
  }

  #report(entry: Asked, outcome: AskOutcome): void {
    const { now, onExchange } = this.#options;
    const timeMs = now();
    const leftMs = entry.deadlineMs === null ? null : Math.max(0, entry.deadlineMs - timeMs);
    if ("answer" in outcome) this.#tell(entry, "answered", leftMs, outcome.answer);
    else this.#tell(entry, outcome.fallthrough, leftMs);
    onExchange({ question: entry.question, options: entry.options, outcome, timeMs });
  }

  #tell(
    { id, question, options, permission }: Asked,
    phase: AskEvent["phase"],
    timeoutMs: number | null,
    answer?: string,
  ): void {
    this.#options.onEvent({
      type: "ask",
      id,
      phase,
      question,
      options,
      timeoutMs,
      ...(permission === undefined ? {} : { permission }),
      ...(answer === undefined ? {} : { answer }),
    });
  }
}

function withdrawn(): FlowerError {
  return new FlowerError("aborted", "the question was withdrawn: who asked it has gone");
}
