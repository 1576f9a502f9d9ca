import type { HandoffLines } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import { knownHeadings } from "./known-headings.ts";
import { escapeLines, unescapeLines } from "./literal-lines.ts";
import { stepDisplayName } from "./names.ts";
import { plainSection, printSections, readSections, type Sections } from "./sections.ts";
import { degradedError, DEGRADED_MARKS, HEADINGS, LANGUAGE_NAMES, type ByLocale } from "./wording.ts";

/** Sections without which a handoff is worth less than a mechanical one; early on there may be no dead ends. */
export const REQUIRED = ["doing", "next"] as const;

/** The English marker; {@link Handoff.degraded} knows those of every locale. */
export const DEGRADED = DEGRADED_MARKS.en;

/** Characters of the original prompt in a degraded document. */
const DEGRADED_PROMPT_CHARS = 1_200;

/** Characters of the session's last words, and of the reports it got, in a degraded document: each of the two. */
const DEGRADED_PART_CHARS = 1_500;

/** Fewer characters of one text or report tell nothing: then older ones are left out. */
const DEGRADED_EXCERPT_CHARS = 300;

const LINE_CHARS = 160;

const KNOWN = knownHeadings("handoff");

const TOP: ByLocale<(step: string) => string> = {
  en: (step) =>
    `# Handoff: ${step}\n\n> This file may be edited. The session that takes over reads exactly this file, nothing else.`,
  zh: (step) => `# 交接:${step}\n\n> 这个文件可以直接改。接手的会话读到的就是这个文件,别的什么都没有。`,
  pt: (step) =>
    `# Handoff: ${step}\n\n> Este arquivo pode ser editado. A sessão que assume lê exatamente este arquivo e nada mais.`,
  de: (step) =>
    `# Handoff: ${step}\n\n> Diese Datei darf geändert werden. Die übernehmende Session liest genau diese Datei, sonst nichts.`,
};

/** What a session leaves to its successor. */
export class Handoff {
  /** Heads the document; not read from it. */
  readonly step: string;
  readonly doing: string;
  readonly decided: string;
  readonly deadEnds: string;
  readonly next: string;
  readonly scene: string;

  /** Takes sections of any text: line ends, outer blank lines and texts that say "empty" are put in order. */
  constructor(step: string, sections: Sections<"handoff">) {
    this.step = step;
    this.doing = plainSection(sections.doing);
    this.decided = plainSection(sections.decided);
    this.deadEnds = plainSection(sections.deadEnds);
    this.next = plainSection(sections.next);
    this.scene = plainSection(sections.scene);
  }

  /**
   * Reads what a session or a person wrote; never throws, missing sections are empty. Fenced code and the Facts part
   * are left out. What {@link toMarkdown} printed is read back as it was, whatever the sections hold.
   */
  static parse(text: string, { step }: { step: string }): Handoff {
    const read = readSections(text, "handoff", { required: REQUIRED, dropCode: true });
    return new Handoff(
      step,
      mapSections(read, (section) => unescapeLines(section, KNOWN)),
    );
  }

  /** Required sections that say nothing. */
  missing(): Array<(typeof REQUIRED)[number]> {
    return REQUIRED.filter((name) => this[name] === "");
  }

  /** Whether nothing is {@link missing}. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** True when it was put together mechanically, in whatever language. */
  get degraded(): boolean {
    // At the beginning alone: a session may well quote the mark of a document that it took over from.
    return Object.values(DEGRADED_MARKS).some((mark) => this.doing.startsWith(mark));
  }

  /** This document, with the sections that it lacks taken from another. */
  filledFrom(other: Handoff): Handoff {
    return new Handoff(this.step, {
      doing: this.doing || other.doing,
      decided: this.decided || other.decided,
      deadEnds: this.deadEnds || other.deadEnds,
      next: this.next || other.next,
      scene: this.scene || other.scene,
    });
  }

  /** The document as it is frozen; a Facts part may be put behind it. */
  toMarkdown(locale: Locale = "en"): string {
    const top = TOP[locale](stepDisplayName(this.step, locale));
    const sections = mapSections(this, (section) => escapeLines(section, KNOWN));
    return `${top}\n\n${printSections("handoff", sections, locale)}\n`;
  }

  /** The successor's first prompt, from this document as it stands. */
  promptBlock(locale: Locale = "en"): string {
    return successorPrompt(this.toMarkdown(locale));
  }
}

function mapSections(
  { doing, decided, deadEnds, next, scene }: Sections<"handoff">,
  change: (section: string) => string,
): Sections<"handoff"> {
  return {
    doing: change(doing),
    decided: change(decided),
    deadEnds: change(deadEnds),
    next: change(next),
    scene: change(scene),
  };
}

/**
 * Head of the successor's first prompt, then the file's text as it is: a person may have edited it.
 * @param doubts one line each, about what the document says; see `checkHandoff`.
 */
export function successorPrompt(fileText: string, doubts: readonly string[] = []): string {
  const head =
    "You are taking over work that another session began. You have no memory of it: all that is left of it is the document below and what is on disk. Go on from its next step; look at the disk where you need to know more. Ask nobody for background.";
  const checked =
    doubts.length === 0
      ? []
      : [`Checked before it was handed to you:\n${doubts.map((doubt) => `- ${doubt}`).join("\n")}`];
  return [head, ...checked, fileText].join("\n\n");
}

const DEGRADED_NEXT: ByLocale = {
  en: "Look at the workspace, the brief, the goal and the workbench's notes first: find out what is already there, then go on with what is missing.",
  zh: "先看工作目录、需求、目标和工作台里的笔记:弄清楚已经有了什么,再接着做缺的部分。",
  pt: "Olhe primeiro o diretório de trabalho, o brief, o objetivo e as notas da bancada: descubra o que já existe e continue com o que falta.",
  de: "Zuerst den Arbeitsbereich, den Brief, das Ziel und die Notizen der Werkbank ansehen: herausfinden, was schon da ist, dann mit dem Fehlenden weitermachen.",
};

const DEGRADED_SCENE: ByLocale = {
  en: "The step began with:",
  zh: "这一步开始时的提示是这样的:",
  pt: "A etapa começou com:",
  de: "Der Schritt begann mit:",
};

const DEGRADED_LAST_TEXTS: ByLocale = {
  en: "The session's last words:",
  zh: "会话最后说的话:",
  pt: "As últimas palavras da sessão:",
  de: "Die letzten Worte der Session:",
};

const DEGRADED_REPORTS: ByLocale = {
  en: "Reports it received:",
  zh: "它收到的报告:",
  pt: "Relatórios que recebeu:",
  de: "Berichte, die sie bekam:",
};

/** What flower knows when a session cannot write its document. */
export interface DegradedParts {
  why: string;
  /** Default `en`. */
  locale?: Locale;
  /** Last texts of the main thread, oldest first, without secrets. */
  lastTexts?: readonly string[];
  /** Reports of subagents, oldest first, without secrets. */
  reports?: readonly string[];
}

/**
 * A document put together from what flower knows, for when the session could not write its own. Its scene holds the
 * first 1,200 characters of the prompt, and up to 1,500 each of the last texts and of the reports.
 */
export function degraded(
  step: string,
  prompt: string,
  { why, locale = "en", lastTexts = [], reports = [] }: DegradedParts,
): Handoff {
  const parts = [
    [DEGRADED_SCENE[locale], cut(prompt, DEGRADED_PROMPT_CHARS)],
    // What a session is about to do stands at the end of its words; a report begins with its conclusion.
    [DEGRADED_LAST_TEXTS[locale], excerpts(lastTexts, cutStart)],
    [DEGRADED_REPORTS[locale], excerpts(reports, cut)],
  ] as const;
  return new Handoff(step, {
    doing: `${DEGRADED_MARKS[locale]} ${degradedError(why, locale)}`,
    decided: "",
    deadEnds: "",
    next: DEGRADED_NEXT[locale],
    scene: parts
      .filter(([, text], at) => at === 0 || text !== "")
      .map(([head, text]) => `${head}\n\n${text}`)
      .join("\n\n"),
  });
}

/** The newest of the texts in equal shares, in their order, apart by a blank line. */
function excerpts(texts: readonly string[], shorten: (text: string, chars: number) => string): string {
  const said = texts.map((text) => text.trim()).filter((text) => text !== "");
  const shown = said.slice(-Math.floor(DEGRADED_PART_CHARS / (DEGRADED_EXCERPT_CHARS + 2)));
  const share = Math.floor(DEGRADED_PART_CHARS / Math.max(1, shown.length)) - 2;
  return shown.map((text) => shorten(text, share).trim()).join("\n\n");
}

/** One line of each of the four sections that a person looks at. */
export function handoffLines(handoff: Handoff): HandoffLines {
  const { doing, decided, deadEnds, next } = handoff;
  return {
    doing: oneLine(doing),
    decided: oneLine(decided),
    deadEnds: oneLine(deadEnds),
    next: oneLine(next),
  };
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > LINE_CHARS ? `${cut(flat, LINE_CHARS - 1)}…` : flat;
}

/** The first characters, without half of a surrogate pair at the end. */
function cut(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** The last characters, without half of a surrogate pair at the start. */
function cutStart(text: string, chars: number): string {
  return text.slice(-chars).replace(/^[\udc00-\udfff]/, "");
}

/**
 * Asks the running session for the document. `{used}` and `{window}` are tokens, `{doing}` … the headings,
 * `{language}` the documents' language; see {@link handoffPrompt}.
 */
export const HANDOFF_PROMPT = `Your context is nearly full: {used} of {window} tokens. A new session will go on in your place. It has no memory of this conversation: it will read the document that you write now, the disk, and nothing else. You alone have the context, so you write it.

Answer with the document only, in {language}, under exactly these headings. No tools, no greeting, no code: name paths instead of pasting contents. Do not repeat the brief or the goal; the new session has them.

## {doing}
What is under way at this moment, and how far it is. Required.

## {decided}
Decisions, each with its reason and with who made it. A decision without its reason will be made again, differently.

## {deadEnds}
What was tried and does not work, and why. This is the section that writers leave out and successors pay for: in one run a problem that had been circled for an hour was not written down, and the next session circled it for that hour again. For each: what was tried, what it led to, what it cost. If nothing failed, leave it empty.

## {next}
The next step, concrete enough to act on without asking: which file, which command, which agent with which task. Required.

## {scene}
Where things are: paths, branches, running services, what is half done on disk.`;

/** {@link HANDOFF_PROMPT} with its places filled in. */
export function handoffPrompt({
  used,
  window,
  locale,
}: {
  used: number;
  window: number;
  locale: Locale;
}): string {
  const values: Record<string, string> = {
    used: String(used),
    window: String(window),
    language: LANGUAGE_NAMES[locale],
    ...Object.fromEntries(Object.entries(HEADINGS.handoff).map(([name, heading]) => [name, heading[locale]])),
  };
  return HANDOFF_PROMPT.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Asks once more, naming what was missing. */
export function missingSectionsPrompt(missing: readonly (typeof REQUIRED)[number][], locale: Locale): string {
  const headings = missing.map((name) => `"${HEADINGS.handoff[name][locale]}"`).join(" and ");
  return `The document cannot be used: ${headings} has no text. Write the whole document again, with all five headings; these two may not be empty: "${HEADINGS.handoff.doing[locale]}" and "${HEADINGS.handoff.next[locale]}". Answer with the document only.`;
}
