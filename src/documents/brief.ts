import type { Locale } from "../core/locale.ts";
import { printSections, readSections, type SectionName, type Sections } from "./sections.ts";
import { EMPTY, HEADINGS, type ByLocale } from "./wording.ts";

const NAMES = ["goal", "acceptance", "boundaries", "unknowns"] as const;

/** Heading for what a person adds later; not one of the four, so that it never counts as a filled section. */
const ADDED: ByLocale = {
  en: "Added by the person",
  zh: "本人补充",
  pt: "Acrescentado pela pessoa",
  de: "Von der Person ergänzt",
};

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

  /** Reads the four sections; whatever else was written is dropped. Never throws. */
  static parse(text: string): Brief {
    const [own = "", ...rest] = text.split(addedHeading());
    return new Brief(readSections(own, "brief", { required: NAMES }), rest.join("\n").trim());
  }

  /** Sections that say nothing; all four are required. */
  missing(): SectionName<"brief">[] {
    return NAMES.filter((name) => this[name] === "");
  }

  complete(): boolean {
    return this.missing().length === 0;
  }

  /** The document: the four sections, and what was added. */
  toMarkdown(locale: Locale): string {
    const added = this.added === "" ? "" : `\n\n## ${ADDED[locale]}\n\n${this.added}`;
    return `${printSections("brief", this, locale, EMPTY[locale])}${added}\n`;
  }
}

/** A brief's text with a person's later words at its end, dated. */
export function appendToBrief(text: string, words: string, when: Date, locale: Locale): string {
  const line = `- ${when.toISOString().slice(0, 16).replace("T", " ")}: ${words.trim().replace(/\s*\n\s*/g, " ")}`;
  const whole = text.trimEnd();
  return addedHeading().test(whole) ? `${whole}\n${line}\n` : `${whole}\n\n## ${ADDED[locale]}\n\n${line}\n`;
}

/** Asks for the brief once more, naming what was missing. */
export function missingBriefPrompt(missing: readonly SectionName<"brief">[], locale: Locale): string {
  const headings = missing.map((name) => `"${HEADINGS.brief[name][locale]}"`).join(", ");
  return `The brief is not complete: ${headings} has no text. Answer with the whole brief, all four headings filled, and nothing else.`;
}

function addedHeading(): RegExp {
  return new RegExp(`^## (?:${Object.values(ADDED).join("|")})[ \\t]*$`, "m");
}
