/** A line that is being typed; it may hold newlines. */
export interface EditedLine {
  readonly text: string;
  /** Place of the cursor, in UTF-16 units, never inside a character. */
  readonly cursor: number;
  /** Which earlier line is shown, counted back from the newest; 0 = the one that is new. */
  readonly back: number;
  /** What was typed before an earlier line was looked at. */
  readonly draft: string;
}

/** What a key does to the line. */
export type EditKey =
  | { readonly do: "insert"; readonly text: string }
  | { readonly do: "move"; readonly to: "left" | "right" | "wordLeft" | "wordRight" | "start" | "end" }
  | { readonly do: "erase"; readonly to: "left" | "right" | "wordLeft" | "start" | "end" }
  | { readonly do: "history"; readonly by: 1 | -1 };

/** Nothing typed yet. */
export const EMPTY_LINE: EditedLine = { text: "", cursor: 0, back: 0, draft: "" };

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * The line after a key.
 * @param history earlier lines, oldest first.
 */
export function edited(line: EditedLine, key: EditKey, history: readonly string[]): EditedLine {
  const { text, cursor } = line;
  switch (key.do) {
    case "insert":
      return {
        ...line,
        text: text.slice(0, cursor) + key.text + text.slice(cursor),
        cursor: cursor + key.text.length,
      };
    case "move":
      return { ...line, cursor: target(line, key.to) };
    case "erase": {
      const place = target(line, key.to);
      const [from, to] = place < cursor ? [place, cursor] : [cursor, place];
      return { ...line, text: text.slice(0, from) + text.slice(to), cursor: from };
    }
    case "history": {
      const back = Math.min(history.length, Math.max(0, line.back + key.by));
      if (back === line.back) return line;
      const draft = line.back === 0 ? text : line.draft;
      const shown = back === 0 ? draft : (history[history.length - back] ?? "");
      return { text: shown, cursor: shown.length, back, draft };
    }
  }
}

/** Where a movement ends. Characters are what a person sees as one, also when they are made of several code points. */
function target({ text, cursor }: EditedLine, to: string): number {
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  switch (to) {
    case "left": {
      // No character goes over the end of a line; of a long message its last line is enough.
      const line = before.slice(cursor < 2 ? 0 : before.lastIndexOf("\n", cursor - 2) + 1);
      return cursor - ([...CHARACTERS.segment(line)].at(-1)?.segment.length ?? 0);
    }
    case "right":
      return cursor + (CHARACTERS.segment(after)[Symbol.iterator]().next().value?.segment.length ?? 0);
    case "wordLeft":
      return [...WORDS.segment(before)].findLast(({ isWordLike }) => isWordLike)?.index ?? 0;
    case "wordRight": {
      const word = [...WORDS.segment(after)].find(({ isWordLike }) => isWordLike);
      return word === undefined ? text.length : cursor + word.index + word.segment.length;
    }
    case "start":
      return 0;
    default:
      return text.length;
  }
}
