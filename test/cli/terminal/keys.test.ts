import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { keyReader, type Pressed } from "../../../src/cli/terminal/keys.ts";

const PLAIN: Key = {
  ...{
    upArrow: false,
    downArrow: false,
    leftArrow: false,
    rightArrow: false,
    pageDown: false,
    pageUp: false,
  },
  ...{ home: false, end: false, return: false, escape: false, ctrl: false, shift: false, tab: false },
  ...{ backspace: false, delete: false, meta: false, super: false, hyper: false, capsLock: false },
  numLock: false,
};
type Sent = [input: string, key?: Partial<Key>];

const read = (...sent: Sent[]): Pressed[] => {
  const reader = keyReader();
  return sent.flatMap(([input, key]) => reader(input, { ...PLAIN, ...key }));
};
const insert = (text: string): Pressed => ({ do: "insert", text });

describe("keys", () => {
  it.each<[string, Sent[], Pressed[]]>([
    ["letters that came at once", [["你好"]], [insert("你好")]],
    [
      "text with Enter in it, from a script",
      [["ab\rcd\r"]],
      [insert("ab"), { do: "enter" }, insert("cd"), { do: "enter" }],
    ],
    ["a line feed is Enter too", [["ab\n"]], [insert("ab"), { do: "enter" }]],
    ["Ctrl-C behind text", [["ab\u0003"]], [insert("ab"), { do: "interrupt" }]],
    ["Ctrl-U in front of text", [["\u0015ab"]], [{ do: "erase", to: "start" }, insert("ab")]],
    ["Backspace among text", [["ab\u007fc"]], [insert("ab"), { do: "erase", to: "left" }, insert("c")]],
    ["Ctrl-C alone", [["c", { ctrl: true }]], [{ do: "interrupt" }]],
    ["Enter", [["\r", { return: true }]], [{ do: "enter" }]],
    ["Alt-Enter", [["\r", { return: true, meta: true }]], [insert("\n")]],
    ["the arrow up", [["", { upArrow: true }]], [{ do: "history", by: 1 }]],
    ["Ctrl and arrow", [["", { leftArrow: true, ctrl: true }]], [{ do: "move", to: "wordLeft" }]],
    ["Backspace", [["", { delete: true }]], [{ do: "erase", to: "left" }]],
    ["Escape", [["", { escape: true }]], []],
    [
      "a paste of several lines is one text",
      [
        ["[200~"],
        ["one\rtwo\nthree"],
        ["\r", { return: true }],
        ["", { tab: true }],
        ["four"],
        ["[201~"],
        ["\r", { return: true }],
      ],
      [insert("one\ntwo\nthree"), insert("\n"), insert("\t"), insert("four"), { do: "enter" }],
    ],
    [
      "control sequences in a paste are dropped",
      [["[200~"], ["a\u001b[31mb\u0007\u202ec"], ["[201~"]],
      [insert("abc")],
    ],
    [
      "an end mark that two reads have cut in two",
      [["[200~"], ["xx[20"], ["1~"], ["\r", { return: true }]],
      [insert("xx"), { do: "enter" }],
    ],
    ["a beginning that was cut, with text behind it", [["[20"], ["0~a\rb"], ["[201~"]], [insert("a\nb")]],
    [
      "Ctrl-C gets out of a paste that never ends",
      [["[200~"], ["xx"], ["c", { ctrl: true }], ["\r", { return: true }]],
      [insert("xx"), { do: "interrupt" }, { do: "enter" }],
    ],
    [
      "brackets are text",
      [["["], ["2"], ["a["], ["x"]],
      [insert("["), insert("2"), insert("a["), insert("x")],
    ],
  ])("%s", (_what, sent, pressed) => expect(read(...sent)).toEqual(pressed));
});
