import type { Locale } from "../core/locale.ts";
import { listItems } from "./list-items.ts";
import { printSections, readSections, type SectionName } from "./sections.ts";

const NAMES = ["statement", "checks"] as const;
const UNVERIFIABLE =
  /\[(?:unverifiable here|此处无法验证|não verificável aqui|hier nicht prüfbar)\s*(?:[:\uff1a][^\]]*)?\]/i;

/** What will be judged. */
export class Goal {
  readonly statement: string;
  readonly checks: readonly string[];

  constructor(statement: string, checks: readonly string[]) {
    this.statement = statement;
    this.checks = checks;
  }

  /** Reads statement and checks, one check a list item. Never throws; what is not there is empty. */
  static parse(text: string): Goal {
    const { statement, checks } = readSections(text, "goal", { required: NAMES });
    return new Goal(statement, listItems(checks));
  }

  /** What is missing for a goal that can be judged. */
  missing(): SectionName<"goal">[] {
    return NAMES.filter((name) => this[name].length === 0);
  }

  /** Whether there are a statement and a check. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** Checks that the judge marked as not verifiable here, while it is still free to change. */
  unverifiable(): string[] {
    return this.checks.filter((check) => UNVERIFIABLE.test(check));
  }

  /** The document as it is frozen. */
  toMarkdown(locale: Locale = "en"): string {
    const checks = this.checks.map((check) => `- ${check}`).join("\n");
    return `${printSections("goal", { statement: this.statement, checks }, locale)}\n`;
  }

  /** The document under a head for the session that is to act on it. */
  promptBlock(locale: Locale = "en"): string {
    return `This is the goal. A session that did none of the work will judge the result by these checks.\n\n${this.toMarkdown(locale)}`;
  }
}
