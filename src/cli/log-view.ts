import { transcriptText } from "../context/transcript-text.ts";
import type { Entry } from "../context/transcript.ts";
import { FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";
import type { LineageView } from "../runtime/read-run.ts";
import type { SessionSummary } from "../runtime/sessions.ts";
import { lineageStepOf } from "../runtime/step-name.ts";

/**
 * The one id that is meant: itself, or what it begins with.
 * @param what in the message, e.g. `session`.
 * @param nextStep how to find ids.
 * @throws FlowerError `workspace` when none or several are meant.
 */
export function pickId(
  ids: readonly string[],
  wanted: string,
  { what, nextStep }: { what: string; nextStep: string },
): string {
  if (ids.includes(wanted)) return wanted;
  const [first, second] = wanted === "" ? [] : ids.filter((id) => id.startsWith(wanted));
  if (first !== undefined && second === undefined) return first;
  const count = first === undefined ? `no ${what} ${wanted}` : `more than one ${what} begins with ${wanted}`;
  throw new FlowerError("workspace", stripControl(count), { nextStep });
}

/**
 * The session that a person wants to read unasked: the one that works, else the last one used.
 * Undefined when there is none.
 */
export function lastWorkSession(
  sessions: readonly SessionSummary[],
  lineage: LineageView | undefined,
): string | undefined {
  const known = lineage?.steps["work"]?.sessionId;
  const isWork = ({ step }: SessionSummary): boolean =>
    step !== null && lineageStepOf(step) === "work" && !step.includes("·");
  const works = sessions.findLast((session) => session.sessionId === known) ?? sessions.findLast(isWork);
  return (works ?? sessions.at(-1))?.sessionId;
}

/** The last `count` entries that have something to read, with all that belongs to them; undefined = all. */
export function tailOf<T extends Entry>(entries: readonly T[], count: number | undefined): readonly T[] {
  if (count === undefined) return entries;
  const readable = entries.flatMap((entry, i) => (transcriptText([entry]).trim() === "" ? [] : [i]));
  return entries.slice(readable.at(-count) ?? 0);
}
