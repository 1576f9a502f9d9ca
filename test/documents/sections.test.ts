import { describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { readSections } from "../../src/documents/sections.ts";
import { ALIASES, HEADINGS } from "../../src/documents/wording.ts";
import { LOCALES } from "../../src/core/locale.ts";
import { MARKDOWN_CASES } from "./markdown-cases.ts";

const EMPTY = { doing: "", decided: "", deadEnds: "", next: "", scene: "" };

describe("sections of a handoff", () => {
  it.each(MARKDOWN_CASES)("$name", ({ text, sections }) => {
    const read = readSections(text, "handoff", { required: ["doing", "next"], dropCode: true });
    expect(read).toEqual({ ...EMPTY, ...sections });
  });

  it.each(MARKDOWN_CASES)("reads again what it prints: $name", ({ text }) => {
    const handoff = Handoff.parse(text, { step: "work" });
    for (const locale of LOCALES)
      expect(Handoff.parse(handoff.toMarkdown(locale), { step: "work" })).toEqual(handoff);
  });

  it("never throws on odd text", () => {
    for (const text of ["", "\n", "```", "~~~~\n```", "##", "**", ":", "\uff1a", "## ##", "- ```\n## Next"])
      expect(readSections(text, "handoff", { required: ["doing"] }).doing).toBe("");
  });
});

describe("hostile text", () => {
  it("nested by the thousand is text", () => {
    expect(readSections(`## Next\n${">".repeat(5_000)}`, "handoff", { required: [] }).next).toMatch(/^>+$/);
  });
});

describe("many fences, one of them open,", () => {
  const options = { required: ["doing", "next"], dropCode: true } as const;
  const fence = "```sh\n## Doing now\nexample\n```\n";

  it("do not keep the open one from being doubted", () => {
    const text = `## Scene\nS\n${fence.repeat(300)}## Doing now\nA\n\`\`\`\nx\n## Next step\nB`;
    expect(readSections(text, "handoff", options)).toEqual({ ...EMPTY, scene: "S", doing: "A", next: "B" });
  });

  it.each([
    [8, "B"],
    [12, ""],
  ])("are doubted up to ten: each costs another reading (behind %i)", (count, next) => {
    const text = `## Doing now\nA\n${fence.repeat(count)}\`\`\`sh\n## Next step\nB\n\`\`\`\n\`\`\`sh\nopen`;
    expect(readSections(text, "handoff", options).next).toBe(next);
  });
});

describe("headings in forms of their own", () => {
  it.each([
    "## Gerade in Arbeit\nA\n## Naechster Schritt\nB",
    "## Fazendo agora\nA\n## Proximo passo\nB",
    "## Doing now — A\n## Next step - B",
    "## Doing now – A\n**Next step**: B",
  ])("%j", (text) => {
    const { doing, next } = readSections(text, "handoff", { required: ["doing", "next"] });
    expect({ doing, next }).toEqual({ doing: "A", next: "B" });
  });
});

describe("sections of other documents", () => {
  it("keeps code in a brief as it is", () => {
    const code = "Print:\n\n```\na\n\n\n\n## Goal\nb\n```";
    expect(Brief.parse(`## Goal\n\n${code}\n\n## Boundaries\nnone`).goal).toBe(code);
  });

  it.each(Object.entries(HEADINGS))("gives each heading of a %s to one section", (_kind, sections) => {
    const owners = new Map<string, string>();
    for (const [name, byLocale] of Object.entries<Record<string, string>>(sections))
      for (const heading of [...Object.values(byLocale), ...(ALIASES[name] ?? [])].map((h) =>
        h.toLowerCase(),
      )) {
        expect(owners.get(heading) ?? name, heading).toBe(name);
        owners.set(heading, name);
      }
  });

  it.each(LOCALES)("knows every canonical heading in %s", (locale) => {
    for (const kind of ["handoff", "brief", "goal", "verdict"] as const) {
      const entries = Object.entries<Record<string, string>>(HEADINGS[kind]);
      const text = entries.map(([name, by]) => `## ${by[locale]}\n${name} text`).join("\n");
      expect(readSections(text, kind, { required: [] })).toEqual(
        Object.fromEntries(entries.map(([name]) => [name, `${name} text`])),
      );
    }
  });
});
