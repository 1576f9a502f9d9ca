import { basename } from "node:path";
import type { Locale } from "../core/locale.ts";
import { appendToBrief, endsWithWords } from "../documents/brief.ts";
import type { Goal } from "../documents/goal.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { frozenBrief } from "./clarify.ts";
import { frozenGoal, retireGoal } from "./goal.ts";

/** What a directory holds from earlier runs. */
export interface WakeState {
  /** Nothing of an earlier run is here. */
  fresh: boolean;
  brief?: string;
  goal?: Goal;
  workSessionId?: string;
  /** What the person asked for in the first place, as far as that is known. */
  request?: string;
  /** What the person says, now and at wakings whose words no work session was told. */
  words?: string;
  /** Times woken, this one included; 0 when fresh. */
  woke: number;
}

/** Where the last sessions are noted. */
export interface WakeLineage {
  /** The last session of a step. */
  get(step: string): { sessionId: string } | undefined;
  /** How often the job was woken. */
  readonly woke: number;
  /** Counts one waking more. */
  wake(): void;
  /** What was asked for first. */
  readonly request: string | undefined;
  /** What was said at wakings, the oldest first. */
  readonly words: readonly string[];
  /** Notes words of this waking, before anything is done with them. */
  say(words: string): void;
  /** Those that have still to be put into the brief. */
  readonly wordsForBrief: readonly string[];
  /** As many of them are in the brief now, from the first on. */
  putIntoBrief(count: number): void;
}

/**
 * Looks at what is there, and counts the wake. Words said at waking are appended to the brief; the goal then goes to
 * the archive, to be derived again. What an earlier waking was killed at is made up for.
 * @throws FlowerError `workspace` when a document cannot be read, written or moved.
 */
export function wakeState(
  { lineage, workbench, locale }: { lineage: WakeLineage; workbench: Workbench; locale: Locale },
  words?: string,
): WakeState {
  const found = frozenBrief(workbench);
  const work = lineage.get("work");
  const begun = work ?? lineage.get("clarify");
  const isFresh = found === undefined && begun === undefined && lineage.request === undefined;
  if (isFresh && frozenGoal(workbench) === undefined) return { fresh: true, woke: 0 };
  lineage.wake();
  if (words !== undefined) lineage.say(words);
  const brief = found === undefined ? undefined : withWords({ lineage, workbench, locale }, found.text);
  const goal = frozenGoal(workbench);
  return {
    fresh: false,
    woke: lineage.woke,
    ...(brief === undefined ? {} : { brief }),
    ...(goal === undefined ? {} : { goal }),
    ...(work === undefined ? {} : { workSessionId: work.sessionId }),
    ...(lineage.request === undefined ? {} : { request: lineage.request }),
    ...(lineage.words.length === 0 ? {} : { words: lineage.words.join("\n\n") }),
  };
}

/** The brief with all words in it. The goal goes first: as long as the brief has not changed, this is done again. */
function withWords(
  { lineage, workbench, locale }: { lineage: WakeLineage; workbench: Workbench; locale: Locale },
  found: string,
): string {
  let brief = found;
  for (const words of [...lineage.wordsForBrief]) {
    retireGoal(workbench);
    // Or the process was killed before that was noted.
    if (!endsWithWords(brief, words)) brief = addToBrief({ workbench, locale }, words) ?? brief;
    lineage.putIntoBrief(1);
  }
  return brief;
}

/**
 * Appends a person's words to the frozen brief.
 * @returns the brief as it is now; undefined when there is none yet.
 * @throws FlowerError `workspace` when it cannot be read or written.
 */
export function addToBrief(
  { workbench, locale }: { workbench: Workbench; locale: Locale },
  words: string,
): string | undefined {
  const found = frozenBrief(workbench);
  if (found === undefined) return undefined;
  const brief = appendToBrief(found.text, words, new Date(), locale);
  workbench.freezeDocument(basename(found.path), brief);
  return brief;
}
