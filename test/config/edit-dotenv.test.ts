import { describe, expect, it } from "vitest";
import { readDotenv } from "../../src/config/dotenv.ts";
import { editDotenv, type DotenvChanges } from "../../src/config/edit-dotenv.ts";

describe("editDotenv", () => {
  it.each<[string, string, DotenvChanges, string]>([
    ["into nothing", "", { A: "1" }, "A=1\n"],
    ["behind the rest", "# mine\nB=2", { A: "1" }, "# mine\nB=2\nA=1\n"],
    ["in its place", "# x\nA=0 # old\n\nB=2\n", { A: "1" }, "# x\nA=1\n\nB=2\n"],
    ["with export", "export A = 0\n", { A: "1" }, "export A=1\n"],
    ["the last of several, and no other stays", "A=old\nB=2\nA=0\n", { A: "1" }, "B=2\nA=1\n"],
    ["over several lines", "A='x\ny'\nB=2\n", { A: "1" }, "A=1\nB=2\n"],
    ["a line that looks like it within a value", "B='x\nA=0\n'\n", { A: "1" }, "B='x\nA=0\n'\nA=1\n"],
    ["instead of a broken line", 'A="open\nB=2\n', { A: "1" }, "A=1\nB=2\n"],
    ["instead of another shell's line", "set A=0\nB=2\n", { A: "1" }, "A=1\nB=2\n"],
    ["taking a name out", "# x\nA=0\nB=2\n", { A: undefined }, "# x\nB=2\n"],
    ["taking out what is not there", "B=2\n", { A: undefined }, "B=2\n"],
    ["lines that nobody can read", "prose\nA=0\n", { A: "1" }, "prose\nA=1\n"],
    ["line ends of another system", "# x\r\nA=0\r\n", { A: "1", C: "3" }, "# x\r\nA=1\r\nC=3\r\n"],
    ["a name that only a comment holds", "#A=0\n", { A: "1" }, "#A=0\nA=1\n"],
    ["the same again", "A=1\n", { A: "1" }, "A=1\n"],
  ])("%s", (_, source, changes, expected) => {
    expect(editDotenv(source, changes)).toBe(expected);
    for (const [key, value] of Object.entries(changes)) expect(readDotenv(expected).values[key]).toBe(value);
  });

  it.each([
    "sk-ant-api03_A.b",
    "a b",
    "a#b",
    "it's",
    'say "hi"',
    "`x`'y",
    "$HOME",
    "a\\nb",
    " x ",
    "=",
    "'`",
  ])("what it writes is read as %j", (value) =>
    expect(readDotenv(editDotenv("A=0\n", { A: value }))).toEqual({ values: { A: value }, reports: [] }),
  );

  it.each(["a\nb", "'`\"", "'`\\n"])("refuses %j, and does not quote it", (value) => {
    expect(() => editDotenv("", { A: value })).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => editDotenv("", { A: value })).not.toThrow(value);
  });
});
