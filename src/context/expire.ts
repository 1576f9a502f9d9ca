import { isGlance as isGlanceCommand } from "./glance.ts";
import type { ExpirePolicy } from "./policies.ts";
import { allButNewest, type Pass } from "./rewrite-pass.ts";
import { isSpillPointer } from "./spill-text.ts";
import { replaceResults } from "./transcript-edit.ts";
import { exchangesOf, mayRewrite, roundsOf } from "./transcript.ts";

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
 * no glances, and neither are interrupted ones: both never looked. Nothing is archived.
 */
export function expireGlances(options: ExpireOptions): Pass {
  const { keep = KEEP_GLANCES, isGlance = isGlanceCommand, note, trimMinChars, interruptedNote } = options;
  return (entries) => {
    const rounds = roundsOf(entries);
    const lastRound = rounds.at(-1) ?? 0;
    const glances = exchangesOf(entries).flatMap(({ id, name, input, callAt, answer }) => {
      const command = input["command"];
      if (name !== "Bash" || typeof command !== "string" || answer?.text === undefined) return [];
      if (answer.denial !== undefined || answer.text === interruptedNote) return [];
      if (!mayRewrite(answer.entry) || !isGlance(command)) return [];
      return [{ id, command, text: answer.text, age: lastRound - (rounds[callAt] ?? 0) }];
    });
    const notes = new Map<string, string>();
    let charsSaved = 0;
    for (const { id, command, text, age } of allButNewest(glances, keep)) {
      if (trimMinChars !== undefined && text.length >= trimMinChars) continue;
      // What trim made of a large one: the only way to what lies on disk.
      if (isSpillPointer(text)) continue;
      if (withoutNumbers(text) === withoutNumbers(note(command, 0))) continue;
      const stale = note(command, age);
      notes.set(id, stale);
      charsSaved += text.length - stale.length;
    }
    return { entries: replaceResults(entries, notes), done: { expired: notes.size, charsSaved } };
  };
}

/** A note of an earlier rewrite differs from a new one in its number alone; a fork stores such notes. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, "#");
}
