import { join } from "node:path";
import { LearnedWindows } from "../config/learned-windows.ts";
import { userConfigDir } from "../config/user-files.ts";
import { believedWindow, type BelievedWindow } from "../config/window.ts";
import type { Locale } from "../core/locale.ts";
import { NOTICE_TEXTS, type NoticeTexts } from "./notice-texts.ts";
import { statedWindow } from "./stated-window.ts";

/** Without a session's own start to compare with, a smaller figure is taken for something else, tokens. */
const LEAST_WINDOW = 16_000;

/** What a window book knows of the run. */
export interface WindowBookOptions {
  /** `--window` or the handoff policy's own, tokens. */
  option: number | undefined;
  /** Between the handoff line and the window, tokens. */
  headroom: number;
  /** Environment with the credentials put in. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Language of the notices. */
  locale: Locale;
  /** One line for the person. */
  onNotice(message: string): void;
}

/** A request that did not fit. */
export interface Overflow {
  model: string;
  /** What the API said. */
  texts: readonly string[];
  /** Context of the last request that was accepted, tokens; 0 = none was. */
  acceptedTokens: number;
  /** What a session of this role starts with, tokens; undefined = not seen yet. */
  floorTokens: number | undefined;
}

/** Believed windows of one run by model, corrected by what endpoints say; stated figures are kept for later runs. */
export class WindowBook {
  readonly #options: WindowBookOptions;
  readonly #learned: LearnedWindows;
  readonly #settled = new Map<string, BelievedWindow>();
  /** What was refused in this run bounds every belief, also one that the person set. */
  readonly #bounds = new Map<string, number>();

  /** @throws FlowerError `format` when the file of learned windows is from a newer version. */
  constructor(options: WindowBookOptions) {
    this.#options = options;
    this.#learned = LearnedWindows.open(learnedWindowsPath(options), { onProblem: options.onNotice });
  }

  /** The belief before the harness was asked; `certain` when it need not be. */
  believed(model: string): BelievedWindow {
    return this.#settled.get(model) ?? this.#bounded(model, this.#believe(model));
  }

  /** Settles a belief with the harness's own figure, undefined when it has none; an assumed one is said once. */
  settle(model: string, known: number | undefined): BelievedWindow {
    const belief = { ...this.#bounded(model, this.#believe(model, known)), certain: true };
    this.#settled.set(model, belief);
    if (belief.source === "assumed") this.#options.onNotice(this.#texts.windowAssumed(belief.window));
    return belief;
  }

  /** Takes in that a request of the main model did not fit. */
  overflowed({ model, texts, acceptedTokens, floorTokens }: Overflow): void {
    const stated = statedWindow(...texts);
    if (stated !== undefined && stated <= (floorTokens ?? LEAST_WINDOW)) {
      this.#options.onNotice(this.#texts.windowNotBelieved(stated, floorTokens));
      return;
    }
    const bound = stated ?? this.#usable(acceptedTokens, floorTokens);
    if (bound === undefined) return;
    if (stated !== undefined) this.#learned.learn(this.#endpoint, model, stated);
    this.#bounds.set(model, Math.min(bound, this.#bounds.get(model) ?? Infinity));
    this.#settled.delete(model);
    const { window } = this.believed(model);
    const { windowStated, windowByLastRequest } = this.#texts;
    this.#options.onNotice(stated === undefined ? windowByLastRequest(window) : windowStated(window));
  }

  /** Takes in that a request of this size was accepted: a learned figure below it was wrong. */
  accepted(model: string, tokens: number): void {
    const learned = this.#learned.get(this.#endpoint, model);
    if (learned !== undefined && tokens > learned) this.#learned.raise(this.#endpoint, model, tokens);
    const bound = this.#bounds.get(model);
    if (bound !== undefined && tokens > bound) this.#bounds.set(model, tokens);
  }

  /**
   * Drops a learned figure that a session's start alone reaches: it was for something else, and the step would hand over
   * for ever. What is believed then is settled anew.
   * @param floorTokens what a session of this role starts with.
   * @param known the harness's own figure; undefined when it has none.
   */
  startedWith(model: string, floorTokens: number, known: number | undefined): void {
    const { source, window } = this.believed(model);
    if (source !== "learned" || window > floorTokens) return;
    this.#learned.forget(this.#endpoint, model);
    this.#bounds.delete(model);
    this.#options.onNotice(this.#texts.learnedDropped(window, floorTokens));
    this.settle(model, known === window ? undefined : known);
  }

  /** Without a figure the last accepted request is one, unless the handoff line under it left no room to work. */
  #usable(acceptedTokens: number, floorTokens = 0): number | undefined {
    return acceptedTokens - this.#options.headroom > 2 * floorTokens ? acceptedTokens : undefined;
  }

  get #texts(): NoticeTexts {
    return NOTICE_TEXTS[this.#options.locale];
  }

  get #endpoint(): string | undefined {
    return this.#options.env["ANTHROPIC_BASE_URL"];
  }

  #believe(model: string, known?: number): BelievedWindow {
    const { option, env } = this.#options;
    const learned = this.#learned.get(this.#endpoint, model);
    return believedWindow({
      ...(option === undefined ? {} : { option }),
      env,
      ...(learned === undefined ? {} : { learned }),
      ...(known === undefined ? {} : { known }),
      model,
    });
  }

  #bounded(model: string, belief: BelievedWindow): BelievedWindow {
    const bound = this.#bounds.get(model);
    if (bound === undefined || bound >= belief.window) return belief;
    return { window: bound, source: "learned", certain: true };
  }
}

/** Where windows that endpoints stated are kept for later runs; for `LearnedWindows.open`. */
export function learnedWindowsPath(places: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}): string {
  return join(userConfigDir(places), "windows.json");
}
