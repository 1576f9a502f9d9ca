import type { HumanChannel } from "../human/channel.ts";
import { isBlank } from "./pending-words.ts";

/** What a person says as they interrupt, which they may still be typing; undefined or blank = nothing. */
export type Said = Promise<string | undefined>;

/** What a person said when no step could hear it: for the next step, or else for the next run. */
export class UnseenWords {
  readonly #channel: HumanChannel | undefined;
  readonly #said: Said[] = [];

  /** @param channel undefined = words are not kept over the run, only said. */
  constructor(channel: HumanChannel | undefined) {
    this.#channel = channel;
  }

  /** Keeps them for the next step. */
  add(said: readonly Said[]): void {
    this.#said.push(...said);
  }

  /** For the step that begins now. */
  take(): Said[] {
    return this.#said.splice(0);
  }

  /** Whether the next step would hear words, and not that it should end; waits for what is being typed. */
  async hasWords(): Promise<boolean> {
    return !isBlank((await Promise.all(this.#said)).at(-1));
  }

  /** Said between two steps: words answer the flow's question, or else are for the next step. */
  async between(said: Said): Promise<void> {
    const pending = this.#channel?.pending ?? [];
    if (pending.length === 0) this.#said.push(said);
    const words = ((await said) ?? "").trim();
    for (const { id } of pending)
      if (words === "") this.#channel?.skip(id);
      else this.#channel?.answer(id, words);
  }

  /**
   * Keeps what a person typed as nothing was left to hear it: no session has read it, and perhaps none of this run
   * will. It becomes a message, which outlives the run, and is said in full, for a disk that takes nothing any more.
   * Interruptions without words are still to be heeded.
   */
  async keep(said: readonly Said[], say: (message: string) => void): Promise<void> {
    for (const words of await Promise.all(said)) {
      if (words === undefined || isBlank(words)) {
        this.#said.push(Promise.resolve(undefined));
        continue;
      }
      this.#channel?.send(words);
      const kept =
        this.#channel === undefined ? "say them again when you go on" : "kept as a message for the next one";
      say(`no session has seen these words (${kept}): ${words}`);
    }
  }

  /** The same for all that wait, as far as they are said by now. */
  async keepSaid(say: (message: string) => void): Promise<void> {
    const now = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
    await this.keep(
      this.take().map(async (words) => Promise.race([words, now])),
      say,
    );
  }
}
