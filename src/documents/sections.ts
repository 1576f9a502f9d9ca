import { fromMarkdown } from "mdast-util-from-markdown";
import type { Code, Nodes } from "mdast";
import { LOCALES } from "../core/locale.ts";
import { ALIASES, HEADINGS, isEmptyText, type ByLocale } from "./wording.ts";

/** Kinds of documents with sections. */
export type SectionKind = keyof typeof HEADINGS;

/** A section's name within its kind. */
export type SectionName<K extends SectionKind> = Extract<keyof (typeof HEADINGS)[K], string>;

/** Text by section; an absent or empty section is the empty string. */
export type Sections<K extends SectionKind> = Record<SectionName<K>, string>;

/** How to read a document. */
export interface SectionOptions<K extends SectionKind> {
  /** When one of these is missing, an unclosed fence is ended at the next known heading and all is read again. */
  required: readonly SectionName<K>[];
  /** Cut fenced code out of the sections: a document holds pointers, no contents. Default false. */
  dropCode?: boolean;
}

/** Reads a document as models and people write it: see docs/reference/documents.md for what is understood. */
export function readSections<K extends SectionKind>(
  text: string,
  kind: K,
  options: SectionOptions<K>,
): Sections<K> {
  const lines = unwrap(text.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "")).split("\n");
  const known = knownHeadings(kind);
  const first = collect(lines, codeLines(lines), kind, known, options.dropCode ?? false);
  const open = unclosedFence(lines);
  if (open === undefined || options.required.every((name) => !isEmptyText(first[name]))) return first;
  const end = lines.findIndex((_line, i) => i > open && headingOf(lines, i, known) !== undefined);
  if (end === -1) return first;
  const closed = [
    ...lines.slice(0, end),
    lines[open]?.trim().match(/^(?:`+|~+)/)?.[0] ?? "```",
    ...lines.slice(end),
  ];
  return collect(closed, codeLines(closed), kind, known, options.dropCode ?? false);
}

/** One fence around the whole document is packaging. */
function unwrap(text: string): string {
  const trimmed = text.trim();
  const [, mark = "", body = ""] = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*)\n\1`*~*\s*$/.exec(trimmed) ?? [];
  if (mark === "") return text;
  // A second fence of the same kind inside means that the first one ended before the end.
  const inner = body.split("\n").filter((line) => line.startsWith(mark));
  return inner.length % 2 === 0 ? body : text;
}

interface CodeRange {
  /** 0-based, both inclusive. */
  from: number;
  to: number;
  fenced: boolean;
}

function codeNodes(lines: readonly string[]): Code[] {
  const found: Code[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === "code") found.push(node);
    if ("children" in node) node.children.forEach(walk);
  };
  walk(fromMarkdown(lines.join("\n")));
  return found;
}

function codeLines(lines: readonly string[]): CodeRange[] {
  return codeNodes(lines).flatMap((node) => {
    if (node.position === undefined) return [];
    const from = node.position.start.line - 1;
    return [
      {
        from,
        to: node.position.end.line - 1,
        fenced: /^\s{0,3}(?:[-*+>]\s+|\d+[.)]\s+)*(?:`{3,}|~{3,})/.test(lines[from] ?? ""),
      },
    ];
  });
}

/** The line of a fence that runs to the end of the document without being closed. */
function unclosedFence(lines: readonly string[]): number | undefined {
  const last = codeLines(lines).at(-1);
  if (last === undefined || !last.fenced) return undefined;
  const opening = /^\s*(`{3,}|~{3,})/.exec(lines[last.from] ?? "")?.[1] ?? "";
  const closed =
    last.to > last.from &&
    (lines[last.to] ?? "").trim().startsWith(opening) &&
    /^[`~]+$/.test((lines[last.to] ?? "").trim());
  return opening === "" || closed ? undefined : last.from;
}

type Known = ReadonlyMap<string, string>;

function normal(heading: string): string {
  return heading
    .replace(/[*_`]/g, "")
    .replace(/[::]\s*$/, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function knownHeadings(kind: SectionKind): Known {
  const known = new Map<string, string>();
  for (const [name, byLocale] of Object.entries<ByLocale>(HEADINGS[kind])) {
    for (const locale of LOCALES) known.set(normal(byLocale[locale]), name);
    for (const alias of ALIASES[name] ?? []) if (!known.has(normal(alias))) known.set(normal(alias), name);
  }
  return known;
}

interface Found {
  name: string;
  /** Text behind the heading on the same line. */
  rest: string;
  /** Lines that the heading takes. */
  lines: number;
}

const NUMBER = /^\d+(?:\.\d+)*[.)]?\s+/;

/** A known heading at this line, in any of the forms people use. */
function headingOf(lines: readonly string[], at: number, known: Known): Found | undefined {
  const line = lines[at] ?? "";
  if (/^ {4}|^\t/.test(line)) return undefined;
  const trimmed = line.trim();
  const name = (text: string): string | undefined =>
    known.get(normal(text)) ?? known.get(normal(text.replace(NUMBER, "")));

  const atx = /^#{1,6}\s*(.+?)(?:\s+#+)?$/.exec(trimmed);
  if (atx !== null) return withRest(atx[1] ?? "", name, 1);
  if (/^\s{0,3}(?:=+|-{2,})\s*$/.test(lines[at + 1] ?? "")) {
    const setext = name(trimmed);
    if (setext !== undefined) return { name: setext, rest: "", lines: 2 };
  }
  const bold = /^(?:\d+(?:\.\d+)*[.)]?\s+)?(\*\*|__)(.+?)\1\s*[::]?\s*(.*)$/.exec(trimmed);
  if (bold !== null) {
    const found = name(bold[2] ?? "");
    return found === undefined ? undefined : { name: found, rest: bold[3] ?? "", lines: 1 };
  }
  if (NUMBER.test(trimmed)) {
    const found = name(trimmed);
    if (found !== undefined) return { name: found, rest: "", lines: 1 };
  }
  return /[::]/.test(trimmed) ? withRest(trimmed, (text) => name(text), 1, true) : undefined;
}

/** `Heading`, or `Heading: text` when that is what is known. */
function withRest(
  text: string,
  name: (text: string) => string | undefined,
  lines: number,
  colonOnly = false,
): Found | undefined {
  const whole = colonOnly && !/[::]\s*$/.test(text) ? undefined : name(text);
  if (whole !== undefined) return { name: whole, rest: "", lines };
  const [, head = "", rest = ""] = /^([^::]+)[::]\s*(.*)$/.exec(text) ?? [];
  const found = head === "" ? undefined : name(head);
  return found === undefined ? undefined : { name: found, rest, lines };
}

function collect<K extends SectionKind>(
  lines: readonly string[],
  code: readonly CodeRange[],
  kind: K,
  known: Known,
  dropCode: boolean,
): Sections<K> {
  const inCode = new Map<number, CodeRange>();
  for (const range of code) for (let i = range.from; i <= range.to; i += 1) inCode.set(i, range);
  const parts = new Map<string, string[]>();
  let current: string[] | undefined;
  for (let i = 0; i < lines.length; i += 1) {
    const range = inCode.get(i);
    if (range !== undefined) {
      if (!(dropCode && range.fenced)) current?.push(lines[i] ?? "");
      continue;
    }
    const found = headingOf(lines, i, known);
    if (found === undefined) {
      current?.push(lines[i] ?? "");
      continue;
    }
    // A section that comes twice is joined.
    current = parts.get(found.name) ?? [];
    if (current.length > 0) current.push("");
    parts.set(found.name, current);
    if (found.rest !== "") current.push(found.rest);
    i += found.lines - 1;
  }
  return Object.fromEntries(
    Object.keys(HEADINGS[kind]).map((name) => {
      const text = (parts.get(name) ?? [])
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
      return [name, isEmptyText(text) ? "" : text];
    }),
  ) as Sections<K>;
}

/** Prints sections under their canonical headings. */
export function printSections<K extends SectionKind>(
  kind: K,
  sections: Sections<K>,
  locale: (typeof LOCALES)[number],
  empty: string,
): string {
  return Object.entries<ByLocale>(HEADINGS[kind])
    .map(([name, byLocale]) => {
      const text = sections[name as SectionName<K>].trim();
      return `## ${byLocale[locale]}\n\n${text === "" ? empty : text}`;
    })
    .join("\n\n");
}
