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

/** Messages in the order of sending, each handed out once unless it is given back. */
export class Inbox {
  readonly #locale: Locale;
  readonly #now: () => number;
  #waiting: Mail[] = [];
  #sent = 0;

  /** @param options `now` in epoch ms. */
  constructor(options: { locale: Locale; now: () => number }) {
    this.#locale = options.locale;
    this.#now = options.now;
  }

  /** Messages that nobody took yet. */
  get undelivered(): readonly Mail[] {
    return [...this.#waiting];
  }

  /** @throws FlowerError `usage` for a blank message. */
  send(text: string): Receipt {
    if (text.trim() === "") {
      throw new FlowerError("usage", "the message is empty", { nextStep: "write what the run should know" });
    }
    this.#sent += 1;
    this.#waiting.push({ id: this.#sent, text, sentAtMs: this.#now() });
    return { id: this.#sent, text: RECEIPTS[this.#locale](this.#sent) };
  }

  /** Hands all waiting messages out. */
  take(): Mail[] {
    return this.#waiting.splice(0);
  }

  /** Puts messages back that did not reach the model; they keep their place in the order. */
  giveBack(mails: readonly Mail[]): void {
    const known = new Set(this.#waiting.map(({ id }) => id));
    const returned = mails.filter(({ id }) => !known.has(id));
    this.#waiting = [...returned, ...this.#waiting].sort((a, b) => a.id - b.id);
  }
}
