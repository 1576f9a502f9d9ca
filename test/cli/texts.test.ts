import { describe, expect, it } from "vitest";
import { textsFor } from "../../src/cli/texts.ts";
import { LOCALES } from "../../src/core/locale.ts";
import { WORKFLOW_TEXTS } from "../../src/workflow/texts.ts";

/** Words that are the same in two languages, by path. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  zh: ["windowSource.FLOWER_WINDOW"],
  pt: ["windowSource.FLOWER_WINDOW", "total"],
  de: ["windowSource.FLOWER_WINDOW"],
};

/** Every word of a table by its path; functions are asked with words that can be told again. */
function leaves(value: unknown, path = ""): Array<[path: string, text: string]> {
  if (typeof value === "function") {
    const said: unknown = Reflect.apply(value, undefined, ["<1>", "<2>", "<3>"]);
    return leaves(said, path);
  }
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, item]) =>
      leaves(item, path === "" ? name : `${path}.${name}`),
    );
  return [[path, String(value)]];
}

const TABLES = {
  interface: Object.fromEntries(LOCALES.map((locale) => [locale, textsFor(locale)])),
  workflow: WORKFLOW_TEXTS,
};

describe.each(Object.entries(TABLES))("words of the %s", (_name, table) => {
  const english = new Map(leaves(table["en"]));

  it.each(["zh", "pt", "de"])("are all there in %s, with the same blanks, and not in English", (locale) => {
    const words = leaves(table[locale]);
    expect(words.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of words) {
      expect(text.trim(), path).not.toBe("");
      expect(blanks(text), path).toEqual(blanks(english.get(path) ?? ""));
    }
    const left = words.filter(([path, text]) => text === english.get(path)).map(([path]) => path);
    expect(left.filter((path) => !(SAME[locale] ?? []).includes(path))).toEqual([]);
  });
});

const blanks = (text: string): string[] => (text.match(/<\d>/g) ?? []).sort();
