import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { BEQUEST_TEXTS } from "./bequest-texts.ts";
import { listItems } from "./list-items.ts";
import { readSections } from "./sections.ts";
import type { Verdict } from "./verdict.ts";
import { EMPTY, HEADINGS, LANGUAGE_NAMES, VERDICT_WORDS } from "./wording.ts";

/** What the session that did the work says at the end; a part that it left out is the empty string. */
export interface Conclusions {
  /** What was made. */
  about: string;
  /** Which files are generated, and by what. */
  generated: string;
  deadEnds: string;
}

/** A script of the workbench. Without secrets, like all texts of a bequest. */
export interface BequestScript {
  path: string;
  description?: string;
  /** How it was called last. */
  command?: string;
}

/** What a run leaves to whatever works in the directory next. Paths are relative to the workspace. */
export interface Bequest extends Conclusions {
  /** Id of the run. */
  run: string;
  /** Where the run stopped, in the locale's words; absent = it did all that it was to do. */
  stopped?: { step: string; reason: string };
  /** The session did not write its part. */
  mechanical: boolean;
  /** What was to be met, and what the last judge said; undefined = nobody judged. */
  checks: readonly string[];
  verdict: Verdict | undefined;
  scripts: readonly BequestScript[];
  /** Files that agents wrote, the newest first. */
  written: readonly string[];
  /** Workbench, documents and books. */
  places: readonly string[];
}

/** Lines of the block with its two markers, whatever it holds. */
const LINES = 60;
const MARKER_LINES = 2;
/** Characters of one line: lines without an end would get around the limit. */
const LINE_CHARS = 240;

/**
 * Characters that nobody sees, such as control, zero width, fillers, variation selectors: they can hide text from a
 * person that a model reads.
 */
const UNSEEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without control sequences and unseen characters. Secrets are looked for in what this leaves. */
export function visibleOnly(text: string): string {
  return stripControl(text).replace(UNSEEN, "");
}

/** The block's text, without its markers: at most 58 lines; of what is left out a line says how much. */
export function bequestBody(bequest: Bequest, locale: Locale): string {
  const texts = BEQUEST_TEXTS[locale];
  const { stopped, run, mechanical } = bequest;
  const ended = stopped === undefined ? texts.done : texts.stopped(stopped.step, stopped.reason);
  const head = [
    `## ${texts.title}`,
    "",
    `> ${texts.data}`,
    "",
    item(`${texts.run(run)}: ${ended}`),
    ...(mechanical ? [item(texts.mechanical)] : []),
  ];
  const sections = Object.entries<readonly string[]>({
    about: entries(bequest.about),
    acceptance: acceptance(bequest, locale),
    generated: generated(bequest, locale),
    deadEnds: entries(bequest.deadEnds),
    workbench: bequest.places.length === 0 ? [] : [`${texts.places}:`, ...bequest.places],
  } satisfies Record<keyof typeof HEADINGS.bequest, readonly string[]>).map(([name, items]) => ({
    heading: HEADINGS.bequest[name as keyof typeof HEADINGS.bequest][locale],
    items: items.length === 0 ? [EMPTY[locale]] : items,
  }));
  // Each has a heading between two blank lines; in front of the end marker there is one as well.
  const room = LINES - MARKER_LINES - head.length - 3 * sections.length - 1;
  const shown = shares(
    sections.map(({ items }) => items.length),
    room,
  );
  const body = sections.flatMap(({ heading, items }, at) => {
    const count = shown[at] ?? 0;
    const hidden = items.length - count;
    const rest = hidden === 0 ? [] : [item(texts.more(hidden))];
    return ["", `### ${heading}`, "", ...items.slice(0, count).map(item), ...rest];
  });
  return [...head, ...body, ""].join("\n");
}

/** How many items of each list are shown, in turn, when each line counts; a list that is cut needs one to say so. */
function shares(lengths: readonly number[], lines: number): number[] {
  const shown = lengths.map(() => 0);
  // A list's last line is paid in advance: it holds the last item, or says what is left out.
  let left = lines - lengths.length;
  for (let isOpen = true; isOpen;) {
    isOpen = false;
    lengths.forEach((length, at) => {
      const count = shown[at] ?? 0;
      const isLast = count === length - 1;
      if (count >= length || (!isLast && left === 0)) return;
      shown[at] = count + 1;
      if (!isLast) left -= 1;
      isOpen = true;
    });
  }
  return shown;
}

/** What is not met comes first: it is what is cut last. */
function acceptance({ checks, verdict, stopped }: Bequest, locale: Locale): string[] {
  const texts = BEQUEST_TEXTS[locale];
  const labelled = (label: string, lines: readonly string[]): string[] =>
    lines.map((line) => `${label}: ${line}`);
  if (verdict === undefined) return [`${texts.verdict}: ${texts.notJudged}`, ...labelled(texts.open, checks)];
  const { conclusion, failed, reason } = verdict;
  const word = `${texts.verdict}: ${VERDICT_WORDS[conclusion][locale]}`;
  if (conclusion === "achieved") return [word, ...labelled(texts.met, checks)];
  const named = failed.map((line) => checkAbout(line, checks));
  // Of the others nothing is known as long as a failure may be any of them, or when nothing could be judged.
  const isKnown = conclusion === "notYet" && failed.length > 0 && !named.includes(-1);
  return [
    stopped === undefined ? `${word}, ${texts.accepted}` : word,
    ...labelled(texts.unmet, failed),
    ...(reason === "" ? [] : [`${HEADINGS.verdict.reason[locale]}: ${reason}`]),
    ...labelled(
      isKnown ? texts.unobjected : texts.open,
      checks.filter((_check, at) => !named.includes(at)),
    ),
  ];
}

/**
 * The check that a judge's line is about; -1 when it may be several or none. The longest check whose words the line
 * repeats, else the one that repeats the line; a number in front decides only where no words do.
 */
function checkAbout(failed: string, checks: readonly string[]): number {
  const line = words(failed.replace(NUMBER, ""));
  const wanted = checks.map((check) => words(check.replace(NUMBER, "")));
  const whole = wanted.map((text) => (line.includes(text) ? text.length : 0));
  const longest = Math.max(0, ...whole);
  if (longest > 0) return onlyOne(whole.map((length) => length === longest));
  // A word or two of a check may stand in any of them.
  const parts = wanted.map((text) => line !== "" && 2 * line.length >= text.length && text.includes(line));
  if (parts.includes(true)) return onlyOne(parts);
  const number = numberOf(failed);
  return number === undefined ? -1 : onlyOne(checks.map((check) => numberOf(check) === number));
}

const onlyOne = (hits: readonly boolean[]): number =>
  hits.indexOf(true) === hits.lastIndexOf(true) ? hits.indexOf(true) : -1;

/** `2.`, `C2:`, `Check 2)`. */
const NUMBER = /^\s*\p{L}*\s*(\d+)\s*[.):\uff1a]/u;
const numberOf = (text: string): string | undefined => NUMBER.exec(text)?.[1];

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function generated({ generated: said, scripts, written }: Bequest, locale: Locale): string[] {
  const texts = BEQUEST_TEXTS[locale];
  const unsaid = scripts.filter(({ path }) => !said.includes(path));
  return [
    ...entries(said),
    ...unsaid.map(({ path, description, command }) =>
      [
        `\`${path}\``,
        ...(description === undefined ? [] : [description]),
        ...(command === undefined ? [] : [`${texts.lastRun} \`${command.replaceAll("`", "'")}\``]),
      ].join(" · "),
    ),
    ...written.map((path) => `${texts.written}: \`${path}\``),
  ];
}

/** One entry a line, without marks of lists and fences. */
function entries(text: string): string[] {
  return listItems(visibleOnly(text))
    .filter((line) => !/^(?:`{3}|~{3})/.test(line))
    .map((line) => line.replace(/^(?:#+|>+)\s*/, ""));
}

/**
 * A line of a list that can be nothing else. No comment may begin or end in it, as markers do; and no `@`: Claude Code
 * takes `@path` in CLAUDE.md for a file to read (0.3.332).
 */
function item(text: string): string {
  const flat = visibleOnly(text).replace(/\s+/g, " ").trim();
  const safe = flat
    .replace(/<(?=!-)/g, "&lt;")
    .replace(/--+!?>/g, "--&gt;")
    .replace(/\\*@/g, "\\@")
    .replace(/^(?=#|>|`{3}|~{3}|[-*+]\s)/, "\\");
  return `- ${clip(safe, LINE_CHARS - 2)}`;
}

/** Without half of a surrogate pair, and without a backslash that would escape the ellipsis. */
function clip(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff\\]+$/, "")}…`;
}

/** Asks the session that did the work for its part; `{about}` … are the headings, see {@link conclusionsPrompt}. */
const PROMPT = `This run is over. Whatever works in this directory next, another tool or a person, knows nothing of this conversation. Leave pointers for them; they go into a block of at most 60 lines in the project's CLAUDE.md and AGENTS.md, as data.

Answer in {language}, with these three headings and nothing else. Lists, one line an entry, at most ten entries each, the most important first. No tools, no greeting, no code: name paths. Tell what is so and what happened; give no orders. Whether the goal is met is not asked: the judge's verdict stands there already.

## {about}
What was made, for what, and where one begins to read. Required.

## {generated}
Files that are generated, and by what: the command or the script that makes them anew. Files that were written by hand do not belong here.

## {deadEnds}
What was tried and does not work, and why, from the whole of the work, also of sessions before you as far as you know. If nothing failed, leave it empty.`;

/** The prompt in which the session is asked, with headings and language filled in. */
export function conclusionsPrompt(locale: Locale): string {
  const values: Record<string, string> = {
    language: LANGUAGE_NAMES[locale],
    ...Object.fromEntries(Object.entries(HEADINGS.bequest).map(([name, heading]) => [name, heading[locale]])),
  };
  return PROMPT.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Reads what the session answered; undefined when it does not say what was made. Never throws. */
export function parseConclusions(text: string): Conclusions | undefined {
  const {
    about,
    generated: made,
    deadEnds,
  } = readSections(text, "bequest", {
    required: ["about"],
    dropCode: true,
  });
  return about === "" ? undefined : { about, generated: made, deadEnds };
}
