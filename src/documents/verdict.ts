import type { Locale } from "../core/locale.ts";
import { readBareConclusion, readConclusion, type Conclusion } from "./conclusion.ts";
import { listItems } from "./list-items.ts";
import { printSections, readSections } from "./sections.ts";
import { VERDICT_WORDS } from "./wording.ts";

/** What a judge said of a round. */
export class Verdict {
  readonly conclusion: Conclusion;
  readonly reason: string;
  /** Failed checks with their evidence, one an entry. */
  readonly failed: readonly string[];

  constructor(conclusion: Conclusion, reason: string, failed: readonly string[]) {
    this.conclusion = conclusion;
    this.reason = reason;
    this.failed = failed;
  }

  /**
   * Reads a verdict. Unclear counts as not yet, and so does a pass that lists failed checks. Never throws.
   * @returns undefined when no verdict can be read: then nothing was judged.
   */
  static parse(text: string): Verdict | undefined {
    const { conclusion, reason, failed } = readSections(text, "verdict", { required: ["conclusion"] });
    if (conclusion === "" && (reason !== "" || failed !== "")) return undefined;
    const read = conclusion === "" ? readBareConclusion(text) : readConclusion(conclusion);
    if (read === undefined) return undefined;
    const items = listItems(failed);
    return new Verdict(
      read === "achieved" && items.length > 0 ? "notYet" : read,
      conclusion === "" ? text.trim() : reason,
      items,
    );
  }

  /** The document: the three sections. */
  toMarkdown(locale: Locale = "en"): string {
    const { conclusion, reason, failed } = this;
    const sections = {
      conclusion: VERDICT_WORDS[conclusion][locale],
      reason,
      failed: failed.map((line) => `- ${line}`).join("\n"),
    };
    return `${printSections("verdict", sections, locale)}\n`;
  }
}
