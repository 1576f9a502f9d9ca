import { describe, expect, it } from "vitest";
import { believedWindow, defaultWindow, type WindowFacts } from "../../src/config/window.ts";

const M = 1_000_000;

describe("believedWindow", () => {
  it.each<[string, WindowFacts, number, string]>([
    ["the option before all", { option: 5, env: { FLOWER_WINDOW: "6" }, learned: 7, known: 8 }, 5, "option"],
    [
      "FLOWER_WINDOW",
      { env: { FLOWER_WINDOW: "6", ANTHROPIC_MODEL: "x[1m]" }, learned: 7 },
      6,
      "FLOWER_WINDOW",
    ],
    ["learned", { env: { FLOWER_WINDOW: "", ANTHROPIC_MODEL: "x[1m]" }, learned: 7, known: 8 }, 7, "learned"],
    ["1m in the model", { env: { ANTHROPIC_MODEL: "claude-opus-5[1m]" }, known: 8 }, M, "model name"],
    [
      "1m in the opus model",
      { env: { ANTHROPIC_MODEL: "glm", ANTHROPIC_DEFAULT_OPUS_MODEL: "glm-1M" }, known: 8 },
      M,
      "model name",
    ],
    ["the harness's figure", { env: { ANTHROPIC_MODEL: "claude-haiku-5-5" }, known: 8 }, 8, "harness"],
    ["haiku in the name", { env: { ANTHROPIC_MODEL: "My-Haiku" } }, 200_000, "model name"],
    ["nothing known", { env: {} }, M, "assumed"],
    ["nothing set", { env: { ANTHROPIC_MODEL: "", FLOWER_WINDOW: "" }, model: "" }, M, "assumed"],
    [
      "the step's model by its own name",
      { env: { ANTHROPIC_MODEL: "x[1m]" }, model: "haiku" },
      200_000,
      "model name",
    ],
    ["the step's model with 1m", { env: { ANTHROPIC_MODEL: "haiku" }, model: "x-1m" }, M, "model name"],
    [
      "the alias opus",
      { env: { ANTHROPIC_DEFAULT_OPUS_MODEL: "x[1m]" }, model: "opus", known: 8 },
      M,
      "model name",
    ],
    ["1m within a word", { env: { ANTHROPIC_MODEL: "claude-1mini" }, known: 8 }, 8, "harness"],
    ["1m as the end of a number", { env: { ANTHROPIC_MODEL: "tiny-4.1m-or-21m" }, known: 8 }, 8, "harness"],
  ])("%s", (_, facts, window, source) => expect(believedWindow(facts)).toMatchObject({ window, source }));

  it("is certain unless it guesses", () => {
    expect(believedWindow({ env: {}, known: 8 }).certain).toBe(true);
    expect(believedWindow({ env: {} }).certain).toBe(false);
    expect(believedWindow({ env: { ANTHROPIC_MODEL: "haiku" } }).certain).toBe(false);
  });
});

describe("FLOWER_WINDOW", () => {
  it.each([
    ["200000", 200_000],
    [" 200_000 ", 200_000],
    ["200k", 200_000],
    ["1M", M],
    ["1.5m", 1_500_000],
  ])("%j is %d tokens", (text, window) => expect(defaultWindow({ FLOWER_WINDOW: text })).toBe(window));

  it.each(["0", "-1", "many", "200 000", "1.5", "Infinity", "1e99", "k", "0x10"])("refuses %j", (text) => {
    expect(() => defaultWindow({ FLOWER_WINDOW: text })).toThrow(
      expect.objectContaining({
        code: "usage",
        message: expect.stringContaining(JSON.stringify(text)) as string,
      }),
    );
  });
});
