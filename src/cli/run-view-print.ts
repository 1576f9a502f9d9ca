import stringWidth from "string-width";
import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import type { FileProblem } from "../runtime/read-run.ts";
import { RUN_VIEW_TEXTS } from "./run-view-texts.ts";

/** Version of the one object that `--json` prints. 1: first. */
export const JSON_VERSION = 1;

/** Text behind its label, aligned; further lines below the first stand under it. Labels may be wide (CJK). */
export function fieldLines(fields: ReadonlyArray<readonly [label: string, ...lines: string[]]>): string[] {
  const width = Math.max(0, ...fields.map(([label]) => stringWidth(label)));
  return fields.flatMap(([label, ...lines]) =>
    lines.map((line, i) => `${padEnd(i === 0 ? label : "", width)}  ${line}`),
  );
}

/** Cells in columns; those of `right` are aligned to the right. The last column is not padded. */
export function tableLines(rows: ReadonlyArray<readonly string[]>, right: readonly number[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(0, ...rows.map((row) => stringWidth(row[i] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return right.includes(i) ? " ".repeat(width - stringWidth(cell)) + cell : padEnd(cell, width);
      })
      .join("  ")
      .trimEnd(),
  );
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** Prints a result to standard output, made safe for a terminal. */
export function printResult(text: string): void {
  process.stdout.write(`${stripControl(text).trimEnd()}\n`);
}

/** Prints one JSON object with its version. */
export function printJson(value: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${jsonText({ v: JSON_VERSION, ...value })}\n`);
}

/** Upper control characters and bidirectional overrides, which JSON leaves as they are. */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON with nothing in it that acts on a terminal; the values stay the same. `indent` 0 = in one line. Default 2. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    LEFT_BY_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Says on standard error which files do not tell what they should. */
export function sayProblems(problems: readonly FileProblem[], locale: Locale): void {
  const texts = RUN_VIEW_TEXTS[locale];
  for (const { kind, path, detail } of problems)
    process.stderr.write(`  ! ${stripControl(texts.problem[kind](path, detail))}\n`);
}
