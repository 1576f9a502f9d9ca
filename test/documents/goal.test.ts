import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { Goal } from "../../src/documents/goal.ts";
import { listItems } from "../../src/documents/list-items.ts";

describe("list items", () => {
  it.each([
    ["- a\n* b\n+ c", ["a", "b", "c"]],
    ["1. a\n2) b", ["a", "b"]],
    ["- [ ] a\n- [x] b", ["a", "b"]],
    ["- a\n  more\n- b", ["a more", "b"]],
    ["- run all\n  - unit\n  - lint\n- b", ["run all - unit - lint", "b"]],
    ["  - a\n  - b", ["a", "b"]],
    ["All of these hold:\n\n- a\n\n- b", ["a", "b"]],
    ["first\n- a", ["first", "a"]],
    ["a\nb", ["a", "b"]],
    ["- none", []],
    ["", []],
  ])("of %j", (text, items) => {
    expect(listItems(text)).toEqual(items);
  });
});

describe("goal", () => {
  const goal = new Goal("A converter for CSV.\n\nChecks: run on the spot.", [
    "run `convert a.csv`, see 3 lines of JSON",
    "run `npm test`, see exit code 0",
    "[unverifiable here: needs 30 days of telemetry] errors fall by half",
  ]);

  it.each(LOCALES)("is read as it was printed in %s", (locale) => {
    expect(Goal.parse(goal.toMarkdown(locale))).toEqual(goal);
  });

  it("names the checks that cannot be verified here, in any locale", () => {
    expect(goal.unverifiable()).toEqual([goal.checks[2]]);
    const chinese = "[此处无法验证\uff1a要等三十天] 错误减半";
    expect(new Goal("x", ["a", chinese]).unverifiable()).toEqual([chinese]);
  });

  it("names them without a reason too", () => {
    expect(new Goal("x", ["[unverifiable here] a", "unverifiable here"]).unverifiable()).toEqual([
      "[unverifiable here] a",
    ]);
  });

  it("carries the whole document in its prompt", () => {
    expect(goal.promptBlock("de")).toContain(goal.toMarkdown("de"));
  });

  it("says what is missing", () => {
    expect(Goal.parse("## Goal\n(空)\n## Checks\n- a").missing()).toEqual(["statement"]);
    expect(Goal.parse("## Goal\nx\n## Checks\n- none").missing()).toEqual(["checks"]);
    expect(goal.complete()).toBe(true);
  });
});
