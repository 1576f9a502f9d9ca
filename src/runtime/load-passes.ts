import { isGlance } from "../context/glance.ts";
import { rewritePasses } from "../context/rewrite.ts";
import { interruptedNote, staleNote } from "../documents/wording.ts";
import type { ResolvedOptions } from "./options.ts";

/** How histories are rewritten on their way into a session, by a runtime's options. */
export function loadPasses(
  { expire, trim, keepDenials, locale }: Pick<ResolvedOptions, "expire" | "trim" | "keepDenials" | "locale">,
  spill: (text: string) => string | undefined,
): ReturnType<typeof rewritePasses> {
  return rewritePasses({
    notes: {
      stale: (command, rounds) => staleNote(command, rounds, locale),
      interrupted: interruptedNote(locale),
    },
    ...(expire ? { isGlance } : {}),
    ...(trim ? { spill } : {}),
    keepDenials,
  });
}
