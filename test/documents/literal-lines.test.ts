import { expect, it } from "vitest";
import { knownHeadings } from "../../src/documents/known-headings.ts";
import { escapeLines, unescapeLines } from "../../src/documents/literal-lines.ts";

const KNOWN = knownHeadings("handoff");

const ROWS: ReadonlyArray<readonly [text: string, escaped: string]> = [
  ["## Scene", "\\## Scene"],
  ["  ##Scene: here", "  \\##Scene: here"],
  ["\\## Scene", "\\\\## Scene"],
  ["#### Fakten", "\\#### Fakten"],
  ["Scene\n---\n---", "Scene\n\\---\n---"],
  ["Scene\n\\===", "Scene\n\\\\==="],
  // The line above the dashes would be a heading, were it no fence: escaped, it is neither.
  ["```Scene\n---", "\\```Scene\n---"],
  ["```\nx\n~~~~", "\\```\nx\n\\~~~~"],
  ["> - ```ts", "> - \\```ts"],
  ["1.   ~~~", "1.   \\~~~"],
  ["# C#\n#Scene\n**Scene**\nScene: here\n- Scene", "# C#\n\\#Scene\n**Scene**\nScene: here\n- Scene"],
  ["    ## Scene\n```inline``` code\n---\n-- ```", "    ## Scene\n```inline``` code\n---\n-- ```"],
];

it.each(ROWS)("%j", (text, escaped) => {
  expect(escapeLines(text, KNOWN)).toBe(escaped);
  expect(unescapeLines(escaped, KNOWN)).toBe(text);
});

it("takes back no backslash that it would not have set", () => {
  const text = "\\# C#\n\\*x*\nC:\\## Scene\n\\---";
  expect(unescapeLines(text, KNOWN)).toBe(text);
});
