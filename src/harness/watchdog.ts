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
  /** A tool's silence is its own. */
  running(): Running;
  /** Ends the turn. */
  interrupt(): void;
  /** Ends the process. */
  kill(): void;
}

/** What is under way besides a request: a tool, or nothing but subagents, whose streams are not seen (0.3.332). */
export type Running = "tool" | "agents" | undefined;

/** A subagent's long reply looks like silence, and the harness ends its silent streams by itself (300 s, 0.3.332). */
const AGENTS_PATIENCE = 3;

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
    const { busy, running, interrupt, kill } = this.#watched;
    const now = Date.now();
    const runs = running();
    if (!busy() || runs === "tool") {
      this.#lastMs = now;
      return;
    }
    if (this.#bitten !== undefined) {
      if (now - this.#bitten >= END_MS) kill();
      return;
    }
    const patienceMs = this.#watched.patienceMs * (runs === "agents" ? AGENTS_PATIENCE : 1);
    if (now - this.#lastMs < patienceMs) return;
    this.#bitten = now;
    interrupt();
  }
}
