import { describe, expect, it } from "vitest";
import {
  isSpillPointer,
  previewOf,
  spillOutput,
  spillPointer,
  type SpillOptions,
} from "../../src/context/spill-text.ts";

const LONG = `${"a".repeat(60)}\n${"b".repeat(60)}`;
const SHORT = "short";
/** Twice the limit, as reports have it. */
const REPORT = "c".repeat(200);

function desk(options: Partial<SpillOptions> = {}) {
  const written: string[] = [];
  const all: SpillOptions = {
    thresholdChars: 100,
    previewChars: 10,
    write(text) {
      written.push(text);
      return `/w/spill/${written.length}.txt`;
    },
    ...options,
  };
  return { written, spill: (tool: string, output: unknown) => spillOutput(tool, output, all) };
}

const replaced = (n: number, text = LONG, preview = `${text.slice(0, 10)}\n[…]`) =>
  `${spillPointer(text, `/w/spill/${n}.txt`)}\n${preview}`;

describe("spillPointer", () => {
  it("names size, place and how to read on, in one line", () => {
    const line = spillPointer(`${"x".repeat(99)}\n`.repeat(50), "/w/spill/x.txt");
    expect(line).not.toContain("\n");
    expect(line).not.toContain("x-lines.txt");
    for (const part of ["5000 characters", "50 lines", "/w/spill/x.txt", "Read", "offset", "limit"])
      expect(line).toContain(part);
  });
});

it("a pointer to lines that are too long names the copy that can be paged", () => {
  expect(spillPointer("x".repeat(5000), "/w/spill/x.txt")).toContain("/w/spill/x-lines.txt");
  expect(isSpillPointer(spillPointer("x".repeat(5000), "/w/spill/x.txt"))).toBe(true);
});

describe("previewOf", () => {
  it.each([
    ["short text whole", "abc", { chars: 3 }, "abc"],
    ["head", "abcdef", { chars: 3 }, "abc\n[…]"],
    ["head and tail", "abcdefgh", { chars: 4, keepsTail: true }, "ab\n[…]\ngh"],
    ["no half of a pair at the head", "ab😀cdef", { chars: 3 }, "ab\n[…]"],
    ["no half of a pair at the tail", "abcdef😀g", { chars: 4, keepsTail: true }, "ab\n[…]\ng"],
  ])("%s", (_name, text, options, preview) => expect(previewOf(text, options)).toBe(preview));

  it("is 400 characters long by default", () =>
    expect(previewOf("x".repeat(900))).toBe(`${"x".repeat(400)}\n[…]`));
});

const bash = { stdout: SHORT, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
const read = { filePath: "/w/a.ts", content: SHORT, numLines: 1, startLine: 1, totalLines: 1 };
const grep = { mode: "content", numFiles: 1, filenames: [], numLines: 2, totalLines: 2 };
const image = { type: "image", source: { type: "base64", data: "x".repeat(500) } };
const document = { type: "document", source: { type: "text", data: "x".repeat(500) } };
const text = (value: string) => ({ type: "text", text: value });

describe("spillOutput keeps the shape", () => {
  it.each<[string, string, unknown, unknown]>([
    ["Bash stdout", "Bash", { ...bash, stdout: LONG }, { ...bash, stdout: replaced(1) }],
    ["Bash stderr", "Bash", { ...bash, stderr: LONG }, { ...bash, stderr: replaced(1) }],
    [
      "Bash both",
      "Bash",
      { ...bash, stdout: LONG, stderr: LONG },
      { ...bash, stdout: replaced(1), stderr: replaced(2) },
    ],
    [
      "Bash drops the harness's own frame with stdout",
      "Bash",
      { ...bash, stdout: LONG, persistedOutputPath: "/c/1.txt", persistedOutputSize: 9 },
      { ...bash, stdout: replaced(1) },
    ],
    [
      "Bash keeps the frame when only stderr is spilled",
      "Bash",
      { ...bash, stderr: LONG, persistedOutputPath: "/c/1.txt", persistedOutputSize: 9 },
      { ...bash, stderr: replaced(1), persistedOutputPath: "/c/1.txt", persistedOutputSize: 9 },
    ],
    [
      "Read",
      "Read",
      { type: "text", file: { ...read, content: LONG } },
      { type: "text", file: { ...read, content: replaced(1) } },
    ],
    ["Grep content", "Grep", { ...grep, content: LONG }, { ...grep, content: replaced(1) }],
    [
      "Grep names, none of them long",
      "Grep",
      { ...grep, filenames: Array(30).fill("a.ts") },
      { ...grep, filenames: [replaced(1, Array(30).fill("a.ts").join("\n"))] },
    ],
    [
      "Glob",
      "Glob",
      { filenames: Array(30).fill("b.ts"), durationMs: 1, numFiles: 30, truncated: false },
      {
        filenames: [replaced(1, Array(30).fill("b.ts").join("\n"))],
        durationMs: 1,
        numFiles: 30,
        truncated: false,
      },
    ],
    [
      "WebFetch",
      "WebFetch",
      { bytes: 1, code: 200, codeText: "OK", result: LONG, durationMs: 1, url: "http://x" },
      { bytes: 1, code: 200, codeText: "OK", result: replaced(1), durationMs: 1, url: "http://x" },
    ],
    [
      "Agent: block by block, its task left alone",
      "Agent",
      { status: "completed", prompt: REPORT, content: [text(SHORT), text(REPORT), text(REPORT)] },
      {
        status: "completed",
        prompt: REPORT,
        content: [text(SHORT), text(replaced(1, REPORT)), text(replaced(2, REPORT))],
      },
    ],
    [
      "MCP blocks, images and documents stay",
      "mcp__x__y",
      [text(LONG), image, document],
      [text(replaced(1)), image, document],
    ],
    ["MCP plain string", "mcp__x__y", LONG, replaced(1)],
    [
      "WebSearch texts one by one, links stay",
      "WebSearch",
      { query: "q", results: [LONG, { content: [{ title: LONG }] }, SHORT, LONG] },
      { query: "q", results: [replaced(1), { content: [{ title: LONG }] }, SHORT, replaced(2)] },
    ],
    [
      "WebSearch texts alone, as one",
      "WebSearch",
      { query: "q", results: [LONG, SHORT] },
      { query: "q", results: [replaced(1, `${LONG}\n${SHORT}`)] },
    ],
    [
      "MCP structure, other lists stay",
      "mcp__x__y",
      { a: { b: LONG }, rows: [{ c: LONG }, 1] },
      { a: { b: replaced(1) }, rows: [{ c: LONG }, 1] },
    ],
  ])("%s", (_name, tool, output, expected) => {
    const before = structuredClone(output);
    expect(desk().spill(tool, output)).toEqual(expected);
    expect(output).toEqual(before);
  });

  it.each<[string, string, unknown]>([
    ["short output", "Bash", bash],
    ["an image printed by Bash", "Bash", { ...bash, isImage: true, stdout: LONG }],
    ["an image that was read", "Read", { type: "image", file: { base64: LONG, type: "image/png" } }],
    ["a PDF that was read", "Read", { type: "pdf", file: { filePath: "/a.pdf", base64: LONG } }],
    ["only a long task", "Agent", { status: "completed", prompt: LONG, content: [text(SHORT)] }],
    ["a mixed list", "mcp__x__y", { rows: [LONG, { content: [{ title: LONG }] }] }],
    ["an Agent's report below its own limit", "Agent", { content: [text(REPORT.slice(1))] }],
    ["links that were found", "WebSearch", { query: "q", results: [SHORT, { content: [{ title: LONG }] }] }],
    ["what repeats the input", "Write", { type: "create", filePath: "/a", content: LONG }],
    ["one character too few", "mcp__x__y", "x".repeat(99)],
    ["nothing", "mcp__x__y", undefined],
    ["an empty list", "mcp__x__y", []],
  ])("leaves %s alone", (_name, tool, output) => {
    const { spill, written } = desk();
    expect(spill(tool, output)).toBeUndefined();
    expect(written).toEqual([]);
  });

  it("spills at the threshold, whole", () => {
    const { spill, written } = desk();
    spill("mcp__x__y", "x".repeat(100));
    expect(written).toEqual(["x".repeat(100)]);
  });

  it("shows the tail when asked", () =>
    expect(desk({ keepsTail: true }).spill("Bash", { ...bash, stdout: LONG })).toEqual({
      ...bash,
      stdout: replaced(1, LONG, "aaaaa\n[…]\nbbbbb"),
    }));

  it("leaves a field that could not be written, and spills the other", () => {
    const { spill } = desk({ write: (value) => (value === LONG ? undefined : "/w/spill/1.txt") });
    const other = "c".repeat(200);
    expect(spill("Bash", { ...bash, stdout: LONG })).toBeUndefined();
    expect(spill("Bash", { ...bash, stdout: LONG, stderr: other })).toEqual({
      ...bash,
      stdout: LONG,
      stderr: replaced(1, other),
    });
  });
});

describe("a Bash output that the harness kept in a file", () => {
  const kept = { ...bash, stdout: LONG, persistedOutputPath: "/c/1.txt", persistedOutputSize: 999 };

  it("is spilled from that file", () => {
    const whole = LONG.repeat(5);
    const { spill, written } = desk({ readFile: (path) => (path === "/c/1.txt" ? whole : undefined) });
    expect(spill("Bash", kept)).toEqual({ ...bash, stdout: replaced(1, whole) });
    expect(written).toEqual([whole]);
  });

  it("is called cut where the harness printed more than it keeps, and shows no end", () => {
    const { spill } = desk({ keepsTail: true, readFile: () => `${LONG.repeat(5)}TAIL` });
    const said = (persistedOutputSize: number) =>
      (spill("Bash", { ...kept, persistedOutputSize }) as { stdout: string }).stdout;
    expect(said(96_888_905)).toMatch(/ characters, .*cut, of 96888905 bytes printed the end is missing/);
    expect(said(96_888_905)).not.toMatch(/whole|TAIL/);
    expect(said(64 * 1024 ** 2)).toMatch(/the whole text is in .*\n[^]*TAIL$/);
  });

  it("keeps the harness's frame when the file cannot be read", () =>
    expect(desk({ readFile: () => undefined }).spill("Bash", kept)).toBeUndefined());
});

describe("an MCP result that the harness put aside", () => {
  const said =
    "Error: result (300,000 characters across 1 line) exceeds maximum allowed tokens. Output has been saved to /c/a b/r.txt.\nFormat: Plain text\n";
  const whole = LONG.repeat(5);
  const readFile = (path: string) => (path === "/c/a b/r.txt" ? whole : undefined);

  it.each<[string, unknown, unknown]>([
    ["a text", said, replaced(1, whole)],
    ["a block", [text(said)], [text(replaced(1, whole))]],
  ])("as %s is spilled from its file", (_name, output, expected) => {
    const { spill, written } = desk({ readFile });
    expect(spill("mcp__x__y", output)).toEqual(expected);
    expect(written).toEqual([whole]);
  });

  it.each<[string, Partial<SpillOptions>, string]>([
    ["the file is gone", { readFile: () => undefined, thresholdChars: 1_000 }, "mcp__x__y"],
    ["nothing can be written", { readFile, write: () => undefined }, "mcp__x__y"],
    ["another tool says so", { readFile, thresholdChars: 1_000 }, "WebFetch"],
  ])("stays as the harness has it when %s", (_name, options, tool) =>
    expect(desk(options).spill(tool, said)).toBeUndefined(),
  );
});
