import { errorText } from "../core/errors.ts";
import type { StepResult } from "./contract.ts";
import type { Manifest } from "./manifest.ts";

/** How far a running step's row may be behind, for a process that is killed, ms. */
const INTERVAL_MS = 5_000;

/** Whose row it is. */
export interface StepRowOptions {
  manifest: Manifest;
  run: string;
  step: string;
  onProblem(message: string): void;
}

/** A step's row in the manifest, written as the step goes. */
export class StepRow {
  readonly #options: StepRowOptions;
  readonly #startedAt = new Date().toISOString();
  #writtenMs = Date.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StepRowOptions) {
    this.#options = options;
  }

  /** Writes the result as it stands. The work is worth more than its row: what cannot be written is only said. */
  write(result: StepResult): void {
    const { manifest, run, step, onProblem } = this.#options;
    const { status } = result;
    const endedAt = status === "running" ? null : new Date().toISOString();
    this.#writtenMs = Date.now();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      manifest.write({ run, step, status, startedAt: this.#startedAt, endedAt, result });
    } catch (error) {
      onProblem(`the manifest cannot be written: ${errorText(error)}`);
    }
  }

  /** Writes now, or when the last time is long enough ago, whether or not more comes until then. */
  refresh(result: () => StepResult): void {
    const waitMs = this.#writtenMs + INTERVAL_MS - Date.now();
    if (waitMs <= 0) {
      this.write(result());
      return;
    }
    this.#timer ??= setTimeout(() => this.write(result()), waitMs);
    this.#timer.unref();
  }
}
