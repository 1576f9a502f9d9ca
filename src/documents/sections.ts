import type { Locale } from "../core/locale.ts";
import { codeRanges, closes, fenceOpening } from "./code-ranges.ts";
import { FACTS, headingAt, knownHeadings, WEAK, type FoundHeading, type Known } from "./known-headings.ts";
import { EMPTY, FACTS_LINE, HEADINGS, isEmptyText, type ByLocale } from "./wording.ts";

/** Kinds of documents with sections. */
export type SectionKind = keyof typeof HEADINGS;

/** A section's name within its kind. */
export type SectionName<K extends SectionKind> = Extract<keyof (typeof HEADINGS)[K], string>;

/** Text by section; an absent or empty section is the empty string. */
export type Sections<K extends SectionKind> = Record<SectionName<K>, string>;

/** How to read a document. */
export interface SectionOptions<K extends SectionKind> {
  /** When one of these is missing, fences that swallow headings are doubted and the text is read again. */
  required: readonly SectionName<K>[];
  /** Cut fenced code out of the sections: a document holds pointers, no contents. Default false. */
  dropCode?: boolean;
}

type Lines = readonly string[];

/** Fences that are doubted: each costs reading the whole text again, and hundreds would hold up the process. */
const FENCES_DOUBTED = 10;

/**
 * Reads a document as models and people write it. Known headings of every locale start a section, as `##` with or
 * without the space, underlined, bold, numbered, or with a colon and text on the same line; what comes before the
 * first one is dropped, and so is the Facts part at the end of a handoff; a section that comes twice is joined. Never
 * throws.
 */
export function readSections<K extends SectionKind>(
  text: string,
  kind: K,
  { required, dropCode = false }: SectionOptions<K>,
): Sections<K> {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const known = knownHeadings(kind);
  const filled = (sections: Sections<K>): number => required.filter((name) => sections[name] !== "").length;
  let best: Sections<K> | undefined;
  for (const reading of readings(lines, known)) {
    const sections = collect(reading, kind, known, dropCode);
    if (best === undefined || filled(sections) > filled(best)) best = sections;
    if (filled(best) === required.length) break;
  }
  return best ?? collect(lines, kind, known, dropCode);
}

/** Ways to understand the fences of a document, the likeliest first. */
function* readings(lines: Lines, known: Known): Generator<Lines> {
  const outer = outerFence(lines, known);
  if (outer?.certain === true) yield outer.body;
  yield lines;
  if (outer?.certain === false) yield outer.body;
  yield* repaired(outer?.certain === true ? outer.body : lines, known);
}

/**
 * One fence around the whole document is packaging, also behind a sentence of greeting. Certain only when nothing
 * else explains it: a document may also begin with one piece of code and end with another.
 */
function outerFence(lines: Lines, known: Known): { body: Lines; certain: boolean } | undefined {
  const open = lines.findIndex((line) => fenceOpening(line) !== undefined);
  const opening = fenceOpening(lines[open] ?? "");
  if (opening === undefined) return undefined;
  const close = lines.findLastIndex((line) => closes(line, opening.mark));
  const outside = lines.map((_line, at) => at).filter((at) => at < open || at > close);
  if (close <= open || outside.some((at) => headingAt(lines, at, known) !== undefined)) return undefined;
  const body = lines.slice(open + 1, close);
  const alone = outside.every((at) => (lines[at] ?? "").trim() === "");
  const declared = /^(?:markdown|md)$/i.test(opening.info);
  return { body, certain: alone && (declared || !body.some((line) => line.startsWith(opening.mark))) };
}

/**
 * Where a fence is left open, one of the fences ends too late. The open one is doubted first, then the others from
 * the top: each ends before the first known heading that it swallows.
 */
function* repaired(lines: Lines, known: Known): Generator<Lines> {
  const fences = codeRanges(lines).filter((range) => range.fenced);
  if (fences.every((fence) => fence.closed)) return;
  let left = FENCES_DOUBTED;
  for (const { from, to } of [...fences].sort((a, b) => Number(a.closed) - Number(b.closed))) {
    const opening = fenceOpening(lines[from] ?? "");
    const end = lines.findIndex((_l, at) => at > from && at <= to && headingAt(lines, at, known));
    if (opening === undefined || end === -1) continue;
    if (left === 0) return;
    left -= 1;
    yield [...lines.slice(0, end), opening.mark, ...lines.slice(end)];
  }
}

/** A known heading in its place. */
interface PlacedHeading extends FoundHeading {
  at: number;
}

function collect<K extends SectionKind>(lines: Lines, kind: K, known: Known, dropCode: boolean): Sections<K> {
  const code = new Set<number>();
  const dropped = new Set<number>();
  for (const { from, to, fenced } of codeRanges(lines))
    for (let at = from; at <= to; at += 1) (dropCode && fenced ? dropped : code).add(at);
  const headings = new Map<number, PlacedHeading>();
  for (let at = 0; at < lines.length; at += 1) {
    const found = code.has(at) || dropped.has(at) ? undefined : headingAt(lines, at, known);
    if (found !== undefined) headings.set(at, { ...found, at });
  }
  const all = withoutInnerFacts([...headings.values()], lines);
  const starts = new Map(all.map((heading) => [heading.at, heading]));

  const parts = new Map<string, string[]>();
  let open: { heading: PlacedHeading; text: string[] } | undefined;
  let inGap = false;
  for (let at = 0; at < lines.length; at += 1) {
    const heading = starts.get(at);
    if (heading === undefined || isText(heading, open?.heading, all)) {
      const line = lines[at] ?? "";
      inGap = dropped.has(at) || (inGap && line.trim() === "");
      if (inGap) leaveGap(open?.text ?? []);
      else open?.text.push(line);
      continue;
    }
    const text = parts.get(heading.name) ?? [];
    if (text.length > 0) text.push("");
    if (heading.rest !== "") text.push(heading.rest);
    parts.set(heading.name, text);
    open = { heading, text };
    at += heading.lines - 1;
  }
  const names = Object.keys(HEADINGS[kind]);
  return Object.fromEntries(
    names.map((name) => [name, plainSection((parts.get(name) ?? []).join("\n"))]),
  ) as Sections<K>;
}

/**
 * Only a Facts part behind all sections is one, or a copy of flower's wherever it stands: a writer's own paragraph of
 * that name, between them or below their level, is text like any other. `Facts: …` in a line never is one.
 */
function withoutInnerFacts(headings: readonly PlacedHeading[], lines: Lines): PlacedHeading[] {
  const isCopy = ({ at, lines: taken }: PlacedHeading): boolean =>
    FACTS_FIRST_LINE.test(lines.slice(at + taken).find((line) => line.trim() !== "") ?? "");
  const last = headings.findLast(({ name, rank }) => name !== FACTS && rank < WEAK);
  const deepest = Math.max(2, last?.rank ?? 2);
  return headings.filter(
    (heading) =>
      heading.name !== FACTS || (heading.rank <= deepest && heading.at > (last?.at ?? -1)) || isCopy(heading),
  );
}

const FACTS_FIRST_LINE = new RegExp(`^\\s*${FACTS_LINE}`);

/** One blank line keeps apart what stood around code that is cut out. */
function leaveGap(text: string[]): void {
  while (text.length > 0 && (text.at(-1) ?? "").trim() === "") text.pop();
  text.push("");
}

/**
 * `State: half done` under `## Doing now` is text when the document has its `## Scene` elsewhere: a lesser heading
 * starts no section that is headed at the open section's level anyway.
 */
function isText(
  heading: PlacedHeading,
  open: PlacedHeading | undefined,
  all: readonly PlacedHeading[],
): boolean {
  if (open === undefined || heading.rank <= open.rank) return false;
  if (heading.name === open.name) return heading.rank === WEAK;
  return all.some(({ name, rank }) => name === heading.name && rank <= open.rank);
}

/**
 * A section's text as reading and printing leave it: `\n` ends its lines, no blank lines around it, the indentation of
 * a first line only where it makes the line code; the empty string when it says nothing.
 */
export function plainSection(text: string): string {
  const trimmed = trimSection(text.replace(/\r\n?/g, "\n"));
  return isEmptyText(trimmed) ? "" : trimmed;
}

function trimSection(text: string): string {
  return text
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .replace(/^ {1,3}(?! )/, "")
    .trimEnd();
}

/** Prints sections under their canonical headings, in their canonical order. */
export function printSections<K extends SectionKind>(kind: K, sections: Sections<K>, locale: Locale): string {
  return Object.entries<ByLocale>(HEADINGS[kind])
    .map(([name, byLocale]) => {
      const text = trimSection(sections[name as SectionName<K>]);
      return `## ${byLocale[locale]}\n\n${text === "" ? EMPTY[locale] : text}`;
    })
    .join("\n\n");
}
