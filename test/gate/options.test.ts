import { describe, expect, it } from "vitest";
import { plain } from "../../src/gate/bash-words.ts";
import { grammar, readOptions } from "../../src/gate/options.ts";

const COPY = grammar("t|target-directory= r|R|recursive f|force i|in-place? v|verbose backup?");

const read = (
  line: string,
  ...more: Parameters<typeof readOptions> extends [unknown, unknown, (infer M)?] ? [M?] : never
) => readOptions(line.split(" ").filter(Boolean).map(plain), COPY, ...more);
const texts = (words: readonly { text: string | undefined }[]) => words.map(({ text }) => text);

describe("options", () => {
  it.each<[string, string, string[], string[]]>([
    // line, options as name=value, operands
    ["short", "-r a b", ["r"], ["a", "b"]],
    ["another name for it", "-R a", ["r"], ["a"]],
    ["a bundle", "-rf a", ["r", "f"], ["a"]],
    ["a bundle with a value behind it", "-rt DIR a", ["r", "t=DIR"], ["a"]],
    ["an attached value", "-rtDIR a", ["r", "t=DIR"], ["a"]],
    ["a value that looks like an option", "-t -r a", ["t=-r"], ["a"]],
    ["a value that is attached or missing", "-i a", ["i"], ["a"]],
    ["the same, attached", "-ri.bak a", ["r", "i=.bak"], ["a"]],
    ["long", "--recursive a", ["r"], ["a"]],
    ["long with its value", "--target-directory DIR a", ["t=DIR"], ["a"]],
    ["long with its value attached", "--target-directory=DIR a", ["t=DIR"], ["a"]],
    ["long and empty", "--target-directory= a", ["t="], ["a"]],
    ["long, cut short", "--recursi a --targ DIR", ["r", "t=DIR"], ["a"]],
    ["long with a value that may be missing", "--in-place a", ["i"], ["a"]],
    ["negated", "--no-force a", ["!f"], ["a"]],
    ["negated, cut short", "--no-forc a", ["!f"], ["a"]],
    ["unknown", "--what a", ["what"], ["a"]],
    ["none behind two dashes", "-r -- -f a", ["r"], ["-f", "a"]],
    ["a dash alone is an operand", "- -r", ["r"], ["-"]],
    ["behind operands", "a -r b -t DIR", ["r", "t=DIR"], ["a", "b"]],
    ["a value that is missing", "a -t", ["t"], ["a"]],
  ])("are read: %s", (_, line, options, operands) => {
    const found = read(line);
    const shown = found.list.map(
      ({ name, off, value }) =>
        `${off ? "!" : ""}${name}${value === undefined ? "" : `=${value.text ?? ""}`}`,
    );
    expect(shown).toEqual(options);
    expect(texts(found.operands)).toEqual(operands);
  });

  it("end at the first operand when they lead", () => {
    const found = read("-r -t DIR push -f", { leading: true });
    expect(texts(found.operands)).toEqual(["push", "-f"]);
    expect(found.has("f")).toBe(false);
  });

  it("count by their last mention", () => {
    expect(read("--force --no-force").has("f")).toBe(false);
    expect(read("--no-force -f").has("f")).toBe(true);
  });

  it("leave in doubt what stands behind an unknown one", () => {
    const doubtful = (line: string) => texts([...read(line).doubtful]);
    expect(doubtful("--what a b")).toEqual(["a"]);
    expect(doubtful("-x a b")).toEqual(["a"]);
    expect(doubtful("--what=x a")).toEqual([]);
    expect(doubtful("-t DIR a")).toEqual([]);
    expect(doubtful("-r a")).toEqual([]);
  });

  it("are taken for all that they may be the beginning of", () => {
    const { has } = readOptions([plain("--me")], grammar("hard merge mend soft"));
    expect([has("merge"), has("mend"), has("hard")]).toEqual([true, true, false]);
  });

  it("may have one dash each", () => {
    const { values, operands } = readOptions(["-out", "x", "-in=y", "z"].map(plain), grammar("- out= in="));
    expect([texts(values("out", "in")), texts(operands)]).toEqual([["x", "y"], ["z"]]);
  });

  it("keep words that are not known as operands", () => {
    const unknown = { text: undefined, substituted: false };
    expect(readOptions([plain("-t"), unknown, unknown], COPY).operands).toEqual([unknown]);
  });
});
