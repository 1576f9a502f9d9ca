import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const file = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

/** What the reports import from packages of the SDK's makers. */
function sdkTypes(report: string): string[] {
  return [...report.matchAll(/^import (?:type )?\{ (.*) \} from '@anthropic-ai\/.*';$/gm)].map(
    ([, name = ""]) => name,
  );
}

/** Declarations of a report, one a text. */
const declarations = (report: string): string[] => report.split(/^(?=export )/m).slice(1);

/** Where types of the SDK may show, as docs/reference/api-report.md says. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  Options: ["buildOptions"],
  SDKMessage: ["normalize"],
};

it("types of the SDK show only where the page says so", () => {
  const report = file("etc/flower-agent.api.md");
  const shown = Object.fromEntries(
    sdkTypes(report).map((type) => [
      type,
      declarations(report)
        .filter((text) => new RegExp(`\\b${type}\\b`).test(text.replace(/^\s*\/\/.*$/gm, "")))
        .map((text) => /export (?:declare )?(?:abstract )?\w+ (\w+)/.exec(text)?.[1]),
    ]),
  );
  expect(shown).toEqual(ALLOWED);
  const page = file("docs/reference/api-report.md");
  for (const [type, names] of Object.entries(ALLOWED))
    for (const name of names) expect(page).toContain(`| \`${name}\` | \`${type}\` |`);
});

it.each(["testing", "stores"])("%s shows no type of the SDK", (name) => {
  expect(sdkTypes(file(`etc/${name}.api.md`))).toEqual([]);
});
