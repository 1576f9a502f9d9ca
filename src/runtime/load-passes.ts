import { isGlance } from "../context/glance.ts";
import { rewritePasses, type RewriteReport } from "../context/rewrite.ts";
import { interruptedNote, staleNote } from "../documents/wording.ts";
import type { ResolvedOptions } from "./options.ts";

/**
 * How histories are rewritten on their way into a session, by a runtime's options. `say` hears what was done to that of
 * a main thread, in one line; nothing when nothing was.
 */
export function loadPasses(
  { expire, trim, keepDenials, locale }: Pick<ResolvedOptions, "expire" | "trim" | "keepDenials" | "locale">,
  spill: (text: string) => string | undefined,
  say: (message: string) => void = () => undefined,
): ReturnType<typeof rewritePasses> {
  return rewritePasses(
    {
      notes: {
        stale: (command, rounds) => staleNote(command, rounds, locale),
        interrupted: interruptedNote(locale),
      },
      ...(expire ? { isGlance } : {}),
      ...(trim ? { spill } : {}),
      keepDenials,
    },
    (report, entries) => {
      const message = rewriteMessage(report);
      // The harness loads the transcript of every subagent as well.
      const ofSubagent = entries.some((entry) => entry["isSidechain"] === true);
      if (message !== undefined && !ofSubagent) say(message);
    },
  );
}

/** What a rewrite did, in one line; undefined when that is nothing. */
export function rewriteMessage(report: RewriteReport): string | undefined {
  const { expired, trimmed, denialsPruned, residuePruned, bridged, repaired, charsSaved } = report;
  const parts = [
    counted(expired, "old look", "old looks", "expired"),
    counted(trimmed, "long result", "long results", "trimmed"),
    counted(denialsPruned, "refused call", "refused calls", "removed"),
    counted(residuePruned, "leftover of an error", "leftovers of errors", "removed"),
    counted(bridged, "lost parent", "lost parents", "bridged"),
    counted(repaired, "open call", "open calls", "closed"),
  ].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return `the history was rewritten for this resume: ${parts.join(", ")}; ${Math.max(0, charsSaved)} characters less`;
}

const counted = (count: number, one: string, several: string, done: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : several} ${done}`;
