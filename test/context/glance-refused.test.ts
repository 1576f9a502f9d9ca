import { describe, expect, it } from "vitest";
import { glanceRefusal, isGlance } from "../../src/context/glance.ts";
import { ENDLESS } from "./glance-endless-corpus.ts";
import { REFUSED } from "./glance-refused-corpus.ts";
import { REFUSED_FORMS } from "./glance-refused-forms-corpus.ts";

describe("isGlance", () => {
  it.each([...REFUSED, ...REFUSED_FORMS, ...ENDLESS])("refuses %j", (command) => {
    expect(isGlance(command)).toBe(false);
    expect(glanceRefusal(command)).toMatch(/\S/);
  });

  it("names the part that was the trouble", () => {
    expect(glanceRefusal("git status && rm -rf x")).toContain("`rm`");
    expect(glanceRefusal("ls | sort -o o")).toContain("`-o`");
    expect(glanceRefusal("ls > out.txt")).toContain(">out.txt");
    expect(glanceRefusal("ls; timeout 5 rm x")).toContain("`rm`");
    expect(glanceRefusal("timeout 5 sort -o o f")).toContain("`-o`");
  });

  it.each([
    ["echo $(date)", /command substitution.*run the inner command first/],
    ["for f in a b; do cat $f; done", /control structure.*`;`/],
    ["ls & pwd", /background job.*`&&`/],
    ["cd sub && ls", /`cd`.*`git -C dir`/],
    ["ls | xargs cat", /`xargs`.*name the files/],
    ["printenv HOME", /`printenv`.*credentials/],
    ["git log | less", /`less`.*`head -n 50`/],
    ["find . -name *.ts", /`\*\.ts`|in quotes/],
    ["wc -l < f", /`<f`.*as a word/],
    ["[[ -f x ]]", /`\[ … \]`/],
    ["git status --help", /`-h`/],
    ["yarn --version", /`yarn`.*files of the project/],
    ["od -w9999 f", /at most 999/],
    ["git log --show-signature", /`--show-signature`/],
  ])("says of %j what to do instead", (command, words) => {
    expect(glanceRefusal(command)).toMatch(words);
  });

  // An expression that goes back and forth would not end here at all.
  it.each([`sed '${"p;\n ".repeat(120)}w o' f`, `sed '${"p".padEnd(499)}w' f`])(
    "comes to an end",
    (command) => {
      expect(isGlance(command)).toBe(false);
    },
  );
});
