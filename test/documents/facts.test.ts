import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { factsMarkdown, type HandoffFacts } from "../../src/documents/facts.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { FACTS_HEADING, HEADINGS } from "../../src/documents/wording.ts";

const NOTHING: HandoffFacts = {
  generation: 1,
  filesWritten: [],
  dispatches: [],
  todos: [],
  artifactsAdded: [],
  notesAdded: [],
};

const FACTS: HandoffFacts = {
  generation: 3,
  filesWritten: ["src/old.ts", "src/new.ts"],
  dispatches: [
    { task: "Port the parser", report: "Done, 12 tests pass" },
    { task: "Look around", report: "" },
  ],
  todos: ["first", "second"],
  git: { head: "c8b2f7e Start", status: " M src/a.ts\n?? b.txt\n" },
  artifactsAdded: ["artifacts/run.log"],
  notesAdded: ["notes/why-yaml.md"],
  lastFailure: { command: "npm test --\n  --run", exit: "2" },
};

const handoff = new Handoff("work", { doing: "A", decided: "", deadEnds: "", next: "B", scene: "S" });

describe("the Facts part", () => {
  it("has one line a fact, the newest first, to-dos as planned", () => {
    expect(factsMarkdown(FACTS, "en").split("\n")).toEqual([
      "## Facts",
      "",
      "- Generation: 3",
      "- Last failing command: npm test -- --run → exit code 2",
      "- Git HEAD: c8b2f7e Start",
      "- Git status: M src/a.ts; ?? b.txt",
      "- Open to-dos (2):",
      "  - first",
      "  - second",
      "- Dispatches (2):",
      "  - Look around",
      "  - Port the parser → Done, 12 tests pass",
      "- Files written (2):",
      "  - src/new.ts",
      "  - src/old.ts",
      "- Artifacts added (1):",
      "  - artifacts/run.log",
      "- Notes added (1):",
      "  - notes/why-yaml.md",
      "",
    ]);
  });

  it("leaves out what there is none of", () => {
    expect(factsMarkdown(NOTHING, "en")).toBe("## Facts\n\n- Generation: 1\n");
    const unborn = { ...NOTHING, git: { head: "", status: "?? a" } };
    expect(factsMarkdown(unborn, "en")).toBe("## Facts\n\n- Generation: 1\n- Git status: ?? a\n");
    const clean = { ...NOTHING, git: { head: "abc", status: "" } };
    expect(factsMarkdown(clean, "en")).toBe("## Facts\n\n- Generation: 1\n- Git HEAD: abc\n");
  });

  it("says in words how a command ended that has no code", () => {
    const facts = { ...NOTHING, lastFailure: { command: "make", exit: "stopped\nby hand" } };
    expect(factsMarkdown(facts, "de")).toContain(
      "- Letzter fehlgeschlagener Befehl: make → stopped by hand\n",
    );
  });

  it("keeps the code of a long command", () => {
    const facts = { ...NOTHING, lastFailure: { command: "x".repeat(999), exit: "1" } };
    expect(factsMarkdown(facts, "en")).toMatch(/x… → exit code 1\n$/);
  });

  it.each(LOCALES)("counts what does not fit, and cuts the lists evenly (%s)", (locale) => {
    const many = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `${name}/${"x".repeat(30)}-${at + 1}.txt`);
    const facts: HandoffFacts = {
      ...FACTS,
      filesWritten: many("src", 900),
      artifactsAdded: many("artifacts", 300),
      notesAdded: many("notes", 2),
    };
    const text = factsMarkdown(facts, locale);
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.length).toBeGreaterThan(3_900);
    const shown = (name: string): string[] => text.split("\n").filter((line) => line.includes(` ${name}/x`));
    expect(shown("src")[0]).toContain("-900.txt");
    expect(shown("notes")).toHaveLength(2);
    const difference = shown("src").length - shown("artifacts").length;
    expect(Math.abs(difference)).toBeLessThanOrEqual(10);
    const rest = 900 - shown("src").length;
    expect(
      text.split("\n").filter((line) => line.startsWith("  - … ") && line.includes(` ${rest}`)),
    ).toHaveLength(1);
  });

  it("is never longer than the limit", () => {
    for (let limit = 0; limit <= 420; limit += 1)
      expect(factsMarkdown(FACTS, "pt", limit).length).toBeLessThanOrEqual(limit);
    expect(factsMarkdown(FACTS, "pt", 420)).toContain("Fatos");
  });

  it("clips a long line between characters", () => {
    const text = factsMarkdown({ ...NOTHING, todos: ["y" + "😀".repeat(300)] }, "en");
    const line = text.split("\n").at(-2)!;
    expect(line.length).toBeLessThanOrEqual(240);
    expect(line.endsWith("😀…")).toBe(true);
  });

  const nasty = ["# Scene", "## Next step\n\n## Doing now", "```sh\nrm", "> quoted", "~~~", "\u2028"];

  it.each(LOCALES)("is dropped when the document is read, whatever it says (%s)", (locale) => {
    const facts = {
      ...FACTS,
      todos: nasty,
      filesWritten: nasty,
      notesAdded: Object.values(HEADINGS.handoff).map((heading) => heading[locale]),
      git: { head: "## Scene", status: "## Scene\n```" },
    };
    const part = factsMarkdown(facts, locale);
    for (const line of part.split("\n").slice(1)) expect(line).toMatch(/^(?: {2})?- [^#>`~]|^$/);
    const printed = `${handoff.toMarkdown(locale)}\n${part}`;
    expect(Handoff.parse(printed, { step: "work" })).toEqual(handoff);
  });
});

describe("a Facts heading", () => {
  const parse = (text: string): Handoff =>
    Handoff.parse(`## Doing\nA\n## Next\nB\n${text}`, { step: "work" });

  it.each(Object.values(FACTS_HEADING))(
    "%s ends the last section, in any language of the document",
    (word) => {
      expect(parse(`## Scene\nS\n\n## ${word}\n\n- x`)).toEqual(handoff);
      expect(parse(`## Scene\nS\n\n${word}\n---\n\n- x`)).toEqual(handoff);
    },
  );

  it("may come more than once: a session may copy what it was given", () => {
    expect(parse("## Scene\nS\n## Facts\n- x\n## Fakten\n- y")).toEqual(handoff);
  });

  // Fails when a copy is told by its place alone: it would be inherited from generation to generation.
  it.each([
    ["## Scene\nS\n### Facts\n- Generation: 3\n- Open to-dos (1):\n  - x", "B"],
    ["## Scene\nS\n\n**Fakten**\n\n- Generation: 3", "B"],
    ["## 事实\n\n- 第几代: 3\n\n## Scene\nS", "B"],
  ])("over a copy of flower's own ends the section wherever it stands: %j", (rest, next) => {
    expect(parse(rest)).toMatchObject({ next, scene: "S" });
  });

  // Fails when the line is not escaped: a section would lose what it says about facts when it is read again.
  it.each(LOCALES)("within a section is text when it is printed and read again (%s)", (locale) => {
    const scene = ["Facts:", "- Generation: 9", "**Fakten**", "- 第几代: 2", "the rest"].join("\n");
    const written = new Handoff("work", { doing: "A", decided: "", deadEnds: "", next: "B", scene });
    expect(Handoff.parse(written.toMarkdown(locale), { step: "work" })).toEqual(written);
  });

  it("is as deep as the sections are", () => {
    const text = "### Doing\nA\n### Next\nB\n### Scene\nS\n### Facts\n- x";
    expect(Handoff.parse(text, { step: "work" })).toEqual(handoff);
  });

  it("between the sections or below them is a writer's own", () => {
    expect(parse("## Facts\nF\n## Scene\nS").next).toBe("B\n## Facts\nF");
    expect(parse("## Scene\nS\n### Facts\nF").scene).toBe("S\n### Facts\nF");
    expect(parse("## Scene\nFacts: F\n**Facts**\nG").scene).toBe("Facts: F\n**Facts**\nG");
  });
});
