import { expect, it } from "vitest";
import { countLines, hasLongLines, pagedCopy, pagedPath } from "../../src/context/paged-copy.ts";

const longest = (text: string): number =>
  Math.max(...text.split("\n").map((line) => Buffer.byteLength(line)));

it.each<[string, string]>([
  ["short lines", "a\n".repeat(5_000)],
  ["a line of just that length", "x".repeat(2_000)],
  ["nothing", ""],
])("has no copy of %s", (_, text) => {
  expect(hasLongLines(text)).toBe(false);
  expect(pagedCopy(text)).toBeUndefined();
});

it.each<[string, string]>([
  ["one long line", "word ".repeat(20_000)],
  ["a long line between short ones", `a\n${"x".repeat(2_001)}\nb\n`],
  ["a line long in bytes alone", "花".repeat(700)],
  ["pairs of surrogates", `a${"🌼".repeat(3_000)}`],
  ["what only looks like JSON", `[1, ${"2, ".repeat(2_000)}`],
])("breaks %s and loses nothing", (_, text) => {
  const copy = pagedCopy(text)!;
  expect(longest(copy)).toBeLessThanOrEqual(2_000);
  expect(copy.replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
  expect(Buffer.from(copy).toString()).toBe(copy);
});

it("puts each value of JSON on a line of its own, without changing a digit", () => {
  const value = `{"id":12345678901234567890,"a":[1.0,"x, \\"y\\": [z]\\\\"],"e":{},"fill":[${"1,".repeat(1_500)}1]}`;
  const copy = pagedCopy(value)!;
  expect(copy.split("\n").slice(0, 6)).toEqual([
    "{",
    '  "id": 12345678901234567890,',
    '  "a": [',
    "    1.0,",
    '    "x, \\"y\\": [z]\\\\"',
    "  ],",
  ]);
  expect(JSON.parse(copy)).toEqual(JSON.parse(value));
  expect(longest(copy)).toBeLessThan(100);
});

it("breaks a long text within JSON as well, and survives any depth", () => {
  expect(longest(pagedCopy(JSON.stringify({ text: "x".repeat(9_000) }))!)).toBeLessThanOrEqual(2_000);
  const deep = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
  expect(longest(pagedCopy(deep)!)).toBeLessThan(100);
});

it("lies beside the text", () => {
  expect(pagedPath("/w/spill/0123.txt")).toBe("/w/spill/0123-lines.txt");
});

it.each([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["\n\n", 2],
])("counts the lines of %j", (text, lines) => expect(countLines(text)).toBe(lines));
