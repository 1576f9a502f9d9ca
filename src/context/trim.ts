import { allButNewest, type Pass } from "./rewrite-pass.ts";
import { replaceResults } from "./transcript-edit.ts";
import { exchangesOf, mayRewrite } from "./transcript.ts";

/** Large results that stay whole. */
const KEEP_LARGE = 20;

/** Length from which a text result is large, characters. */
export const TRIM_MIN_CHARS = 2_000;

/** How old large results are replaced. */
export interface TrimPolicy {
  /** Newest large results that stay whole. Default 20. */
  keep?: number;
  /** Length from which a text result is large, characters. Default 2,000. */
  minChars?: number;
  /** Keeps a text and returns the pointer that names its place; undefined = not kept, then the result stays. */
  spill: (text: string) => string | undefined;
}

/** Old large text results become pointers; results that hold more than text stay. */
export function trim({ keep = KEEP_LARGE, minChars = TRIM_MIN_CHARS, spill }: TrimPolicy): Pass {
  return (entries) => {
    const large = exchangesOf(entries).flatMap(({ id, answer }) =>
      answer?.text !== undefined && answer.text.length >= minChars && mayRewrite(answer.entry)
        ? [{ id, text: answer.text }]
        : [],
    );
    const pointers = new Map<string, string>();
    let charsSaved = 0;
    for (const { id, text } of allButNewest(large, keep)) {
      const pointer = spill(text);
      // A pointer that is large itself would be trimmed again at the next resume.
      if (pointer === undefined || pointer.length >= minChars) continue;
      pointers.set(id, pointer);
      charsSaved += text.length - pointer.length;
    }
    return { entries: replaceResults(entries, pointers), done: { trimmed: pointers.size, charsSaved } };
  };
}
