import type { Locale } from "../core/locale.ts";
import { printSections, readSections } from "./sections.ts";
import { EMPTY, isEmptyText, VERDICT_WORDS } from "./wording.ts";

/** A judge's ruling on a round. */
export type Conclusion = keyof typeof VERDICT_WORDS;

/** Read in this order: a negated "met" contains "met", and what cannot be verified is never a pass. */
const READINGS: ReadonlyArray<readonly [Conclusion, RegExp]> = [
  [
    "unreachable",
    /unreachable|cannot be (?:verified|reached|met|achieved)|can ?not be verified|can't be verified|not verifiable|unverifiable|无法达成|无法验证|inalcançável|não pode ser verificad|unerreichbar|nicht (?:über)?prüfbar/i,
  ],
  [
    "notYet",
    /not yet|\b(?:not|never|isn't|wasn't|hasn't|haven't|no)\b[^.\n]{0,40}\b(?:achieved|met|reached|done|fulfilled|pass(?:ed)?)\b|unmet|unachieved|\bfail(?:ed|s|ure)?\b|未达成|没有?达成|尚未|ainda não|não (?:foi )?alcançad|noch nicht|nicht (?:erreicht|erfüllt)/i,
  ],
  ["achieved", /\b(?:achieved|met|reached|passed|fulfilled)\b|达成|alcançad[oa]|erreicht|erfüllt/i],
];

/** What a judge said of a round. */
export class Verdict {
  readonly conclusion: Conclusion;
  readonly reason: string;
  /** Failed checks, one a line of the document. */
  readonly failed: readonly string[];

  constructor(conclusion: Conclusion, reason: string, failed: readonly string[]) {
    this.conclusion = conclusion;
    this.reason = reason;
    this.failed = failed;
  }

  /** Reads a verdict; unclear counts as not yet. Undefined when there is no conclusion at all: then nothing was judged. */
  static parse(text: string): Verdict | undefined {
    const { conclusion, reason, failed } = readSections(text, "verdict", { required: ["conclusion"] });
    if (conclusion === "") return undefined;
    const read = READINGS.find(([, pattern]) => pattern.test(conclusion))?.[0] ?? "notYet";
    return new Verdict(read, reason, items(failed));
  }

  toMarkdown(locale: Locale): string {
    return `${printSections(
      "verdict",
      {
        conclusion: VERDICT_WORDS[this.conclusion][locale],
        reason: this.reason,
        failed: this.failed.map((line) => `- ${line}`).join("\n"),
      },
      locale,
      EMPTY[locale],
    )}\n`;
  }
}

function items(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim())
    .filter((line) => !isEmptyText(line));
}
