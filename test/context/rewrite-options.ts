import * as source from "../../src/context/rewrite.ts";
import type { Entry } from "../../src/context/transcript.ts";

/** A plan with its notes in one list, so that tests name only what they change; denials are pruned. */
export interface RewriteOptions {
  notes: source.RewriteNotes;
  isGlance?: (command: string) => boolean;
  spill?: (text: string) => string | undefined;
  keepDenials?: number;
}

export function rewriteTranscript(
  entries: readonly Entry[],
  { notes, isGlance, spill, keepDenials }: RewriteOptions,
): ReturnType<typeof source.rewriteTranscript> {
  const plan = {
    prune: keepDenials === undefined ? {} : { keep: keepDenials },
    ...(isGlance === undefined ? {} : { expire: { isGlance } }),
    ...(spill === undefined ? {} : { trim: { spill } }),
  };
  return source.rewriteTranscript(entries, plan, notes);
}
