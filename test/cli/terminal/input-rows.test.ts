import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { EMPTY_LINE, edited } from "../../../src/cli/terminal/edit.ts";
import { inputRows } from "../../../src/cli/terminal/input-rows.ts";
import { keyReader } from "../../../src/cli/terminal/keys.ts";

/** All rows, the simple way; and where the cursor is. */
function allRows(text: string, cursor: number, room: number): { rows: string[]; x: number; y: number } {
  const rows = [""];
  let at = { x: 2, y: 0 };
  let place = -2;
  for (const { segment } of new Intl.Segmenter().segment(`> ${text}`)) {
    const last = rows.at(-1) ?? "";
    if (segment === "\n") rows.push("");
    else if (stringWidth(last) + stringWidth(segment) > room) rows.push(segment);
    else rows[rows.length - 1] = last + segment;
    place += segment.length;
    if (place <= cursor) at = { x: stringWidth(rows.at(-1) ?? ""), y: rows.length - 1 };
  }
  return { rows, ...at };
}

describe("rows of what is typed", () => {
  it.each([
    "",
    "short",
    "\n",
    "\n\n\n\n\n\n\n",
    "a".repeat(45),
    "one\ntwo\n\nfour is longer than a row\nfive\nsix\nseven",
    "中文中文中文中文中文\n👍🏽 é 花花花花花花花花花花花花\nlast",
  ])("%j, wherever the cursor is", (text) => {
    for (const shownRows of [1, 3, 5])
      for (
        let cursor = 0;
        ;
        cursor = edited({ ...EMPTY_LINE, text, cursor }, { do: "move", to: "right" }, []).cursor
      ) {
        const { rows, x, y } = allRows(text, cursor, 15);
        const first = Math.max(0, y - shownRows + 1);
        expect(inputRows({ ...EMPTY_LINE, text, cursor }, "> ", 16, shownRows), `cursor ${cursor}`).toEqual({
          rows: rows.slice(first, first + shownRows),
          cursor: { x, y: y - first },
        });
        if (cursor >= text.length) break;
      }
  });

  it("of a paste in thousands of pieces cost what its size asks for, not its square", () => {
    const pastedMs = (lines: number): number => {
      const reader = keyReader();
      let line = EMPTY_LINE;
      const fromMs = performance.now();
      const pieces = Array.from({ length: lines }, (_, n) => `花 in line ${n} of a paste\r`);
      for (const piece of ["\u001b[200~", ...pieces, "\u001b[201~"]) {
        for (const key of reader.read(piece)) if (key.do === "insert") line = edited(line, key, []);
        if (piece.endsWith("0 of a paste\r") || !reader.pasting) inputRows(line, "> ", 80);
      }
      return performance.now() - fromMs;
    };
    pastedMs(1_000);
    expect(pastedMs(3_000)).toBeLessThan(3 * 3 * Math.max(5, pastedMs(1_000)));
  });
});
