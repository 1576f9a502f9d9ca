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
 * Breaks what is typed behind a prompt into rows of so many columns; of a long message the rows around the cursor.
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
  const rows: string[] = [];
  let row = "";
  let width = 0;
  const place = (character: string): void => {
    const cells = character === "\n" ? 0 : stringWidth(character);
    if (character === "\n" || width + cells > room) {
      rows.push(row);
      row = "";
      width = 0;
    }
    if (character === "\n") return;
    row += character;
    width += cells;
  };
  // A tab goes as far as the terminal likes; here it is a blank.
  const shown = (segment: string): string => (segment === "\t" ? " " : segment);
  for (const { segment } of CHARACTERS.segment(prompt)) place(segment);
  let at = { x: width, y: rows.length };
  for (const { segment, index } of CHARACTERS.segment(text)) {
    place(shown(segment));
    if (index + segment.length <= cursor) at = { x: width, y: rows.length };
  }
  rows.push(row);
  const first = Math.max(0, Math.min(at.y - shownRows + 1, rows.length - shownRows));
  return {
    rows: rows.slice(first, first + shownRows),
    cursor: { x: at.x, y: at.y - first },
  };
}
