import { describe, expect, it } from "vitest";
import { EMPTY_LINE, edited, type EditKey } from "../../../src/cli/terminal/edit.ts";
import { inputRows } from "../../../src/cli/terminal/input-rows.ts";

const insert = (text: string): EditKey => ({ do: "insert", text });
const move = (to: "left" | "right" | "wordLeft" | "wordRight" | "start" | "end"): EditKey => ({
  do: "move",
  to,
});
const erase = (to: "left" | "right" | "wordLeft" | "start" | "end"): EditKey => ({ do: "erase", to });
const older: EditKey = { do: "history", by: 1 };
const newer: EditKey = { do: "history", by: -1 };

/** The text with `|` where the cursor is. */
const typed = (keys: readonly EditKey[], history: readonly string[] = []): string => {
  const { text, cursor } = keys.reduce((line, key) => edited(line, key, history), EMPTY_LINE);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
};

describe("a line that is typed", () => {
  it.each<[EditKey[], string]>([
    [[insert("ab"), move("left"), insert("x")], "ax|b"],
    [[insert("你好"), move("left"), erase("left")], "|好"],
    // One character for the eye: a family, a letter with its accent, a flag.
    [[insert("a👨‍👩‍👧é🇩🇪"), move("left"), move("left"), erase("left")], "a|é🇩🇪"],
    [[insert("one two three"), erase("wordLeft")], "one two |"],
    [[insert("one two  "), move("wordLeft"), move("wordLeft"), move("wordRight")], "one| two  "],
    [[insert("one two"), move("start"), erase("right"), erase("left")], "|ne two"],
    [[insert("one two"), move("wordLeft"), erase("end")], "one |"],
    [[insert("one two"), move("wordLeft"), erase("start")], "|two"],
    [[insert("x"), move("right"), move("end"), move("start"), move("left")], "|x"],
  ])("%j", (keys, line) => expect(typed(keys)).toBe(line));

  it.each<[EditKey[], string]>([
    [[insert("new"), older], "second|"],
    [[insert("new"), older, older, older], "first|"],
    [[insert("new"), older, older, newer], "second|"],
    [[insert("new"), older, newer, newer], "new|"],
  ])("with earlier lines: %j", (keys, line) => expect(typed(keys, ["first", "second"])).toBe(line));
});

describe("what is typed, on the screen", () => {
  const at = (text: string, columns: number, cursor = text.length) =>
    inputRows({ ...EMPTY_LINE, text, cursor }, "> ", columns);
  it.each<[string, ReturnType<typeof at>, string[], number, number]>([
    ["nothing", at("", 20), ["> "], 2, 0],
    ["a word", at("word", 20), ["> word"], 6, 0],
    ["wide characters take two columns and are not cut in two", at("中文字", 8), ["> 中文", "字"], 2, 1],
    ["a tab is a blank", at("a\tb", 20), ["> a b"], 5, 0],
    ["a line end", at("a\nb", 20), ["> a", "b"], 1, 1],
    ["the cursor in the middle", at("abcdef", 7, 3), ["> abcd", "ef"], 5, 0],
    ["of many rows the last ones", at("1\n2\n3\n4\n5\n6\n7", 20), ["3", "4", "5", "6", "7"], 1, 4],
    ["and those around the cursor", at("1\n2\n3\n4\n5\n6\n7", 20, 0), ["> 1", "2", "3", "4", "5"], 2, 0],
  ])("%s", (_what, { rows, cursor }, expected, x, y) => {
    expect(rows).toEqual(expected);
    expect(cursor).toEqual({ x, y });
  });
});
