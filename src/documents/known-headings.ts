import { LOCALES } from "../core/locale.ts";
import { ALIASES, FACTS_HEADING, HEADINGS, type ByLocale } from "./wording.ts";

/** Section names of one kind of document, by normalised heading. */
export type Known = ReadonlyMap<string, string>;

/** A heading found at a line. */
export interface FoundHeading {
  name: string;
  /** Text behind the heading on the same line. */
  rest: string;
  /** Lines that the heading takes. */
  lines: number;
  /** 1–6 as in HTML; {@link WEAK} where only wording or bold type makes it a heading. */
  rank: number;
}

/** Rank of bold, numbered and `heading: text` lines: ordinary text may look like that too. */
export const WEAK = 7;

/** What {@link knownHeadings} of a handoff calls the Facts part: known, and yet none of the sections. */
export const FACTS = "facts";

/** Headings and aliases of every locale; canonical ones win. A handoff's know the Facts part too. */
export function knownHeadings(kind: keyof typeof HEADINGS): Known {
  const known = new Map<string, string>();
  const sections = Object.entries<ByLocale>(HEADINGS[kind]);
  for (const [name, byLocale] of sections)
    for (const locale of LOCALES) known.set(normal(byLocale[locale]), name);
  for (const [name] of sections)
    for (const alias of ALIASES[name] ?? []) if (!known.has(normal(alias))) known.set(normal(alias), name);
  if (kind === "handoff") for (const locale of LOCALES) known.set(normal(FACTS_HEADING[locale]), FACTS);
  return known;
}

/** NFKD, because people type full-width colons; and without accents, which many leave out or spell (`ae`). */
function normal(heading: string): string {
  return heading
    .normalize("NFKD")
    .replace(/([aou])\u0308/gi, "$1e")
    .replace(/\p{M}/gu, "")
    .replace(/[*_`]/g, "")
    .replace(/:\s*$/, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

const COLON = "[:\\uff1a]";
const NUMBER = /^(?:\(\d+\)\s*|\d+(?:\.\d+)*(?:[.)]\s*|\u3001\s*|\s+)|[一二三四五六七八九十]+\u3001\s*)/;
const ATX = /^(#{1,6})\s*(.+?)(?:\s#+)?$/;
/** `## Next step (required)`: models repeat the instruction beside its heading. */
const REMARK = /[(\uff08][^()\uff08\uff09]*[)\uff09]$/;
const UNDERLINE = /^ {0,3}(?:(=+)|-+)\s*$/;
const BOLD = new RegExp(`^(\\*\\*|__)(.+?)\\1\\s*(${COLON}?)\\s*(.*)$`);
const ENDS_IN_COLON = new RegExp(`${COLON}\\s*$`);
const HEAD_DASH_REST = /^(.+?)\s+[\u2013\u2014-]\s+(.*)$/;
const HEAD_AND_REST = new RegExp(`^(.+?)${COLON}\\s*(.*)$`);

/** A known heading at this line, in any of the forms people use. Lines of code must not be asked about. */
export function headingAt(lines: readonly string[], at: number, known: Known): FoundHeading | undefined {
  const line = lines[at] ?? "";
  if (/^(?: {4}| {0,3}\t)/.test(line)) return undefined;
  const trimmed = line.trim();
  // Also `**1. X**`: bold around number and all.
  const nameOf = (text: string): string | undefined =>
    [text, text.replace(NUMBER, ""), text.replace(/^[*_]+/, "").replace(NUMBER, "")]
      .map((each) => known.get(normal(each)))
      .find((name) => name !== undefined);
  const found = (name: string | undefined, rank: number, rest = "", taken = 1): FoundHeading | undefined =>
    name === undefined ? undefined : { name, rest, lines: taken, rank };
  const beforeColon = (text: string, rank: number): FoundHeading | undefined => {
    const [, head = "", rest = ""] = HEAD_AND_REST.exec(text) ?? [];
    return head === "" ? undefined : found(nameOf(head), rank, rest);
  };

  const beforeDash = (text: string, rank: number): FoundHeading | undefined => {
    const [, head = "", rest = ""] = HEAD_DASH_REST.exec(text) ?? [];
    return head === "" ? undefined : found(nameOf(head), rank, rest);
  };

  const atx = ATX.exec(trimmed);
  if (atx !== null) {
    const [, hashes = "", text = ""] = atx;
    const name = nameOf(text) ?? nameOf(text.trimEnd().replace(REMARK, ""));
    return found(name, hashes.length) ?? beforeColon(text, hashes.length) ?? beforeDash(text, hashes.length);
  }
  const underline = UNDERLINE.exec(lines[at + 1] ?? "");
  const setext = underline === null ? undefined : nameOf(trimmed);
  if (setext !== undefined) return found(setext, underline?.[1] === undefined ? 2 : 1, "", 2);

  const bold = BOLD.exec(trimmed.replace(NUMBER, ""));
  if (bold !== null) {
    const [, , text = "", colon = "", rest = ""] = bold;
    const alone = rest === "" || colon !== "" || ENDS_IN_COLON.test(text);
    return alone ? found(nameOf(text), WEAK, rest) : undefined;
  }
  if (NUMBER.test(trimmed) || ENDS_IN_COLON.test(trimmed)) {
    const whole = found(nameOf(trimmed), WEAK);
    if (whole !== undefined) return whole;
  }
  return beforeColon(trimmed, WEAK);
}
