import type { ShellWord } from "./shell-word.ts";

/** Words from braces that nobody looks at any more. */
const MAX_WORDS = 10_000;

/** Whether braces in a word make more words of it than anybody looks at: `{1..99999999}`, `{a,b}` thirty times. */
export function isManyWords({ value, braces }: ShellWord): boolean {
  return braces && countWords(value) > MAX_WORDS;
}

/** How many words braces make of a text; too many is safe here, where quotes are already gone. */
function countWords(text: string): number {
  /** Of each brace that is open, the outermost first: words of the items before, of this item, and its text. */
  const open = [{ before: 0, here: 1, from: 0 }];
  for (let i = 0; i < text.length; i += 1) {
    const inner = open.at(-1);
    if (inner === undefined) break;
    const mark = text.charAt(i);
    if (mark === "{") open.push({ before: 0, here: 1, from: i + 1 });
    else if (mark === "," && open.length > 1) {
      inner.before += inner.here;
      inner.here = 1;
    } else if (mark === "}" && open.length > 1) {
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined)
        outer.here *= inner.before + inner.here * countSteps(text.slice(inner.from, i));
    }
  }
  return open.reduce((count, { before, here }) => count * (before + here), 1);
}

/** Words of a sequence such as `1..9` or `a..z`; 1 for any other text. */
function countSteps(text: string): number {
  const [from = "", to] = text.split("..");
  if (to === undefined || /[{},]/.test(text)) return 1;
  const [first = 0, last = 0] = [from, to].map((end) =>
    /^[-+]?\d+$/.test(end) ? Number(end) : end.charCodeAt(0),
  );
  const steps = Math.abs(first - last) + 1;
  return Number.isNaN(steps) ? 1 : steps;
}
