import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textsFor } from "../../src/cli/texts.ts";
import { LOCALES, type Locale } from "../../src/core/locale.ts";

type Table = Readonly<Record<Locale, unknown>>;

/** Words that are rightly the same as in English, in whatever table. A new one goes here only for a reason. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  zh: ["FLOWER_WINDOW"],
  pt: ["FLOWER_WINDOW", "total"],
  de: ["FLOWER_WINDOW"],
};

const isTable = (value: unknown): value is Table =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).sort().join() === [...LOCALES].sort().join();

/** Every table of words by language that a `…texts.ts` exports, found by looking, so that none is forgotten. */
async function tables(): Promise<Array<[name: string, table: Table]>> {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?:^|[/-])texts\.ts$/.test(name),
  );
  const found = await Promise.all(
    files.map(async (name) => {
      const exported = (await import(join(src, name))) as Readonly<Record<string, unknown>>;
      return Object.entries(exported).filter((entry): entry is [string, Table] => isTable(entry[1]));
    }),
  );
  const own = Object.fromEntries(LOCALES.map((locale) => [locale, textsFor(locale)])) as Record<
    Locale,
    unknown
  >;
  return [["interface", own], ...found.flat()];
}

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

const TABLES = await tables();

describe.each(TABLES)("words of %s", (_name, table) => {
  const english = new Map(leaves(table.en));

  it.each(LOCALES.slice(1))("are all there in %s, with the same blanks, and not in English", (locale) => {
    const words = leaves(table[locale]);
    expect(words.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of words) {
      expect(text.trim(), path).not.toBe("");
      expect(blanks(text), path).toEqual(blanks(english.get(path) ?? ""));
    }
    const left = words.filter(([path, text]) => text === english.get(path) && !SAME[locale]?.includes(text));
    expect(left).toEqual([]);
  });
});

it.each(TABLES)("German says du and Strg in %s", (_name, table) => {
  for (const [path, text] of leaves(table.de))
    expect(text, path).not.toMatch(/\bIhr(?:e[mnrs]?)?\b|\bIhnen\b|Ctrl/);
});

it("finds the tables", () => {
  expect(TABLES.map(([name]) => name)).toEqual(expect.arrayContaining(["interface", "WORKFLOW_TEXTS"]));
});

const blanks = (text: string): string[] => (text.match(/<\d>/g) ?? []).sort();
