import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { logQuestions, questionsFile } from "../../src/cli/questions-file.ts";
import { lineScreen } from "../../src/cli/screen.ts";
import { sayConfiguration } from "../../src/cli/start.ts";
import { redactor } from "../../src/context/redact.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

it("a configuration that a workspace brings is said without control sequences and passwords", () => {
  const said: string[] = [];
  const screen = {
    ...lineScreen({ locale: "en", verbose: true }),
    say: (line: string) => void said.push(line),
  };
  sayConfiguration(
    {
      values: {
        ANTHROPIC_API_KEY: "sk-ant-1234567890",
        ANTHROPIC_BASE_URL: "https://user:secret@gate.example/v1",
        ANTHROPIC_MODEL: "m\u001b]0;owned\u0007odel",
      },
      sources: { ANTHROPIC_MODEL: "/w\u001b[2J/.env" },
      warnings: [],
    },
    60_000,
    screen,
  );
  expect(said.slice(0, 3)).toEqual([
    "  ANTHROPIC_API_KEY = sk-a… ()",
    "  ANTHROPIC_BASE_URL = https://…@gate.example/v1 ()",
    "  ANTHROPIC_MODEL = model (/w/.env)",
  ]);
});

it("an exchange is noted without control sequences, and without a secret that these split", () => {
  const bench = Workbench.open({ workspace: tempDir(), locale: "en" });
  const log = logQuestions(
    () => bench,
    "en",
    () => redactor(["planted-4711-abcdef"]),
  );
  log({
    question: "use \u001b[31mplanted\u001b[m-4711-abcdef?\u001b]0;owned\u0007",
    options: ["y\u001b[2Jes"],
    outcome: { answer: "n\u0008o" },
    timeMs: 0,
  });
  const text = readFileSync(questionsFile(bench, "en"), "utf8");
  expect(text).toContain("> use [secret removed]?\n>\n> 1. yes\n");
  expect(text).toContain("> no\n");
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
});
