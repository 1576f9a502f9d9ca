import { expect, it } from "vitest";
import { stripControl } from "../../src/core/terminal-text.ts";
import { visibleText } from "../../src/core/visible-text.ts";

it.each([
  ["npm test && echo 'ok'\n\tdone 完成 é 👍", "npm test && echo 'ok'\n\tdone 完成 é 👍"],
  ["a\u001b]0;rm -rf x\u0007b", "a\\u{1b}]0;rm -rf x\\u{7}b"],
  ["a\r\u001b[2Kb", "a\\u{d}\\u{1b}[2Kb"],
  ["a\u202eb\u200bc\u0085d\u2028e", "a\\u{202e}b\\u{200b}c\\u{85}d\\u{2028}e"],
  ["\ud800\u{e0041}", "\\u{d800}\\u{e0041}"],
])("%j is shown as %j, and a terminal takes nothing from it", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(stripControl(shown)).toBe(shown);
});
