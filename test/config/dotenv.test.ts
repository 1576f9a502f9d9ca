import { describe, expect, it } from "vitest";
import { readDotenv } from "../../src/config/dotenv.ts";

describe("readDotenv", () => {
  // V01 … V23: what a line of a .env file means.
  it.each([
    ["V01", "export A=1", { A: "1" }],
    ["V02", "export   A  =1", { A: "1" }],
    ["V08", 'A="x\\ny"', { A: "x\ny" }],
    ["V09", 'A="l1\nl2"', { A: "l1\nl2" }],
    ["V10", 'A=`it\'s "x"`', { A: 'it\'s "x"' }],
    ["V11", "A=", { A: "" }],
    ["V15", "A: 1", { A: "1" }],
    ["V22", "A=1\nA=2", { A: "2" }],
    ["V23", "  A=1", { A: "1" }],
    ["CRLF", "A=1\r\nB='2'\r\n", { A: "1", B: "2" }],
    ["byte order mark", "\ufeffA=1", { A: "1" }],
    ["comments", "# A=0\n\nA=1 # one\nB='#2'\nC=\"3\" # three", { A: "1", B: "#2", C: "3" }],
    ["quotes within", 'A="say \\"hi\\""\nB=it\'s', { A: 'say \\"hi\\"', B: "it's" }],
    [
      "a value over lines with lines that look like others",
      "A='x\nset B=1\n# y'\nC=1",
      { A: "x\nset B=1\n# y", C: "1" },
    ],
    ["nothing", "", {}],
  ])("%s: %j", (_, text, expected) => {
    const { values, reports } = readDotenv(text);
    expect(values).toEqual(expected);
    expect(reports).toEqual([]);
  });

  it.each([
    ["V16", 'A="unterminated', {}, [{ line: 1, key: "A", problem: "quote is not closed" }]],
    [
      "V16 before others",
      'A="open\nB="2"\nC=3',
      { B: "2", C: "3" },
      [{ line: 1, key: "A", problem: "quote" }],
    ],
    ["V16 after a good line", "A=1\nA='open", { A: "1" }, [{ line: 2, key: "A", problem: "quote" }]],
    ["text behind a quote", 'A="1" 2\nB=1', { B: "1" }, [{ line: 1, key: "A", problem: "text follows" }]],
    ["V19 set", "set A=1\nB=2", { B: "2" }, [{ line: 1, key: "A", problem: "write A=value" }]],
    ["V19 PowerShell", '$env:A="1"', {}, [{ line: 1, key: "A", problem: "write A=value" }]],
    ["V21", "A=“q”", { A: "“q”" }, [{ line: 1, key: "A", problem: "typographic" }]],
    ["prose", "B=1\njust words", { B: "1" }, [{ line: 2, problem: "NAME=value" }]],
    [
      "line numbers behind a long value",
      "A='1\n2\n3'\nwords",
      { A: "1\n2\n3" },
      [{ line: 4, problem: "NAME" }],
    ],
  ])("%s is reported: %j", (_, text, values, reports) => {
    const read = readDotenv(text);
    expect(read.values).toEqual(values);
    expect(read.reports).toEqual(
      reports.map((report) => ({ ...report, problem: expect.stringContaining(report.problem) as string })),
    );
  });

  it("never quotes a value in a report", () => {
    const text = ['A="sk-secret', "set B=sk-secret", "C=“sk-secret”", "sk-secret"].join("\n");
    const { reports } = readDotenv(text);
    expect(reports).toHaveLength(4);
    expect(JSON.stringify(reports)).not.toContain("sk-secret");
  });
});
