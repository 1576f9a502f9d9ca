import { describe, expect, it } from "vitest";
import { keyReader, type Pressed } from "../../../src/cli/terminal/keys.ts";

/** Reads of raw input, one after the other. */
const read = (...came: string[]): Pressed[] => {
  const reader = keyReader();
  return came.flatMap((text) => reader.read(text));
};
const insert = (text: string): Pressed => ({ do: "insert", text });
const enter: Pressed = { do: "enter" };
const [BEGIN, END] = ["\u001b[200~", "\u001b[201~"];

describe("keys", () => {
  it.each<[string, string[], Pressed[]]>([
    ["letters that came at once", ["你好"], [insert("你好")]],
    ["text with Enter in it, from a script", ["ab\rcd\r"], [insert("ab"), enter, insert("cd"), enter]],
    ["a line feed is Enter too", ["ab\n"], [insert("ab"), enter]],
    ["Ctrl-C behind text", ["ab\u0003"], [insert("ab"), { do: "interrupt" }]],
    ["Ctrl-U in front of text", ["\u0015ab"], [{ do: "erase", to: "start" }, insert("ab")]],
    ["Backspace among text", ["ab\u007fc"], [insert("ab"), { do: "erase", to: "left" }, insert("c")]],
    ["Ctrl-C alone", ["\u0003"], [{ do: "interrupt" }]],
    ["Enter", ["\r"], [enter]],
    ["Alt-Enter", ["\u001b\r"], [insert("\n")]],
    ["Tab", ["\t"], []],
    [
      "the arrow up, in both modes of the keyboard",
      ["\u001b[A", "\u001bOA"],
      Array(2).fill({ do: "history", by: 1 }),
    ],
    [
      "Ctrl and arrow, Alt and arrow, as several terminals send them",
      ["\u001b[1;5D", "\u001b[1;3D", "\u001b\u001b[D", "\u001bOd", "\u001bb"],
      Array(5).fill({ do: "move", to: "wordLeft" }),
    ],
    ["Shift and arrow", ["\u001b[1;2C"], [{ do: "move", to: "right" }]],
    ["Home", ["\u001b[H", "\u001b[1~", "\u001b[7~", "\u001bOH"], Array(4).fill({ do: "move", to: "start" })],
    ["Backspace", ["\u007f"], [{ do: "erase", to: "left" }]],
    ["Ctrl-H", ["\b"], [{ do: "erase", to: "left" }]],
    [
      "Delete, with and without Ctrl",
      ["\u001b[3~", "\u001b[3;5~"],
      Array(2).fill({ do: "erase", to: "right" }),
    ],
    ["Alt-Backspace", ["\u001b\u007f"], [{ do: "erase", to: "wordLeft" }]],
    [
      "keys and text that came at once",
      ["ab\u001b[D\u001b[3~c\r"],
      [insert("ab"), { do: "move", to: "left" }, { do: "erase", to: "right" }, insert("c"), enter],
    ],
    [
      "keys without a meaning, and answers of a terminal",
      [
        "\u001b[5~",
        "\u001b[15~",
        "\u001bOP",
        "\u001b[[A",
        "\u001b[24;80R",
        "\u001b[?1;2c",
        "\u001b[I",
        "\u001bx",
      ],
      [],
    ],
    [
      "a key that two reads have cut in two",
      ["ab\u001b[", "3~c"],
      [insert("ab"), { do: "erase", to: "right" }, insert("c")],
    ],
    [
      "a paste of several lines is one text",
      [BEGIN, "one\rtwo\nthree", "\r", "\t", "four", END, "\r"],
      [insert("one\ntwo\nthree"), insert("\n\t"), insert("four"), enter],
    ],
    [
      "a whole paste in one read",
      [`a${BEGIN}b\r${END}c\r`],
      [insert("a"), insert("b\n"), insert("c"), enter],
    ],
    [
      "a line end of two characters that two reads have cut",
      [BEGIN, "a\r", "\nb", END],
      [insert("a"), insert("\nb")],
    ],
    [
      "control sequences in a paste are dropped",
      [BEGIN, "a\u001b[31mb\u0007\u202ec\u0003\u001b[3~", END],
      [insert("abc")],
    ],
    ["an end mark that two reads have cut in two", [BEGIN, "xx\u001b[20", "1~", "\r"], [insert("xx"), enter]],
    ["a beginning that was cut, with text behind it", ["\u001b[20", "0~a\rb", END], [insert("a\nb")]],
    [
      "Ctrl-C gets out of a paste that never ends",
      [BEGIN, "xx", "\u0003", "\r"],
      [insert("xx"), { do: "interrupt" }, enter],
    ],
    ["brackets are text", ["[", "2", "a[", "x"], [insert("["), insert("2"), insert("a["), insert("x")]],
  ])("%s", (_what, came, pressed) => expect(read(...came)).toEqual(pressed));

  it("Escape alone takes nothing from the key that follows later", () => {
    const reader = keyReader();
    expect(reader.read("\u001b")).toEqual([]);
    reader.rest();
    expect(reader.read("b")).toEqual([insert("b")]);
  });

  it("a pause in the middle of a paste's end mark is no end", () => {
    const reader = keyReader();
    reader.read(`${BEGIN}x\u001b[2`);
    reader.rest();
    expect(reader.pasting).toBe(true);
    reader.read("01~");
    expect(reader.pasting).toBe(false);
  });
});
