import { dirname } from "node:path";
import { z } from "zod";
import { errorText } from "../core/errors.ts";
import { makePrivateDir, writeJsonAtomic } from "../core/files.ts";
import { readUserFile } from "./user-files.ts";

const VERSION = 1;
/** Endpoints change what they serve under a name; after this long the belief is asked anew, ms. */
const LIFETIME_MS = 30 * 24 * 3_600_000;

const ROW = z.object({
  endpoint: z.string(),
  model: z.string(),
  window: z.number().int().positive(),
  learnedAtMs: z.number(),
});
const SCHEMA = z.object({ v: z.literal(VERSION), windows: z.array(ROW) });

/** What an overflow said about a model behind an endpoint. `window` in tokens, `learnedAtMs` epoch ms. */
export type LearnedWindow = Readonly<z.infer<typeof ROW>>;

/** Windows that endpoints stated when something did not fit, for later runs. */
export class LearnedWindows {
  readonly #path: string;
  readonly #now: () => number;
  readonly #onProblem: (message: string) => void;
  #rows: LearnedWindow[] = [];

  private constructor(path: string, options: { now?: () => number; onProblem?: (message: string) => void }) {
    this.#path = path;
    this.#now = options.now ?? Date.now;
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#rows = this.#read();
  }

  /**
   * @param path the file; it is made when something is learned.
   * @param options `now` in epoch ms; `onProblem` hears that the file cannot be written, the figure holds for this
   * process then.
   * @throws FlowerError `format` when the file is from a newer version. A damaged one is moved aside.
   */
  static open(
    path: string,
    options: { now?: () => number; onProblem?: (message: string) => void } = {},
  ): LearnedWindows {
    return new LearnedWindows(path, options);
  }

  /** What was learned within 30 days, in tokens. `endpoint` undefined = the API's own. */
  get(endpoint: string | undefined, model: string): number | undefined {
    return this.list().find(isOf(endpoint, model))?.window;
  }

  /** Everything that still holds. */
  list(): readonly LearnedWindow[] {
    return this.#rows.filter((row) => row.learnedAtMs + LIFETIME_MS > this.#now());
  }

  /**
   * Keeps a figure; the smallest one wins, because a larger one has overflowed already.
   * @returns the window to believe in.
   */
  learn(endpoint: string | undefined, model: string, window: number): number {
    this.#rows = this.#read();
    const known = this.get(endpoint, model);
    if (known !== undefined && known < window) return known;
    const row = { endpoint: endpointName(endpoint), model, window, learnedAtMs: this.#now() };
    this.#write([...this.list().filter((other) => !isOf(endpoint, model)(other)), row]);
    return window;
  }

  /** A request of this many tokens was accepted: a smaller figure is wrong and becomes this one. */
  raise(endpoint: string | undefined, model: string, tokens: number): void {
    this.#rows = this.#read();
    const known = this.get(endpoint, model);
    if (known === undefined || known >= tokens) return;
    this.forget(endpoint, model);
    this.learn(endpoint, model, tokens);
  }

  /** Drops what was learned; false when there was nothing. */
  forget(endpoint: string | undefined, model: string): boolean {
    this.#rows = this.#read();
    const rest = this.#rows.filter((row) => !isOf(endpoint, model)(row));
    if (rest.length === this.#rows.length) return false;
    this.#write(rest);
    return true;
  }

  /** Read again before each change: other runs learn too. What could not be written is still in memory. */
  #read(): LearnedWindow[] {
    return readUserFile(this.#path, SCHEMA, VERSION)?.windows ?? this.#rows;
  }

  #write(rows: LearnedWindow[]): void {
    this.#rows = rows;
    try {
      makePrivateDir(dirname(this.#path));
      writeJsonAtomic(this.#path, { v: VERSION, windows: rows });
    } catch (error) {
      this.#onProblem(`${this.#path} cannot be written: ${errorText(error)}`);
    }
  }
}

function isOf(endpoint: string | undefined, model: string): (row: LearnedWindow) => boolean {
  const name = endpointName(endpoint);
  return (row) => row.endpoint === name && row.model === model;
}

/** Host and path: neither credentials nor a query in the URL are kept, and a slash at the end makes no difference. */
function endpointName(endpoint: string | undefined): string {
  if (endpoint === undefined || endpoint === "") return "https://api.anthropic.com";
  if (!URL.canParse(endpoint)) return endpoint;
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
