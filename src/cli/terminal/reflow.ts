import stringWidth from "string-width";
import type { Shown } from "./view.ts";

/**
 * What a terminal does with rows that stand there when it gets narrower. `all`: breaks them anew; `notCursor`: all but
 * the one with the cursor, which it cuts; `none`: cuts them.
 */
export type Reflow = "all" | "notCursor" | "none";

/** Programs made with xterm.js, by what they say in `TERM_PROGRAM`. */
const XTERM_JS: ReadonlySet<string> = new Set(["vscode", "Hyper", "Tabby"]);

/**
 * Nothing that a terminal answers tells it, so it goes by the few that are known to be different: xterm, st and GNU
 * screen cut. tmux breaks anew, wherever it runs.
 */
export function reflowOf(env: Readonly<Record<string, string | undefined>>): Reflow {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("TMUX")) return "all";
  if (isSet("XTERM_VERSION") || isSet("STY") || /^st(?:-|$)/.test(env["TERM"] ?? "")) return "none";
  return XTERM_JS.has(env["TERM_PROGRAM"] ?? "") ? "notCursor" : "all";
}

/**
 * How many rows the cursor stands below the first drawn one, after a terminal of so many columns has done as it does.
 * Nothing above them is flower's.
 */
export function rowsAboveCursor({ status, input }: Shown, columns: number, reflow: Reflow): number {
  const above = [...status.map(({ text }) => text), ...input.rows.slice(0, input.cursor.y)];
  if (reflow === "none") return above.length;
  const rows = above.reduce((sum, text) => sum + brokenRows(text, columns), 0);
  return reflow === "all" ? rows + Math.floor(input.cursor.x / columns) : rows;
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Rows that a text takes; a wide character that does not fit goes to the next one whole. */
function brokenRows(text: string, columns: number): number {
  if (stringWidth(text) <= columns) return 1;
  let rows = 1;
  let used = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    const cells = stringWidth(segment);
    if (used + cells > columns) {
      rows += 1;
      used = 0;
    }
    used += cells;
  }
  return rows;
}
