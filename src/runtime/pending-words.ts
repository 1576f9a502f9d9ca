import { AFTER_INTERRUPT } from "./prompts.ts";

/** What people said as they interrupted a step, until the step heeds it. */
export class PendingWords {
  #said: Promise<string | undefined>[] = [];
  #breakIn = new AbortController();

  /** Somebody interrupted and nobody has heeded it yet. */
  get waiting(): boolean {
    return this.#said.length > 0;
  }

  /** Ends waits when a person interrupts; a new one once their words are taken. */
  get breakIn(): AbortSignal {
    return this.#breakIn.signal;
  }

  /** @param words undefined or blank = none: the step should end. */
  add(words: Promise<string | undefined>): void {
    this.#said.push(words);
    this.#breakIn.abort();
  }

  /**
   * All that was said, in order, as a prompt; undefined without an interruption. The last word counts: "" when the last
   * interruption came without any, and the step should end.
   */
  async take(): Promise<string | undefined> {
    if (!this.waiting) return undefined;
    const all: string[] = [];
    // More may be said while the first are being typed.
    for (let next = this.#said.shift(); next !== undefined; next = this.#said.shift())
      all.push((await next) ?? "");
    this.#breakIn = new AbortController();
    if (isBlank(all.at(-1))) return "";
    return [AFTER_INTERRUPT, ...all.filter((words) => !isBlank(words))].join("\n\n");
  }

  /** What came when nothing was left to interrupt; it is the caller's then. */
  unheeded(): Promise<string | undefined>[] {
    return this.#said.splice(0);
  }
}

/** Whether nothing was said. */
export const isBlank = (text = ""): boolean => text.trim() === "";
