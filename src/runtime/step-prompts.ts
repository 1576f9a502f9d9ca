import type { Origin } from "./step-context.ts";

/** What a step is asked. */
export interface StepPrompts {
  /** Sent first. */
  first: string;
  /** Sent when the session to go on from is gone; undefined = the step fails then. */
  fresh: string | undefined;
}

/** Why a prompt is sent; see the event `prompt`. */
export type PromptKind = "start" | "resume" | "round";

/** A prompt that went out, without the messages that went along: those that did not arrive go with the next one. */
export interface Sent {
  text: string;
  kind: PromptKind;
  /** Epoch ms. */
  sinceMs: number;
}

/** What follows a round; a prompt may be blank when messages wait. */
export type Next =
  | { done: true }
  | { failed: string }
  | { prompt: string; kind: PromptKind; origin: Origin; sameProcess: boolean };
