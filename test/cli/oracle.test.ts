import { expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { oracleAtTerminal, oracleQuestion } from "../../src/cli/oracle.ts";
import type { OracleAnswer, OracleQuestion } from "../../src/workflow/oracle.ts";

it.each([
  ["?why so slow", "why so slow"],
  ["  ? why so slow ", "why so slow"],
  ["？现在在做什么？", "现在在做什么？"],
  ["\u3000？为什么", "为什么"],
  ["?first line\nsecond line", "first line\nsecond line"],
  ["??? really", "?? really"],
  ["?", undefined],
  [" ？ ", undefined],
  ["?？", undefined],
  ["", undefined],
  ["why?", undefined],
  ["/status ?", undefined],
])("the question in %j is %j", (line, question) => {
  expect(oracleQuestion(line)).toBe(question);
});

async function shown(answer: OracleAnswer, locale: (typeof LOCALES)[number] = "en") {
  const said: string[] = [];
  const asked: OracleQuestion[] = [];
  await oracleAtTerminal({
    question: "what\u001b[2J now",
    workspace: "/w",
    locale,
    screen: { say: (line) => said.push(line) },
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  return { said, asked };
}

it("shows the answer line by line with its cost, and asks the very question", async () => {
  const { said, asked } = await shown({
    ok: true,
    answer: "the parser\u001b]0;title\u0007\nsee src/a.ts",
    costUsd: 0.031,
    costIsEstimate: true,
  });
  expect(said).toEqual([
    "  ? what now",
    "  ~ looking it up; the run goes on and hears nothing of this",
    "  > the parser",
    "  > see src/a.ts",
    "  # this answer cost ~$0.03",
  ]);
  expect(asked).toEqual([{ question: "what\u001b[2J now", workspace: "/w", locale: "en" }]);
});

it.each(LOCALES)("says in one line why there is no answer (%s)", async (locale) => {
  const none = { ok: false, answer: "down", costIsEstimate: false };
  const { said } = await shown({ ...none, costUsd: 0 }, locale);
  expect(said.slice(2)).toEqual([expect.stringMatching(/^ {2}! .+down$/)]);
  expect((await shown({ ...none, costUsd: 0.1 }, locale)).said.at(-1)).toMatch(/^ {2}# .*\$0\.10/);
});
