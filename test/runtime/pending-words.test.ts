import { describe, expect, it } from "vitest";
import { PendingWords } from "../../src/runtime/pending-words.ts";
import { AFTER_INTERRUPT } from "../../src/runtime/prompts.ts";

const asked = (...words: string[]): string => [AFTER_INTERRUPT, ...words].join("\n\n");

describe("words of interruptions", () => {
  it.each<[string, readonly (string | undefined)[], string | undefined]>([
    ["none", [], undefined],
    ["one", ["a"], asked("a")],
    ["two arrive in order", ["a", "b"], asked("a", "b")],
    ["the last without words ends the step", ["a", undefined], ""],
    ["blank words are none", ["a", " \n"], ""],
    ["words after an end go on", [undefined, "b"], asked("b")],
  ])("%s", async (_what, said, prompt) => {
    const words = new PendingWords();
    for (const each of said) words.add(Promise.resolve(each));
    expect(words.waiting).toBe(said.length > 0);
    expect(await words.take()).toBe(prompt);
    expect(words.waiting).toBe(false);
  });

  it("that come while the first are typed go along, and a new wait is not ended by them", async () => {
    const words = new PendingWords();
    let resolve: (words: string) => void = () => undefined;
    words.add(new Promise((done) => (resolve = done)));
    const { breakIn } = words;
    const taken = words.take();
    words.add(Promise.resolve("b"));
    resolve("a");
    expect(await taken).toBe(asked("a", "b"));
    expect(breakIn.aborted).toBe(true);
    expect(words.breakIn.aborted).toBe(false);
  });

  it("that nothing was left to heed are the caller's", async () => {
    const words = new PendingWords();
    words.add(Promise.resolve("a"));
    expect(await Promise.all(words.unheeded())).toEqual(["a"]);
    expect(await words.take()).toBeUndefined();
  });
});
