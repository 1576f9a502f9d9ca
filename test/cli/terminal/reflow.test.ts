import { expect, it } from "vitest";
import { areaColumns } from "../../../src/cli/terminal/live.ts";
import { reflowOf, rowsAboveCursor } from "../../../src/cli/terminal/reflow.ts";

it("rows that a narrower terminal breaks are counted down to the cursor, those that it cuts are not", () => {
  const status = ["-".repeat(79), "short", "中".repeat(30)].map((text) => ({ text, tone: "plain" as const }));
  const input = { rows: [`> ${"a".repeat(60)}`, "b"], cursor: { x: 50, y: 0 } };
  const below = { ...input, cursor: { x: 1, y: 1 } };
  expect(rowsAboveCursor({ status, input }, 80, "all")).toBe(3);
  expect(rowsAboveCursor({ status, input }, 40, "all")).toBe(2 + 1 + 2 + 1);
  expect(rowsAboveCursor({ status, input }, 40, "notCursor")).toBe(2 + 1 + 2);
  expect(rowsAboveCursor({ status, input: below }, 40, "all")).toBe(2 + 1 + 2 + 2);
  expect(rowsAboveCursor({ status, input: below }, 40, "none")).toBe(4);
  // Ten wide characters in 21 columns: the eleventh goes to the next row whole.
  expect(rowsAboveCursor({ status: status.slice(2), input }, 21, "notCursor")).toBe(3);
});

it.each([
  [{}, "all"],
  [{ TERM: "xterm-256color" }, "all"],
  [{ TERM: "xterm", XTERM_VERSION: "XTerm(390)" }, "none"],
  [{ TERM: "tmux-256color", XTERM_VERSION: "XTerm(390)", TMUX: "/tmp/t,1,0" }, "all"],
  [{ TERM: "screen", STY: "1.tty" }, "none"],
  [{ TERM: "st-256color" }, "none"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "notCursor"],
])("a terminal with %j: %s", (env, reflow) => expect(reflowOf(env)).toBe(reflow));

it.each([
  [200, 79],
  [80, 79],
  [79, 69],
  [62, 59],
  [20, 19],
  [19, 18],
  [1, 1],
])("a window of %i columns has an area of %i", (columns, wide) => expect(areaColumns(columns)).toBe(wide));
