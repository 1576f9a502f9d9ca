import type { Locale } from "../core/locale.ts";
import { headingAt, knownHeadings } from "./known-headings.ts";
import { printSections, readSections, type SectionName, type Sections } from "./sections.ts";
import { HEADINGS, type ByLocale } from "./wording.ts";

const NAMES = ["goal", "acceptance", "boundaries", "unknowns"] as const;

/** Heading for what a person adds later; not one of the four, so that it never counts as a filled section. */
const ADDED: ByLocale = {
  en: "Added by the person",
  zh: "本人补充",
  pt: "Acrescentado pela pessoa",
  de: "Von der Person ergänzt",
};

const ADDED_HEADING = new RegExp(`^## (?:${Object.values(ADDED).join("|")})[ \\t\\r]*$`, "m");

/** What is wanted: frozen before anything is built. */
export class Brief {
  readonly goal: string;
  readonly acceptance: string;
  readonly boundaries: string;
  readonly unknowns: string;
  /** What the person said after the brief was confirmed, in order. */
  readonly added: string;

  constructor(sections: Sections<"brief">, added = "") {
    this.goal = sections.goal;
    this.acceptance = sections.acceptance;
    this.boundaries = sections.boundaries;
    this.unknowns = sections.unknowns;
    this.added = added;
  }

  /** Reads the four sections and what was added; whatever else was written is dropped. Never throws. */
  static parse(text: string): Brief {
    const [own = "", ...rest] = text.replace(/\r\n?/g, "\n").split(ADDED_HEADING);
    const added = rest.map(untilSection);
    const sections = [own, ...added.map(({ behind }) => behind)].join("\n");
    return new Brief(
      readSections(sections, "brief", { required: NAMES }),
      added
        .map(({ words }) => words.trim())
        .join("\n")
        .trim(),
    );
  }

  /** Sections that say nothing; all four are required. */
  missing(): SectionName<"brief">[] {
    return NAMES.filter((name) => this[name] === "");
  }

  /** Whether nothing is {@link missing}. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** The document: the four sections, and what was added. */
  toMarkdown(locale: Locale = "en"): string {
    const added = this.added === "" ? "" : `\n\n## ${ADDED[locale]}\n\n${this.added}`;
    return `${printSections("brief", this, locale)}${added}\n`;
  }

  /** The document under a head for the session that is to act on it. */
  promptBlock(locale: Locale = "en"): string {
    return `This is what was agreed with the person before the work. It is complete: what it leaves open you decide.\n\n${this.toMarkdown(locale)}`;
  }
}

const KNOWN = knownHeadings("brief");

/** Somebody may write a section below the added words; inside them no line begins with a hash: they are indented. */
function untilSection(text: string): { words: string; behind: string } {
  const lines = text.split("\n");
  const at = lines.findIndex((line, i) => line.startsWith("#") && headingAt(lines, i, KNOWN) !== undefined);
  const end = at === -1 ? lines.length : at;
  return { words: lines.slice(0, end).join("\n"), behind: lines.slice(end).join("\n") };
}

/**
 * A brief's text with a person's later words at its end, each under the date (UTC) they were said; the lines of one
 * message stay together as one list entry.
 */
export function appendToBrief(text: string, words: string, when: Date, locale: Locale): string {
  const entry = `- ${when.toISOString().slice(0, 16).replace("T", " ")}: ${entryText(words)}`;
  const whole = text.trimEnd();
  return ADDED_HEADING.test(whole) ? `${whole}\n${entry}\n` : `${whole}\n\n## ${ADDED[locale]}\n\n${entry}\n`;
}

/** Whether the last thing that was appended to a brief is these words. */
export function endsWithWords(text: string, words: string): boolean {
  return ADDED_HEADING.test(text) && text.trimEnd().endsWith(`: ${entryText(words)}`.trimEnd());
}

/** Further lines are indented, as Markdown wants it of an entry. */
function entryText(words: string): string {
  return words
    .trim()
    .split(/\r\n?|\n/)
    .join("\n  ");
}

/** Asks for the brief once more, naming what was missing. */
export function missingBriefPrompt(missing: readonly SectionName<"brief">[], locale: Locale): string {
  const headings = missing.map((name) => `"${HEADINGS.brief[name][locale]}"`).join(", ");
  return `The brief is not complete: ${headings} has no text. Answer with the whole brief, all four headings filled, and nothing else.`;
}
