import { appendToBrief } from "../documents/brief.ts";
import { basename } from "node:path";
import type { Locale } from "../core/locale.ts";
import type { Goal } from "../documents/goal.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { frozenBrief } from "./clarify.ts";
import { frozenGoal } from "./goal.ts";

/** What a directory holds from earlier runs. */
export interface WakeState {
  /** Nothing of an earlier run is here. */
  fresh: boolean;
  brief?: string;
  goal?: Goal;
  workSessionId?: string;
  /** Times woken, this one included; 0 when fresh. */
  woke: number;
}

/** Where the last sessions are noted. */
export interface WakeLineage {
  get(step: string): { sessionId: string } | undefined;
  readonly woke: number;
  wake(): void;
}

/**
 * Looks at what is there. Words said at waking are appended to the brief, and the goal is derived again: it is left
 * out of the state.
 */
export function wakeState(
  { lineage, workbench, locale }: { lineage: WakeLineage; workbench: Workbench; locale: Locale },
  words?: string,
): WakeState {
  const found = frozenBrief(workbench);
  const goal = frozenGoal(workbench);
  const work = lineage.get("work");
  if (found === undefined && goal === undefined && work === undefined) return { fresh: true, woke: 0 };
  lineage.wake();
  let brief = found?.text;
  if (found !== undefined && words !== undefined) {
    brief = appendToBrief(found.text, words, new Date(), locale);
    workbench.freezeDocument(basename(found.path), brief);
  }
  return {
    fresh: false,
    woke: lineage.woke,
    ...(brief === undefined ? {} : { brief }),
    ...(goal === undefined || words !== undefined ? {} : { goal }),
    ...(work === undefined ? {} : { workSessionId: work.sessionId }),
  };
}
