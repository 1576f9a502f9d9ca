import type { CutReason, Turn } from "./turn.ts";

/** Why a step failed whose turn was cut; undefined when it goes on. */
export function whyCut(cut: CutReason | undefined, turn: Turn): string | undefined {
  switch (cut) {
    case "loop":
      return CIRCLES;
    case "floor":
      return aboveLine(turn);
    case "limit":
      return LIMIT_REACHED;
    case "handoff":
    case "interrupt":
    case undefined:
      return undefined;
  }
}

/** A step that used up its turns or its budget. */
export const LIMIT_REACHED =
  "the limit of this step (turns or budget) is used up: run again with a larger one, it goes on where it stopped";

const CIRCLES =
  "the session made the same calls again and again, with the same results, also after it was told so: look at what " +
  "is in its way, then run again with a word about it";

/** A step whose new sessions start above the handoff line. */
function aboveLine({ floor, line }: Turn): string {
  return (
    `a new session of this step starts with ${floor ?? 0} tokens, and the handoff line is at ${line.at} of ${line.window}: ` +
    "it would hand over for ever. Give it a larger --window, or turn handoffs off with --no-handoff"
  );
}

/** A step whose new sessions do not even get their first request through. */
export function startTooLarge(what: string, statedTokens?: number): string {
  const stated = statedTokens === undefined ? "" : `; the endpoint takes ${statedTokens} tokens`;
  return (
    `the first request of a new session does not fit (${what}${stated}), and the next one would start with the same: ` +
    "use a model or a server setting with a larger window, or fewer tools and a shorter prompt"
  );
}

/** Texts one below the other. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
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
