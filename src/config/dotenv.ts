import { parse } from "dotenv";

/** A line that means something else than it looks like. Never quotes the value, which may be a secret. */
export interface DotenvReport {
  /** From 1. */
  line: number;
  /** The name on that line, as far as there is one. */
  key?: string;
  problem: string;
}

/** What a `.env` file says. */
export interface Dotenv {
  values: Readonly<Record<string, string>>;
  reports: readonly DotenvReport[];
}

const ENTRY = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)\s*/;
const SHELL_ENTRY = /^\s*(?:setx?\s+|\$env:)"?([\w.-]+)/i;
const TYPOGRAPHIC_QUOTE = /^[“”„‘’‚«»]|[“”„‘’‚«»]\s*$/;

/** An entry and the lines it takes, `from` included, `to` not, both from 0. `key` also of one that cannot be read. */
export interface DotenvEntry {
  key?: string;
  from: number;
  to: number;
}

/**
 * Reads a `.env` text as the `dotenv` package does, minus the lines that it would misread: these are reported and
 * count as not written, so that a broken line leaves its key unset instead of setting it to garbage.
 */
export function readDotenv(source: string): Dotenv {
  const lines = dotenvLines(source);
  const entries = checkAll(lines);
  return {
    values: parse(entries.flatMap(({ keep, from, to }) => (keep ? lines.slice(from, to) : [])).join("\n")),
    reports: entries.flatMap(({ report, from }) =>
      report === undefined ? [] : [{ line: from + 1, ...report }],
    ),
  };
}

/** The lines of a `.env` text, whatever ends them. */
export const dotenvLines = (source: string): string[] => source.replace(/\r\n?/g, "\n").split("\n");

/** Which lines hold what, comments and blank lines among them, in order and without gaps. */
export function dotenvEntries(lines: readonly string[]): DotenvEntry[] {
  return checkAll(lines).map(({ key, from, to }) => ({ ...(key === undefined ? {} : { key }), from, to }));
}

function checkAll(lines: readonly string[]): Array<Checked & DotenvEntry> {
  const entries: Array<Checked & DotenvEntry> = [];
  for (let at = 0; at < lines.length;) {
    const checked = checkEntry(lines, at);
    entries.push({ ...checked, from: at, to: at + checked.lines });
    at += checked.lines;
  }
  return entries;
}

/** What one entry takes up and whether it may be believed. */
interface Checked {
  key?: string;
  keep: boolean;
  lines: number;
  report?: Omit<DotenvReport, "line">;
}

function checkEntry(lines: readonly string[], at: number): Checked {
  const line = lines[at] ?? "";
  if (/^\s*(?:#|$)/.test(line)) return { keep: true, lines: 1 };
  const entry = ENTRY.exec(line);
  if (entry === null) {
    const report = notAnEntry(line);
    return { ...(report.key === undefined ? {} : { key: report.key }), keep: false, lines: 1, report };
  }
  const [head, key = ""] = entry;
  const value = line.slice(head.length);
  if (/^["'`]/.test(value)) {
    const count = quotedLines(value, lines, at);
    return count === undefined
      ? {
          key,
          keep: false,
          lines: 1,
          report: { key, problem: "the quote is not closed, or text follows it" },
        }
      : { key, keep: true, lines: count };
  }
  if (!TYPOGRAPHIC_QUOTE.test(value)) return { key, keep: true, lines: 1 };
  const problem = "typographic quotes are part of the value; use straight ones";
  return { key, keep: true, lines: 1, report: { key, problem } };
}

/** How many lines a quoted value takes; undefined when it does not end properly. */
function quotedLines(value: string, lines: readonly string[], at: number): number | undefined {
  const quote = value.charAt(0);
  const rest = [value, ...lines.slice(at + 1)].join("\n");
  const quoted = new RegExp(`^${quote}(?:\\\\${quote}|[^${quote}])*${quote}[^\\S\\n]*(?:#.*)?(?=\\n|$)`);
  return quoted.exec(rest)?.[0].split("\n").length;
}

function notAnEntry(line: string): Omit<DotenvReport, "line"> {
  const key = SHELL_ENTRY.exec(line)?.[1];
  return key === undefined
    ? { problem: "no NAME=value" }
    : { key, problem: `a command of another shell; write ${key}=value` };
}
