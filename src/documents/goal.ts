import type { Locale } from "../core/locale.ts";
import { printSections, readSections, type SectionName } from "./sections.ts";
import { EMPTY } from "./wording.ts";

const NAMES = ["statement", "checks"] as const;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;
const UNVERIFIABLE =
  /\[(?:unverifiable here|此处无法验证|não verificável aqui|hier nicht prüfbar)\s*[::]\s*([^\]]*)\]/i;

/** What will be judged. */
export class Goal {
  readonly statement: string;
  readonly checks: readonly string[];

  constructor(statement: string, checks: readonly string[]) {
    this.statement = statement;
    this.checks = checks;
  }

  /** Reads statement and checks; lines that begin no item belong to the check before. Never throws. */
  static parse(text: string): Goal {
    const { statement, checks } = readSections(text, "goal", { required: NAMES });
    const items: string[] = [];
    for (const line of checks.split("\n")) {
      if (line.trim() === "") continue;
      const last = items.length - 1;
      if (ITEM.test(line) || last < 0) items.push(line.replace(ITEM, "").trim());
      else items[last] = `${items[last] ?? ""} ${line.trim()}`;
    }
    return new Goal(statement, items);
  }

  /** What is missing for a goal that can be judged. */
  missing(): SectionName<"goal">[] {
    return NAMES.filter((name) => this[name].length === 0);
  }

  complete(): boolean {
    return this.missing().length === 0;
  }

  /** Checks that the judge marked as not verifiable here, while it is still free to change. */
  unverifiable(): string[] {
    return this.checks.filter((check) => UNVERIFIABLE.test(check));
  }

  toMarkdown(locale: Locale): string {
    const checks = this.checks.map((check) => `- ${check}`).join("\n");
    return `${printSections("goal", { statement: this.statement, checks }, locale, EMPTY[locale])}\n`;
  }
}
