import { describe, expect, it } from "vitest";
import { ruleOf, workerCall } from "./policy.ts";

describe("a loop's variable", () => {
  it.each<[string, string]>([
    ["git-internals", 'for d in build .git; do rm -rf "$d"; done'],
    ["remove-root", "for d in build; do for e in x .; do rm -rf $e; done; done"],
    ["remove-root", "for d in $(ls -a); do rm -rf $d; done"],
    ["remove-root", 'find . -name x | while read -r d; do rm -rf "$d"; done'],
    ["write-outside", "for f in a /srv/b; do touch $f; done"],
    ["write-outside", "for f in a b /srv/c; do echo x > $f; done"],
    ["publish", "for verb in pack publish; do npm $verb; done"],
    ["publish", "for p in a b; do (cd packages/$p && npm publish); done"],
    ["sudo", "for c in id 'sudo id'; do eval $c; done"],
    ["write-outside", `for f in ${"x ".repeat(49)}/srv/a; do touch $f; done`],
    ["remove-root", `for f in ${"x ".repeat(60)}/srv/a; do rm -rf $f; done`],
  ])("is each of its values (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe(rule);
  });

  it.each([
    "for d in build dist; do rm -rf $d; done",
    "for f in src/*.ts; do node --check $f; done",
    'for f in "$@"; do cat "$f"; done',
    "for i in 1 2 3; do echo $i; done",
    "while read -r line; do echo $line; done < list.txt",
    "select x in a b; do echo $x; break; done",
  ])("is free in %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe("allowed");
  });
});
