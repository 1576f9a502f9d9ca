import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import {
  DEGRADED,
  degraded,
  Handoff,
  HANDOFF_PROMPT,
  handoffLines,
  handoffPrompt,
  missingSectionsPrompt,
  REQUIRED,
  successorPrompt,
} from "../../src/documents/handoff.ts";
import { DEGRADED_MARKS, HEADINGS } from "../../src/documents/wording.ts";

const SECTIONS = {
  doing: "Porting the parser\n\n- file one\n  - line",
  decided: "YAML out: the person said so",
  deadEnds: "",
  next: "Next: run `npm test`\n\n---\n\n下一步\uff1a看结果",
  scene: "branch `port`",
};
const handoff = new Handoff("work#round2", SECTIONS);

describe("handoff", () => {
  it.each(LOCALES)("is read as it was printed in %s", (locale) => {
    expect(Handoff.parse(handoff.toMarkdown(locale), { step: "work#round2" })).toEqual(handoff);
  });

  it("puts its sections in order, whoever made them", () => {
    const made = new Handoff("work", { ...SECTIONS, doing: "\r\n  A\r\nB\r\n", next: "(vazio)", scene: "" });
    expect([made.doing, made.next]).toEqual(["A\nB", ""]);
    expect(made.missing()).toEqual(["next"]);
  });

  it("prints headings and fences of a section as text that Markdown shows alike", () => {
    const made = new Handoff("work", {
      ...SECTIONS,
      doing: "## Scene\n```\nx\n```\nScene\n---\n# C#",
      next: "B",
    });
    expect(made.toMarkdown("en")).toContain("\\## Scene\n\\```\nx\n\\```\nScene\n\\---\n# C#\n");
  });

  it("is headed by the step and says that it may be edited", () => {
    expect(handoff.toMarkdown("en")).toMatch(
      /^# Handoff: work#round2\n\n> .*may be edited.*exactly this file/,
    );
    expect(handoff.toMarkdown("de")).toMatch(/^# Handoff: arbeit#runde2\n\n> .*darf geändert werden/);
    expect(handoff.toMarkdown("pt")).toMatch(/^# Handoff: trabalho#rodada2\n\n> .*pode ser editado/);
    expect(handoff.toMarkdown("zh")).toMatch(/^# 交接:干活#round2\n\n> .*可以直接改/);
  });

  it("needs doing and next, nothing else", () => {
    expect(REQUIRED).toEqual(["doing", "next"]);
    expect(Handoff.parse("## Doing\nA\n## Next\nB", { step: "s" }).complete()).toBe(true);
    expect(Handoff.parse("## Doing\n(空)\n## Scene\nB", { step: "s" }).missing()).toEqual(["doing", "next"]);
  });

  it("gives the screen one line a section", () => {
    const lines = handoffLines(
      Handoff.parse(`## Doing\n${handoff.doing}\n## Decided\n${"x".repeat(158) + "😀" + "y".repeat(9)}`, {
        step: "s",
      }),
    );
    expect(lines.doing).toBe("Porting the parser - file one - line");
    expect(lines.deadEnds).toBe("");
    expect(lines.decided).toBe(`${"x".repeat(158)}…`);
  });
});

describe("the successor's prompt", () => {
  it("carries the file's text unchanged, however it was edited", () => {
    const text = "edited, no headings at all\r\n";
    const prompt = successorPrompt(text);
    expect(prompt.endsWith(`\n\n${text}`)).toBe(true);
    for (const word of [/taking over/, /no memory/, /on disk/, /next step/, /Ask nobody/])
      expect(prompt).toMatch(word);
  });

  it("of a handoff is that of its document", () => {
    expect(handoff.promptBlock("zh")).toBe(successorPrompt(handoff.toMarkdown("zh")));
  });
});

it("documents are in English unless told otherwise", () => {
  const made = degraded("work", "go", { why: "the model refused" });
  expect(made.toMarkdown()).toBe(
    degraded("work", "go", { why: "the model refused", locale: "en" }).toMarkdown("en"),
  );
  expect(made.promptBlock()).toBe(made.promptBlock("en"));
});

describe("a degraded handoff", () => {
  it.each(LOCALES)("is complete, marked and carries the start of the prompt (%s)", (locale) => {
    const prompt = "p".repeat(1199) + "😀 and more";
    const made = degraded("work", prompt, { why: "the model refused", locale });
    expect(made.doing).toContain(DEGRADED_MARKS[locale]);
    expect(made.doing).toContain("the model refused");
    expect(made.scene).toContain("p".repeat(1199));
    expect(made.scene).not.toMatch(/[\ud800-\udfff]/);
    expect(made.complete()).toBe(true);
    expect(made.degraded).toBe(true);
    expect(Handoff.parse(made.toMarkdown("en"), { step: "work" })).toEqual(made);
  });

  const why = "the model refused";

  it.each(LOCALES)("holds the last words and the reports, oldest first (%s)", (locale) => {
    const made = degraded("work", "Build it.", {
      why,
      locale,
      lastTexts: ["I looked.", " \n", "Now the parser."],
      reports: ["Ported.\n\n```ts\n## Next step\n```\n\n## Doing now\nnot a section"],
    });
    expect(made.scene).toMatch(
      /^[^\n]+\n\nBuild it\.\n\n[^\n]+\n\nI looked\.\n\nNow the parser\.\n\n[^\n]+\n\nPorted\.\n/,
    );
    expect(made.scene).toContain("## Doing now\nnot a section");
    expect(made.next).not.toBe("");
    expect(Handoff.parse(made.toMarkdown(locale), { step: "work" })).toEqual(made);
  });

  it("names no part that there is nothing of", () => {
    const bare = degraded("work", "Build it.", { why, locale: "en" });
    expect(bare.scene).toBe("The step began with:\n\nBuild it.");
    const reported = degraded("work", "Build it.", { why, locale: "en", lastTexts: [], reports: ["Done."] });
    expect(reported.scene).toBe(`${bare.scene}\n\nReports it received:\n\nDone.`);
  });

  it("keeps the end of a long text and the start of a long report, whole characters only", () => {
    const long = `<start>${"😀".repeat(2_000)}<end>`;
    const { scene } = degraded("work", "Build it.", {
      why,
      locale: "en",
      lastTexts: [long],
      reports: [long],
    });
    const [, , , words = "", , report = ""] = scene.split("\n\n");
    expect(words).toMatch(/^😀+<end>$/u);
    expect(report).toMatch(/^<start>😀+$/u);
    for (const part of [words, report]) {
      expect(part.length).toBeLessThanOrEqual(1_500);
      expect(part.length).toBeGreaterThan(1_490);
    }
  });

  it("gives several of them equal shares, and leaves the oldest out where these get small", () => {
    const reports = Array.from({ length: 9 }, (_, at) => `report ${at + 1} ${"x".repeat(2_000)}`);
    const { scene } = degraded("work", "Build it.", { why, locale: "en", reports });
    const shown = scene.split("\n\n").filter((part) => part.startsWith("report "));
    expect(shown.map((part) => part.slice(0, 8))).toEqual(["report 6", "report 7", "report 8", "report 9"]);
    for (const part of shown) expect(part.length).toBeGreaterThan(350);
    expect(shown.join("\n\n").length).toBeLessThanOrEqual(1_500);
  });

  it("is told from a written one", () => {
    expect(handoff.degraded).toBe(false);
    const { decided, deadEnds, next, scene } = handoff;
    const doing = `took over from one marked ${DEGRADED}`;
    const quoting = new Handoff("work", { doing, decided, deadEnds, next, scene });
    expect(quoting.degraded).toBe(false);
    expect(DEGRADED).toBe("[degraded: the handoff was not written]");
  });
});

describe("the prompt that asks for it", () => {
  it.each(LOCALES)("names the figures, the language and all five headings (%s)", (locale) => {
    const prompt = handoffPrompt({ used: 152_000, window: 200_000, locale });
    expect(prompt).toContain("152000 of 200000");
    expect(prompt).not.toMatch(/\{\w+\}/);
    for (const heading of Object.values(HEADINGS.handoff))
      expect(prompt).toContain(`## ${heading[locale]}\n`);
  });

  it("has places for both figures and tells the price of a dead end once", () => {
    expect(HANDOFF_PROMPT).toContain("{used}");
    expect(HANDOFF_PROMPT).toContain("{window}");
    expect(HANDOFF_PROMPT).toMatch(/circled for an hour .* that hour again/);
    for (const word of [/with its reason/, /No tools/, /document only/, /Do not repeat the brief/])
      expect(HANDOFF_PROMPT).toMatch(word);
  });

  it("once more names what was missing", () => {
    const prompt = missingSectionsPrompt(["next"], "de");
    expect(prompt).toContain('"Nächster Schritt" has no text');
    expect(missingSectionsPrompt(["doing", "next"], "en")).toContain('"Doing now" and "Next step"');
  });
});
