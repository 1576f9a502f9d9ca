import type { Event } from "../core/events.ts";
import { deliver, failureText, type Surroundings } from "./deliver.ts";
import { Notices, type Notice, type NoticeContext, type RunEnd } from "./notice.ts";
import { targetName, type NotifyTarget } from "./targets.ts";
import { NOTIFY_TEXTS } from "./texts.ts";

/** One notice to one target may take so long, ms: a slow server is none. */
const DELIVERY_MS = 10_000;

/** What is under way at the end of a run gets so long, ms. */
const SETTLE_MS = 3_000;

/** How to notify. */
export interface NotifierOptions extends NoticeContext, Surroundings {
  targets: readonly NotifyTarget[];
  /** Hears of a target that does not work, once each. */
  onProblem(message: string): void;
  /** Longest delivery, ms. Default 10,000. */
  deliveryMs?: number;
}

/** Tells a person who is not looking. Nothing waits for it, and nothing fails by it. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #notices: Notices;
  readonly #underWay = new Map<Promise<void>, AbortController>();
  readonly #broken = new Set<NotifyTarget>();

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#notices = new Notices(options);
  }

  /** Takes in an event of the run. */
  listen(event: Event): void {
    const notice = this.#notices.of(event);
    if (notice !== undefined) this.#send(notice);
  }

  /** Tells that the run has ended. */
  ended(end: Omit<RunEnd, "timeMs">): void {
    this.#send(this.#notices.ended({ ...end, timeMs: Date.now() }));
  }

  /** Waits for what is under way, for `timeoutMs` at most (default 3,000), and ends the rest. */
  async settle(timeoutMs = SETTLE_MS): Promise<void> {
    const timer = setTimeout(() => {
      for (const controller of this.#underWay.values()) controller.abort();
    }, timeoutMs);
    await Promise.all(this.#underWay.keys());
    clearTimeout(timer);
  }

  #send(notice: Notice): void {
    for (const target of this.#options.targets) {
      const controller = new AbortController();
      const sent = this.#deliver(notice, target, controller).finally(() => this.#underWay.delete(sent));
      this.#underWay.set(sent, controller);
    }
  }

  async #deliver(notice: Notice, target: NotifyTarget, controller: AbortController): Promise<void> {
    const { locale, onProblem, deliveryMs = DELIVERY_MS } = this.#options;
    const timer = setTimeout(() => controller.abort(), deliveryMs);
    try {
      await deliver(notice, target, this.#options, controller.signal);
    } catch (error) {
      if (this.#broken.has(target)) return;
      this.#broken.add(target);
      const texts = NOTIFY_TEXTS[locale];
      const why = controller.signal.aborted ? texts.noAnswer : failureText(error, texts);
      onProblem(texts.failed(targetName(target), why));
    } finally {
      clearTimeout(timer);
    }
  }
}
