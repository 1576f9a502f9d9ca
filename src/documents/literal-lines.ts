import { headingAt, WEAK, type Known } from "./known-headings.ts";
import { FACTS_LINE } from "./wording.ts";

/** What may stand before a fence: quotes and list marks, in any order. Then backslashes, then the fence. */
const FENCE = /^((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)(\\*)(?=`{3,}[^`]*$|~{3,})/;
const HASHES = /^(\s*)(\\*)(?=#)/;
const UNDERLINE = /^( {0,3})(\\*)(?=(?:=+|-+)\s*$)/;

/** How the Facts part begins, by which copies of it are told. */
const GENERATION = new RegExp(`^(\\s*)(\\\\*)(?=${FACTS_LINE})`);

/**
 * A section's text with a backslash before every line that would be read as a heading of the document, as the beginning
 * of its Facts or as a fence:
 * text that a document quotes must not change its structure. Markdown does not show the backslash.
 */
export function escapeLines(text: string, known: Known): string {
  const escaped: string[] = [];
  for (const line of text.split("\n")) {
    const mark = markAt(line, escaped.at(-1) ?? "", known);
    escaped.push(mark === undefined ? line : `${mark.before}\\${line.slice(mark.before.length)}`);
  }
  return escaped.join("\n");
}

/** Takes back {@link escapeLines}. */
export function unescapeLines(text: string, known: Known): string {
  const lines = text.split("\n");
  return lines
    .map((line, at) => {
      const mark = markAt(line, lines[at - 1] ?? "", known);
      return mark === undefined || mark.backslashes === 0
        ? line
        : mark.before + line.slice(mark.before.length + 1);
    })
    .join("\n");
}

/**
 * Where the backslash of a line stands or is to stand. `previous` is the escaped line before it in both directions,
 * else they would not be each other's reverse.
 */
function markAt(
  line: string,
  previous: string,
  known: Known,
): { before: string; backslashes: number } | undefined {
  const bare = ([, before = "", backslashes = ""]: RegExpExecArray): string =>
    before + line.slice(before.length + backslashes.length);
  const hashes = HASHES.exec(line);
  const underline = UNDERLINE.exec(line);
  const isHeading = hashes !== null && (headingAt([bare(hashes)], 0, known)?.rank ?? WEAK) < WEAK;
  const underlines = underline !== null && headingAt([previous, bare(underline)], 0, known)?.lines === 2;
  const found = isHeading ? hashes : underlines ? underline : (FENCE.exec(line) ?? GENERATION.exec(line));
  return found === null ? undefined : { before: found[1] ?? "", backslashes: (found[2] ?? "").length };
}
