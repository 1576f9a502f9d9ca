import { isGlance as isGlanceCommand } from "./glance.ts";
import type { ExpirePolicy } from "./policies.ts";
import { passOf, type Pass } from "./rewrite-pass.ts";
import { isSpillPointer } from "./spill-text.ts";
import { mayRewrite, type Exchange } from "./transcript.ts";

/** Glance results that stay: the newest still describe what is there. */
const KEEP_GLANCES = 6;

/** {@link ExpirePolicy} with the words and what the other passes do. */
export interface ExpireOptions extends ExpirePolicy {
  /** What stands where the result was; `rounds` is how many of the model's messages ago it came. */
  note: (command: string, rounds: number) => string;
  /** Results of at least this many characters are left to trim; absent when trim is off: then any length expires. */
  trimMinChars?: number;
  /** The text of results that an interruption left and that carry no mark of it. */
  interruptedNote?: string;
}

/**
 * Old results of glance commands become a note: what they say about the workspace is no longer so. Refused calls are
 * no glances, and neither are interrupted ones: both never looked. Nothing is archived. Branches that were left stay.
 */
export function expireGlances(options: ExpireOptions): Pass {
  const { keep = KEEP_GLANCES, isGlance = isGlanceCommand, note, trimMinChars, interruptedNote } = options;
  const staysAnyway = (command: string, text: string): boolean =>
    (trimMinChars !== undefined && text.length >= trimMinChars) ||
    // What trim made of a large one: the only way to what lies on disk.
    isSpillPointer(text) ||
    // A note of an earlier rewrite; a fork stores such notes.
    isSameButNumbers(text, note(command, 0));

  return passOf((draft) => {
    const notes = new Map<string, string>();
    let charsSaved = 0;
    let kept = 0;
    // From the newest: once enough are kept, a command is judged only where that decides about its result.
    for (const call of draft.calls.toReversed()) {
      const look = lookOf(call, interruptedNote);
      if (look === undefined) continue;
      const rounds = draft.roundsAgo(call);
      if (rounds === undefined) continue;
      const { command, text } = look;
      if (kept < keep) kept += isGlance(command) ? 1 : 0;
      else if (!staysAnyway(command, text) && isGlance(command)) {
        const stale = note(command, rounds);
        notes.set(call.id, stale);
        charsSaved += text.length - stale.length;
      }
    }
    draft.replaceResults(notes);
    return { expired: notes.size, charsSaved };
  });
}

/** A shell command that ran, with what it printed; undefined for other calls and for what must stay. */
function lookOf(
  { name, input, answer }: Exchange,
  interruptedNote: string | undefined,
): { command: string; text: string } | undefined {
  const command = input["command"];
  if (name !== "Bash" || typeof command !== "string" || answer?.text === undefined) return undefined;
  if (answer.denial !== undefined || answer.text === interruptedNote || !mayRewrite(answer.entry))
    return undefined;
  return { command, text: answer.text };
}

/** True when two texts differ in the digits of their numbers at most. Ends at the first difference: most have one at once. */
function isSameButNumbers(one: string, other: string): boolean {
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [a, b] = [numberEnd(one, i), numberEnd(other, j)];
    if (a > i !== b > j) return false;
    if (a === i && one.charCodeAt(i) !== other.charCodeAt(j)) return false;
    i = a > i ? a : i + 1;
    j = b > j ? b : j + 1;
  }
  return true;
}

/** Where the digits end that begin at a place; the place itself when there are none. */
function numberEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && /\d/.test(text.charAt(end))) end += 1;
  return end;
}
