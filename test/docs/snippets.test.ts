import { describe, expect, it } from "vitest";
import { blocksOf, inlineCommandsOf, pages, type Block } from "./pages.ts";
import { shellErrors } from "./shell.ts";
import { typeErrors } from "./snippets.ts";

const blocks = pages().flatMap(blocksOf);
const of = (...languages: string[]): Block[] =>
  blocks.filter(({ language, meta }) => languages.includes(language) && !meta.startsWith("no-check"));

const block = (language: string, text: string): Block => ({
  page: "docs/x.md",
  line: 5,
  language,
  meta: "",
  text,
});

describe("the snippets of README and docs", () => {
  it("say what they are, so that none escapes the checks", () => {
    const unknown = blocks.filter(
      ({ language }) =>
        !["ts", "js", "sh", "console", "json", "sql", "text", "ini", "markdown", "md"].includes(language),
    );
    expect(unknown.map(({ page, line, language }) => `${page}:${line - 1}: "${language}"`)).toEqual([]);
  });

  it("are left unchecked only with a reason", () => {
    const bare = blocks.filter(({ meta }) => /^no-check\W*$/.test(meta));
    expect(bare.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it("in TypeScript and JavaScript compile", () => {
    const wrong = block(
      "ts",
      'import { Runtime } from "flower-agent";\n\nnew Runtime({ workspace, nope: true });',
    );
    const errors = typeErrors([...of("ts", "js"), wrong]);
    const [planted, others] = [
      errors.filter((error) => error.startsWith("docs/x.md:7:")),
      errors.filter((error) => !error.startsWith("docs/x.md")),
    ];
    expect(others).toEqual([]);
    expect(planted).toHaveLength(1);
  }, 180_000);

  it("in JSON are JSON", () => {
    for (const { text } of of("json")) expect(() => JSON.parse(text) as unknown, text).not.toThrow();
  });

  it("give flower commands that its parser takes", async () => {
    const inline = pages().flatMap(inlineCommandsOf);
    expect(inline.length).toBeGreaterThan(0);
    const errors = await Promise.all([...of("sh", "console"), ...inline].map(shellErrors));
    expect(errors.flat()).toEqual([]);
  });

  it.each([
    ["an unknown option", "flower --no-such-thing x"],
    ["a bad value behind a pipe", "echo x | npx flower-agent --rounds 0 | cat"],
    ["words that a subcommand has no use for", "flower cost of living"],
    ["a script that is not there", "npm run no-such-script"],
    ["no shell", "flower 'x"],
  ])("are found wrong for %s", async (_what, text) => {
    expect(await shellErrors(block("sh", text))).toHaveLength(1);
  });
});
