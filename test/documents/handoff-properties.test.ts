import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "../../src/core/locale.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { ALIASES, FACTS_HEADING, HEADINGS } from "../../src/documents/wording.ts";
import { seeded } from "../context/random-transcript.ts";

const DOCUMENTS = 150;

/** Every word that may head a section of a handoff, and two that may not. */
const HEADS = [
  ...Object.values(HEADINGS.handoff).flatMap((byLocale) => Object.values(byLocale)),
  ...Object.keys(HEADINGS.handoff).flatMap((name) => ALIASES[name] ?? []),
  ...Object.values(FACTS_HEADING),
  ...["Details", "C#"],
];

const INDENTS = [
  "",
  "",
  "",
  "",
  " ",
  "   ",
  "    ",
  "\t",
  "> ",
  "- ",
  "* ",
  "1. ",
  "> - ",
  "-     ",
  "\\",
  "\\\\",
];

/** Lines that documents are made of, and lines that were made to break them. */
const HEADED: ReadonlyArray<(head: string) => string> = [
  (head) => `## ${head}`,
  (head) => `##${head}:`,
  (head) => `# ${head} (required)`,
  (head) => `### 1. **${head}** ###`,
  (head) => `## ${head}\uff1atext behind it`,
  (head) => `**${head}**`,
  (head) => `**${head}:** text`,
  (head) => `2) ${head}`,
  (head) => `${head}: text`,
  (head) => head,
  (head) => `\`\`\`${head}`,
];

const PLAIN = [
  ...["```", "```ts", "~~~", "````", "~~~~ x", "`````", "``` a ` b", "---", "-", "===", "=", "***"],
  ...["const a = 1;", "\tindented();", "a\r", "\r", "", "", "", " ", "\u00a0", "\f", "\u2028", "\uFEFF"],
  ...["- one", "  - two", "1. first", "- [ ] open", "> quoted", ">", "<!--", "-->", "<!-- x -->", "<pre>"],
  ...[
    "</pre>",
    "<div>",
    "[a]: b",
    "(empty)",
    "\uff08空\uff09",
    "_(leer)_",
    "none",
    "接着写解析器",
    "路径 `src/甲.ts`",
  ],
  ...["😀", "\ud83d", "\u0000", "\\", "\\# x", "a  ", "|a|b|", "$&", "Próximo passo amanhã", "text"],
];

const LINES = [...HEADED, ...PLAIN.map((line) => () => line)];

class Writer {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  text(maxLines: number): string {
    const lines = Array.from({ length: Math.floor(this.#random() * (maxLines + 1)) }, () => {
      const line = this.pick(LINES)(this.pick(HEADS));
      return this.#random() < 0.4 ? this.pick(INDENTS) + line : line;
    });
    return lines.join(this.pick(["\n", "\n", "\n", "\r\n", "\r"]));
  }

  handoff(): Handoff {
    const [doing, decided, deadEnds, next, scene] = Array.from({ length: 5 }, () => this.text(6));
    return new Handoff("work#round2", {
      doing: doing!,
      decided: decided!,
      deadEnds: deadEnds!,
      next: next!,
      scene: scene!,
    });
  }
}

function factsOf(locale: Locale): string {
  return `\n## ${FACTS_HEADING[locale]}\n\n- Git: HEAD c8b2f7e\n- Files:\n  - src/a.ts\n`;
}

describe("whatever its sections hold, a handoff", () => {
  it.each(LOCALES)("is read as it was printed in %s, Facts or not", (locale) => {
    for (let seed = 1; seed <= DOCUMENTS; seed += 1) {
      const handoff = new Writer(seed).handoff();
      const printed = handoff.toMarkdown(locale);
      const others = LOCALES.map(factsOf);
      for (const facts of ["", others[seed % others.length]!]) {
        const read = Handoff.parse(printed + facts, { step: handoff.step });
        expect(read, `seed ${seed}\n${printed}`).toEqual(handoff);
      }
    }
  });

  it("survives CRLF of an editor", () => {
    for (let seed = 1; seed <= DOCUMENTS / 5; seed += 1) {
      const handoff = new Writer(seed).handoff();
      const edited = handoff.toMarkdown("en").replaceAll("\n", "\r\n");
      expect(Handoff.parse(edited, { step: handoff.step }), `seed ${seed}`).toEqual(handoff);
    }
  });
});

describe("any text", () => {
  it("is read without throwing, and what was read is printed and read again", () => {
    for (let seed = 1; seed <= DOCUMENTS; seed += 1) {
      const text = new Writer(seed).text(30);
      const read = Handoff.parse(text, { step: "work" });
      const again = Handoff.parse(read.toMarkdown("pt"), { step: "work" });
      expect(again, `seed ${seed}\n${JSON.stringify(text)}`).toEqual(read);
    }
  });
});
