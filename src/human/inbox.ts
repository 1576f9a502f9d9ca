import { FlowerError } from "../core/errors.ts";
import type { Locale } from "../core/locale.ts";

/** A person's message to a running run. */
export interface Mail {
  /** Counts up from 1 in the order of sending. */
  id: number;
  text: string;
  /** Epoch ms. */
  sentAtMs: number;
}

/** A message that was handed out. */
export interface HandedOut extends Mail {
  /** Epoch ms. */
  takenAtMs: number;
}

/** What the sender gets at once. */
export interface Receipt {
  id: number;
  /** When the message will be seen, in the sender's language. */
  text: string;
}

const RECEIPTS: Readonly<Record<Locale, (id: number) => string>> = {
  en: (id) =>
    `Message ${id} is kept. It will be seen at the next batch boundary: when all agents of the running batch have ended.`,
  zh: (id) => `已收下第 ${id} 条消息。下一个批次边界(当前批次的所有代理都结束时)会被看到。`,
  pt: (id) =>
    `Mensagem ${id} guardada. Será vista no próximo limite de lote: quando todos os agentes do lote em curso terminarem.`,
  de: (id) =>
    `Nachricht ${id} liegt bereit. Sie wird an der nächsten Stapelgrenze gesehen: wenn alle Agenten des laufenden Stapels fertig sind.`,
};

/** Messages in the order of sending, each handed out once unless it is given back; forgotten when it is delivered. */
export class Inbox {
  readonly #locale: Locale;
  readonly #now: () => number;
  #waiting: Mail[] = [];
  #handedOut: HandedOut[] = [];
  #sent = 0;
  #keeper: ((mails: readonly Mail[]) => void) | undefined;

  /** @param options `now` in epoch ms. */
  constructor(options: { locale: Locale; now: () => number }) {
    this.#locale = options.locale;
    this.#now = options.now;
  }

  /**
   * Sets who keeps messages until they are delivered: it is told all of them whenever they change.
   * @param kept from an earlier run; they wait like new ones.
   * @returns these, as they wait.
   */
  keep(kept: readonly Omit<Mail, "id">[], keeper: (mails: readonly Mail[]) => void): Mail[] {
    const restored = kept.map(({ text, sentAtMs }) => ({ id: (this.#sent += 1), text, sentAtMs }));
    this.#waiting.push(...restored);
    this.#keeper = keeper;
    if (this.#waiting.length > restored.length) this.#changed();
    return restored;
  }

  /** Messages that nobody took yet. */
  get undelivered(): readonly Mail[] {
    return [...this.#waiting];
  }

  /** Messages that were taken, and neither delivered nor given back. */
  get handedOut(): readonly HandedOut[] {
    return [...this.#handedOut];
  }

  /** @throws FlowerError `usage` for a blank message. */
  send(text: string): Receipt {
    if (text.trim() === "") {
      throw new FlowerError("usage", "the message is empty", { nextStep: "write what the run should know" });
    }
    this.#sent += 1;
    this.#waiting.push({ id: this.#sent, text, sentAtMs: this.#now() });
    this.#changed();
    return { id: this.#sent, text: RECEIPTS[this.#locale](this.#sent) };
  }

  /** Hands all waiting messages out. */
  take(): Mail[] {
    const taken = this.#waiting.splice(0);
    const takenAtMs = this.#now();
    this.#handedOut.push(...taken.map((mail) => ({ ...mail, takenAtMs })));
    return taken;
  }

  /** Forgets messages that have reached the model, or that nobody has to read any more. */
  delivered(mails: readonly Mail[]): void {
    const read = new Set(mails.map(({ id }) => id));
    this.#handedOut = this.#handedOut.filter(({ id }) => !read.has(id));
    this.#waiting = this.#waiting.filter(({ id }) => !read.has(id));
    this.#changed();
  }

  /** Puts messages back that did not reach the model; they keep their place in the order. */
  giveBack(mails: readonly Mail[]): void {
    const known = new Set(this.#waiting.map(({ id }) => id));
    const returned = mails.filter(({ id }) => !known.has(id));
    this.#waiting = [...returned, ...this.#waiting].sort((a, b) => a.id - b.id);
    const back = new Set(mails.map(({ id }) => id));
    this.#handedOut = this.#handedOut.filter(({ id }) => !back.has(id));
  }

  #changed(): void {
    this.#keeper?.([...this.#handedOut, ...this.#waiting].sort((a, b) => a.id - b.id));
  }
}
