import { errorText, FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";

/** Exit codes of the command. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The exit code that an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (!FlowerError.is(error)) return EXIT.failed;
  if (error.code === "usage") return EXIT.usage;
  return error.code === "aborted" ? EXIT.interrupted : EXIT.failed;
}

/** One line for standard error: what was wrong, and what to do. */
export function errorLine(error: unknown): string {
  const next = FlowerError.is(error) && error.nextStep !== undefined ? ` -- ${error.nextStep}` : "";
  return stripControl(`flower: ${errorText(error)}${next}`).replace(/\s*\n\s*/g, " ");
}
