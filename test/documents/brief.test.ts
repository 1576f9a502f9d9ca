import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { appendToBrief, Brief, missingBriefPrompt } from "../../src/documents/brief.ts";

const SECTIONS = {
  goal: "A converter.\n\n---\n\nGoal: fast",
  acceptance: "- `npm test` is green\n- 结果\uff1a三行",
  boundaries: "None.",
  unknowns: "### Assumed\n- Node 20",
};
const WHEN = new Date("2026-03-04T05:06:07Z");

describe("brief", () => {
  it.each(LOCALES)("is read as it was printed in %s", (locale) => {
    const brief = new Brief(SECTIONS, "- 2026-03-04 05:06: also XML");
    expect(Brief.parse(brief.toMarkdown(locale))).toEqual(brief);
  });

  it("needs all four sections; none is an answer, empty is not", () => {
    expect(new Brief(SECTIONS).complete()).toBe(true);
    const brief = Brief.parse("## Goal\nA\n## Acceptance\nB\n## Boundaries\n(leer)\n## Unknowns\nNone");
    expect(brief.missing()).toEqual(["boundaries"]);
  });

  it("drops what else was written", () => {
    const text = `I asked three questions.\n\n${new Brief(SECTIONS).toMarkdown("en")}`;
    expect(Brief.parse(text).toMarkdown("en")).toBe(new Brief(SECTIONS).toMarkdown("en"));
  });

  it("carries the whole document in its prompt", () => {
    expect(new Brief(SECTIONS).promptBlock("pt")).toContain(new Brief(SECTIONS).toMarkdown("pt"));
  });

  it("asks again under the heading that is missing", () => {
    const prompt = missingBriefPrompt(["unknowns"], "de");
    expect(prompt).toContain("Unbekanntes und Annahmen");
    expect(prompt).not.toContain("Grenzen");
  });
});

describe("words of a person added to a brief", () => {
  it.each(LOCALES)("come last, and the four sections stay as they are (%s)", (locale) => {
    const once = appendToBrief(new Brief(SECTIONS).toMarkdown(locale), "also XML", WHEN, locale);
    const brief = Brief.parse(appendToBrief(once, "and:\r\n## Goal\n- YAML", WHEN, "en"));
    expect(brief).toMatchObject(SECTIONS);
    expect(brief.added).toBe("- 2026-03-04 05:06: also XML\n- 2026-03-04 05:06: and:\n  ## Goal\n  - YAML");
  });

  it("end where a section follows that somebody wrote below them", () => {
    const text =
      "## Goal\nA\n## Acceptance\nB\n## Boundaries\nC\n## Added by the person\n- x\n## Unknowns\nD";
    expect(Brief.parse(text)).toMatchObject({ goal: "A", boundaries: "C", unknowns: "D", added: "- x" });
  });

  it("are kept out of an open fence, on Windows line ends too", () => {
    const text = "## Goal\r\nA\r\n## Unknowns\r\n```\r\nx\r\n";
    const brief = Brief.parse(appendToBrief(text, "w", WHEN, "en").replace(/\r?\n/g, "\r\n"));
    expect(brief.added).toBe("- 2026-03-04 05:06: w");
  });
});
