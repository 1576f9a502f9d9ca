import { FlowerError } from "../core/errors.ts";

/** Where the belief about a window comes from, strongest first. */
export type WindowSource = "option" | "FLOWER_WINDOW" | "learned" | "model name" | "harness" | "assumed";

/** A window in tokens, and why it is believed. */
export interface BelievedWindow {
  window: number;
  source: WindowSource;
  /** False: worth asking the harness, which may know the model. */
  certain: boolean;
}

/** What is known about a model's window. */
export interface WindowFacts {
  /** `--window` or the handoff policy's own. */
  option?: number;
  env: Readonly<Record<string, string | undefined>>;
  /** What an overflow of the same endpoint and model stated. */
  learned?: number;
  /** The harness's figure for a model that it knows. */
  known?: number;
  /** The step's model; unset or empty = what the environment says. */
  model?: string;
}

/** `1m` as a word: `claude-opus-5[1m]`, `opus-1m`; not `claude-1mini`, not `model-4.1m`. */
const ONE_MILLION = /(?:^|[^a-z0-9.])1m(?:[^a-z0-9]|$)/i;

/**
 * How large the window is, by the first source that says so: option, `FLOWER_WINDOW`, learned, `1m` in the model's
 * name, the harness, `haiku` in the name, else 1,000,000, assumed.
 * @throws FlowerError `usage` when `FLOWER_WINDOW` is no positive number.
 */
export function believedWindow(facts: WindowFacts): BelievedWindow {
  const { env } = facts;
  if (facts.option !== undefined) return { window: facts.option, source: "option", certain: true };
  const set = env["FLOWER_WINDOW"];
  if (set !== undefined && set !== "")
    return { window: windowFromEnv(set), source: "FLOWER_WINDOW", certain: true };
  if (facts.learned !== undefined) return { window: facts.learned, source: "learned", certain: true };
  const names = modelNames(facts);
  if (names.some((name) => ONE_MILLION.test(name)))
    return { window: 1_000_000, source: "model name", certain: true };
  if (facts.known !== undefined) return { window: facts.known, source: "harness", certain: true };
  if (/haiku/i.test(names[0] ?? "")) return { window: 200_000, source: "model name", certain: false };
  return { window: 1_000_000, source: "assumed", certain: false };
}

/** Names that may tell the window, the model's own first. A model of the step's own is not judged by another's name. */
function modelNames({ model = "", env }: WindowFacts): string[] {
  const { ANTHROPIC_MODEL: ofEnv = "", ANTHROPIC_DEFAULT_OPUS_MODEL: opus = "" } = env;
  if (model === "opus") return [model, opus];
  if (model !== "" && model !== ofEnv) return [model];
  return [ofEnv, opus].filter((name) => name !== "");
}

/** {@link believedWindow} from an environment alone, in tokens. */
export function defaultWindow(env: Readonly<Record<string, string | undefined>> = process.env): number {
  return believedWindow({ env }).window;
}

function windowFromEnv(value: string): number {
  const window = parseWindow(value);
  if (window === undefined)
    throw new FlowerError(
      "usage",
      `FLOWER_WINDOW must be a positive number of tokens, got ${JSON.stringify(value)}`,
      {
        nextStep: "set it to a number such as 200000 or 200k, or unset it",
      },
    );
  return window;
}

/** Tokens of `200000`, `200_000`, `200k` or `1m`; undefined for anything else, zero and fractions of a token too. */
export function parseWindow(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d[\d_]*(?:\.\d+)?)([km]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const factor = { k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  const window = Number(digits.replaceAll("_", "")) * factor;
  return Number.isSafeInteger(window) && window > 0 ? window : undefined;
}
