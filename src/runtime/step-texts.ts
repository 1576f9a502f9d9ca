import type { Turn } from "./turn.ts";

/** A step whose session goes in circles. */
export const CIRCLES =
  "the session made the same calls again and again, with the same results, also after it was told so: look at what " +
  "is in its way, then run again with a word about it";

/** A step whose new sessions start above the handoff line. */
export function aboveLine({ floor, line }: Turn): string {
  return (
    `a new session of this step starts with ${floor ?? 0} tokens, and the handoff line is at ${line.at} of ${line.window}: ` +
    "it would hand over for ever. Give it a larger --window, or turn handoffs off with --no-handoff"
  );
}

/** A step that reached its last handoff. */
export function tooManyHandoffs(turn: Turn): string {
  const { maxGenerations, at, window } = turn.line;
  return (
    `${maxGenerations} handoffs in one step, the most it may make: its sessions kept reaching the line at ${at} ` +
    `of ${window} tokens${startsWith(turn)}. Look at its handoff documents for work that goes in circles; ` +
    "for a longer step raise maxGenerations, for fewer handoffs give it a larger --window or none with --no-handoff"
  );
}

function startsWith({ floor }: Turn): string {
  return floor === undefined ? "" : `, from ${floor} at their start`;
}
