import stringWidth from "string-width";
import type { EditedLine } from "./edit.ts";

/** The line that is typed, as it stands on the screen. */
export interface InputRows {
  readonly rows: readonly string[];
  /** Of the cursor: column and row, from 0. */
  readonly cursor: { readonly x: number; readonly y: number };
}

/** Rows of a message that are shown while it is typed. */
const SHOWN_ROWS = 5;
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Breaks what is typed behind a prompt into rows of so many columns; of a long message the rows up to the cursor, or
 * the first ones. Lines that are not shown are not looked at: somebody may paste thousands.
 * @param columns of the terminal; one stays free for the cursor behind the last character.
 * @param shownRows rows at most. Default 5.
 */
export function inputRows(
  { text, cursor }: EditedLine,
  prompt: string,
  columns: number,
  shownRows = SHOWN_ROWS,
): InputRows {
  const room = Math.max(4, columns - 1);
  const rowsOf = (from: number, to: number): string[] =>
    broken((from === 0 ? prompt : "") + text.slice(from, to), room);
  const start = lineStart(text, cursor);
  const here = rowsOf(start, lineEnd(text, cursor));
  const before = rowsOf(start, cursor);
  const at = before.length - 1;

  let above = here.slice(0, at);
  for (let from = start; from > 0 && above.length < shownRows - 1;) {
    const to = from - 1;
    from = lineStart(text, to);
    above = [...rowsOf(from, to), ...above];
  }
  above = above.slice(Math.max(0, above.length - shownRows + 1));
  // The last row may be longer than what stands before the cursor.
  let rows = [...above, ...here.slice(at)];
  for (let to = lineEnd(text, cursor); to < text.length && rows.length < shownRows;) {
    const from = to + 1;
    to = lineEnd(text, from);
    rows = [...rows, ...rowsOf(from, to)];
  }
  return {
    rows: rows.slice(0, shownRows),
    cursor: { x: stringWidth(before[at] ?? ""), y: above.length },
  };
}

const lineStart = (text: string, place: number): number =>
  place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;

function lineEnd(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  return end < 0 ? text.length : end;
}

/** Most characters need no look at tables. */
const cellsOf = (character: string): number =>
  character >= " " && character <= "~" ? character.length : stringWidth(character);

/** A line without line ends in rows; one at least. */
function broken(line: string, room: number): string[] {
  // A tab goes as far as the terminal likes; here it is a blank.
  const flat = line.replaceAll("\t", " ");
  if (flat === "") return [""];
  if (!/[^\u0020-\u007e]/.test(flat))
    return Array.from({ length: Math.ceil(flat.length / room) }, (_, i) =>
      flat.slice(i * room, (i + 1) * room),
    );
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const { segment } of CHARACTERS.segment(flat)) {
    const cells = cellsOf(segment);
    if (width + cells > room) {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += segment;
    width += cells;
  }
  return [...rows, row];
}
