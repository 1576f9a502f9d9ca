import { stripControl } from "../core/terminal-text.ts";
import type { Trial } from "../runtime/trial-reply.ts";
import type { TrialTexts } from "./trial-texts.ts";

/** How bad something is: fine, worth knowing, or in the way of a run. */
export type Level = "ok" | "note" | "wrong";

/** A line about something that was looked at; `todo`: what the person can do. */
export interface Finding {
  level: Level;
  text: string;
  todo?: string;
}

const LEVELS: Partial<Record<Trial["kind"], Level>> = { works: "ok", limited: "note", busy: "note" };

/** An endpoint's answer in plain words. Whatever of `secrets` an endpoint repeats is taken out. */
export function trialFinding(trial: Trial, texts: TrialTexts, secrets: readonly string[]): Finding {
  // The table has the function for each kind; the compiler cannot pair them.
  const say = texts[trial.kind] as (of: Trial) => readonly [text: string, todo?: string];
  const [text, todo] = say(trial);
  const shown = secrets
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), stripControl(text).replaceAll("\n", " "));
  return { level: LEVELS[trial.kind] ?? "wrong", text: shown, ...(todo === undefined ? {} : { todo }) };
}
