import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import type { Conclusion } from "../../src/documents/conclusion.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { VERDICT_WORDS } from "../../src/documents/wording.ts";

const CONCLUSIONS: Array<[string, Conclusion]> = [
  ["**Achieved.**", "achieved"],
  ["achieved\n\nIt does not crash any more.", "achieved"],
  ["achieved. No check failed.", "achieved"],
  ["All five checks passed, none failed.", "achieved"],
  ["The goal has been met.", "achieved"],
  ["Alcançado no ambiente de teste.", "achieved"],
  ["目标已经达成", "achieved"],
  ["Das Ziel ist erreicht.", "achieved"],
  ["the goal has not been met yet", "notYet"],
  ["not met", "notYet"],
  ["never met", "notYet"],
  ["Yet to be achieved.", "notYet"],
  ["4 of 5 checks passed", "notYet"],
  ["4/5 checks passed", "notYet"],
  ["Only 3 checks passed", "notYet"],
  ["All 5 of 5 checks passed", "achieved"],
  ["It wasn't achieved.", "notYet"],
  ["Achieved? Only partly.", "notYet"],
  ["achieved: no", "notYet"],
  ["Achieved, but the docs are missing.", "notYet"],
  ["3 of 5 checks passed, 2 failed", "notYet"],
  ["none of the checks passed", "notYet"],
  ["would be achieved if the server ran", "notYet"],
  ["not yet: that it holds cannot be verified before the server runs", "notYet"],
  ["unmet", "notYet"],
  ["I am unsure", "notYet"],
  ["好像是", "notYet"],
  ["未完全达成", "notYet"],
  ["没有全部通过", "notYet"],
  ["基本达成", "notYet"],
  ["Não foi totalmente alcançado.", "notYet"],
  ["quase alcançado", "notYet"],
  ["Das Ziel wurde nicht vollständig erreicht.", "notYet"],
  ["unerreicht", "notYet"],
  ["erreicht\nnoch nicht", "notYet"],
  ["This cannot be verified here: it needs 30 days of telemetry after the flip.", "unreachable"],
  ["The goal can't be achieved with this API.", "unreachable"],
  ["Not achieved: check 2 cannot be verified here.", "unreachable"],
  ["这里无法验证", "unreachable"],
  ["Não pode ser verificado aqui.", "unreachable"],
  ["Das kann hier nicht geprüft werden.", "unreachable"],
];

describe("conclusion of a verdict", () => {
  it.each(CONCLUSIONS)("%j is %s", (text, conclusion) => {
    const verdict = Verdict.parse(`## Conclusion\n${text}\n\n## Reason\nR\n\n## Failed\n(empty)`);
    expect(verdict?.conclusion).toBe(conclusion);
  });

  it.each(LOCALES)("knows its words in %s", (locale) => {
    for (const conclusion of ["achieved", "notYet", "unreachable"] as const)
      expect(Verdict.parse(`## 结论\n${VERDICT_WORDS[conclusion][locale]}`)?.conclusion).toBe(conclusion);
  });

  it("is not yet when a pass lists failed checks", () => {
    const verdict = Verdict.parse("## Conclusion\nachieved\n## Failed\n- check 2: exit code 1");
    expect(verdict).toMatchObject({ conclusion: "notYet", failed: ["check 2: exit code 1"] });
  });

  it("stays achieved when the list says that there is none", () => {
    for (const none of ["None.", "- none", "(空)", "keine", "- (nenhum)", "无"])
      expect(Verdict.parse(`## Conclusion\nachieved\n## Failed\n${none}`)).toMatchObject({
        conclusion: "achieved",
        failed: [],
      });
  });
});

describe("verdict without headings", () => {
  it.each([
    ["the goal has not been met yet", "notYet"],
    ["not met", "notYet"],
    ["never met", "notYet"],
    ["Looked at everything.\n\n**Achieved**", "achieved"],
    ["unreachable", "unreachable"],
    ["I reached the server and ran all that passed.", undefined],
    ["The endpoint is unreachable, so I stopped.", undefined],
    ["", undefined],
  ] as const)("%j is %s", (text, conclusion) => {
    expect(Verdict.parse(text)?.conclusion).toBe(conclusion);
  });

  it("is none when other sections are there and the conclusion is not", () => {
    expect(Verdict.parse("## Conclusion\n(empty)\n## Reason\nnot met")).toBeUndefined();
  });
});

describe("verdict document", () => {
  const verdicts = [
    new Verdict("achieved", "ran `npm test`: 12 passed", []),
    new Verdict("notYet", "Failed: two of them\n\n- a\n- b", ["check 1: exit code 1", "check 3: no output"]),
    new Verdict("unreachable", "needs 30 days", ["check 2"]),
  ];
  it.each(LOCALES)("is read as it was printed in %s", (locale) => {
    for (const verdict of verdicts) expect(Verdict.parse(verdict.toMarkdown(locale))).toEqual(verdict);
  });
});
