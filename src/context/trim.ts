import { countLines } from "./paged-copy.ts";
import type { TrimPolicy } from "./policies.ts";
import { allButNewest, passOf, type Pass } from "./rewrite-pass.ts";
import { mayRewrite } from "./transcript.ts";

/** Large results that stay whole. */
const KEEP_LARGE = 20;

/** Length from which a text result is large, characters. */
export const TRIM_MIN_CHARS = 2_000;

/** Stands where a result was that nobody keeps in a file. */
const sizeNote = (text: string): string =>
  `[${text.length} characters, ${countLines(text)} lines left out; make the call again if they are needed]`;

/** Old large text results become pointers; results that hold more than text stay. */
export function trimLarge({
  keep = KEEP_LARGE,
  minChars = TRIM_MIN_CHARS,
  spill = sizeNote,
}: TrimPolicy): Pass {
  return passOf((draft) => {
    const large: Array<{ id: string; text: string }> = [];
    for (const call of draft.calls) {
      const { id, answer } = call;
      if (answer?.text === undefined || answer.text.length < minChars || !mayRewrite(answer.entry)) continue;
      if (draft.roundsAgo(call) !== undefined) large.push({ id, text: answer.text });
    }
    const pointers = new Map<string, string>();
    let charsSaved = 0;
    for (const { id, text } of allButNewest(large, keep)) {
      const pointer = spill(text);
      // A pointer that is large itself would be trimmed again at the next resume.
      if (pointer === undefined || pointer.length >= minChars) continue;
      pointers.set(id, pointer);
      charsSaved += text.length - pointer.length;
    }
    draft.replaceResults(pointers);
    return { trimmed: pointers.size, charsSaved };
  });
}
