/** How often the clock is looked at, as a share of the patience. */
const LOOKS = 20;
/** After an interruption the harness has this long to end the turn, then its process is ended, ms. */
const END_MS = 15_000;

/** What a watchdog watches. */
export interface Watched {
  /** Without a sign of life for this long, while no tool runs, the stream is taken for dead, ms. */
  patienceMs: number;
  /** A prompt is being answered. */
  busy(): boolean;
  /** A tool or a subagent runs: its silence is its own. */
  toolRuns(): boolean;
  /** Ends the turn. */
  interrupt(): void;
  /** Ends the process. */
  kill(): void;
}

/** Notices a connection that is open and dead: the process lives, nothing comes, and nobody would ever know. */
export class Watchdog {
  readonly #watched: Watched;
  readonly #timer: NodeJS.Timeout;
  #lastMs = Date.now();
  #bitten: number | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#timer = setInterval(() => this.#look(), Math.max(20, watched.patienceMs / LOOKS));
    this.#timer.unref();
  }

  /** A message came, or a hook was called. */
  alive(): void {
    this.#lastMs = Date.now();
  }

  /** The turn was ended for its silence; asked once, then forgotten. */
  takeBite(): boolean {
    const bitten = this.#bitten !== undefined;
    this.#bitten = undefined;
    return bitten;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { patienceMs, busy, toolRuns, interrupt, kill } = this.#watched;
    const now = Date.now();
    if (!busy() || toolRuns()) {
      this.#lastMs = now;
      return;
    }
    if (this.#bitten !== undefined) {
      if (now - this.#bitten >= END_MS) kill();
      return;
    }
    if (now - this.#lastMs < patienceMs) return;
    this.#bitten = now;
    interrupt();
  }
}
