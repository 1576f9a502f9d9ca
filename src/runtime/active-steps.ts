import type { HumanChannel } from "../human/channel.ts";
import type { RunStepOptions, StepStatus } from "./contract.ts";
import { isBlank } from "./pending-words.ts";
import type { StepRun } from "./step-run.ts";
import type { Said, UnseenWords } from "./unseen-words.ts";

/** A step in progress. */
export interface ActiveStep {
  run: Pick<StepRun, "interrupt" | "unheeded">;
  wordsFor: NonNullable<RunStepOptions["wordsFor"]>;
  /** Writes its books from outside: a signal is about to end the process. */
  save(status: StepStatus): void;
}

/** The steps in progress, and which of them hears what a person says. */
export class ActiveSteps {
  /** With what each was interrupted. */
  readonly #steps = new Map<ActiveStep, Said[]>();
  readonly #unseen: UnseenWords;
  readonly #channel: HumanChannel | undefined;

  constructor(unseen: UnseenWords, channel: HumanChannel | undefined) {
    this.#unseen = unseen;
    this.#channel = channel;
  }

  /** A step begins, with what was said before it. */
  begin(step: ActiveStep): void {
    this.#steps.set(step, []);
    for (const said of this.#unseen.take()) this.#tell(step, said, false);
  }

  /** Interrupts them all; between two steps the words wait for the next. */
  interrupt(said: Said, atOnce: boolean): void {
    if (this.#steps.size === 0) void this.#unseen.between(said);
    // Whoever interrupts does not answer any more; the call that waits would hold the boundary back.
    else for (const { id } of this.#channel?.pending ?? []) this.#channel?.skip(id);
    for (const step of [...this.#steps.keys()]) this.#tell(step, said, atOnce);
  }

  /** A step failed: what no session has acted on is kept for the next run. */
  async failed(step: ActiveStep, say: (message: string) => void): Promise<void> {
    await this.#unseen.keep(await this.#left(step), say);
  }

  /** A step has ended: what it leaves is for the next one. Safe to call twice. */
  async end(step: ActiveStep): Promise<void> {
    const left = await this.#left(step);
    if (this.#steps.delete(step)) this.#unseen.add(left);
  }

  /** Writes the books of all. */
  save(status: StepStatus): void {
    for (const step of this.#steps.keys()) step.save(status);
  }

  #tell(step: ActiveStep, said: Said, atOnce: boolean): void {
    if (step.wordsFor === "next") {
      this.#unseen.add([said]);
      step.run.interrupt(Promise.resolve(undefined), atOnce);
      return;
    }
    if (step.wordsFor === "both") this.#steps.get(step)?.push(said);
    step.run.interrupt(said, atOnce);
  }

  /** What it has not heeded, and what it has heard for another as well; each once. */
  async #left(step: ActiveStep): Promise<Said[]> {
    // Its words wait for the next step already.
    const unheeded = step.wordsFor === "next" ? [] : step.run.unheeded();
    const heard = (this.#steps.get(step) ?? []).splice(0).filter((said) => !unheeded.includes(said));
    const words = (await Promise.all(heard)).filter((text) => !isBlank(text));
    return [...words.map(async (text) => Promise.resolve(text)), ...unheeded];
  }
}
