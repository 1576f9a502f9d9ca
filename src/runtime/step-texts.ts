import type { StopTexts } from "./stop-texts.ts";
import type { CutReason, Turn } from "./turn.ts";

/** Why a step failed whose turn was cut; undefined when it goes on. */
export function whyCut(
  cut: CutReason | undefined,
  { floor, line }: Turn,
  texts: StopTexts,
): string | undefined {
  switch (cut) {
    case "loop":
      return texts.circles;
    case "floor":
      return texts.aboveLine(floor ?? 0, line.at, line.window);
    case "limit":
      return texts.limitReached;
    case "handoff":
    case "interrupt":
    case undefined:
      return undefined;
  }
}

/** Why a step failed that reached its last handoff. */
export function tooManyHandoffs({ floor, line }: Turn, texts: StopTexts): string {
  return texts.tooManyHandoffs(line.maxGenerations, line.at, line.window, floor);
}

/** Texts one below the other. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}
