import { runInThisContext } from "node:vm";
import { expect, it } from "vitest";
import { isGlance } from "../../src/context/glance.ts";
import { segmentMatches } from "../../src/gate/path-pattern.ts";

const MANY = 200;
const LONG = 50_000;

/** Milliseconds are enough; a doubling with every piece would not end before the sun does. */
const GUARD_MS = 3_000;

/** Calls a function, and ends it where it would go on for ever. */
function inTime<T>(run: () => T): T {
  Object.assign(globalThis, { runInTime: run });
  return runInThisContext("runInTime()", { timeout: GUARD_MS }) as T;
}

it.each<[string, string]>([
  ["sed: a class with a bracket", `sed -n '/${"[]]".repeat(MANY)}'`],
  ["sed: a short script of them", `sed -n '/${"[]]".repeat(100)}'`],
  ["sed: classes of what is not", `sed -n '/${"[^]]".repeat(100)}'`],
  ["sed: substitutions", `sed 's/${"[]]".repeat(100)}'`],
  ["sed: blanks behind q", `sed '${"q  ;".repeat(90)}X'`],
  ["sed: addresses", `sed '${"1 , 2 ! ".repeat(50)}X'`],
  ["sed: blocks", `sed '${"1{p;p};".repeat(60)}X'`],
  ["awk: print", `awk '${"print ".repeat(LONG / 6)}' x`],
  ["awk: brackets", `awk '${"(".repeat(LONG)}' x`],
  ["jq: dollars", `jq '${"$".repeat(LONG)}' x`],
  ["printf: zeros", `printf '%${"0 ".repeat(LONG / 2)}'`],
  ["seq: digits", `seq ${"1".repeat(LONG)}x`],
  ["braces: dots", `echo {${".".repeat(LONG)} {a,b}`],
  ["braces: dots with braces behind", `echo x{${".".repeat(LONG)},{a,b}}{`],
  ["braces: many", `echo ${"{a,b}".repeat(MANY)}`],
  ["git: options", `git log ${"--author=a ".repeat(MANY)}`],
  ["git: revisions", `git show '${"HEAD^{/a:".repeat(MANY)}'`],
  ["test: brackets", `[ ${"-f x ".repeat(MANY)} ]`],
  ["ps: sorting", `ps --sort=${"a-,".repeat(MANY)}X`],
  ["a first word", `${"./-".repeat(LONG / 3)}'x'`],
])("is told of in no time: %s", (_, command) => {
  expect(typeof inTime(() => isGlance(command))).toBe("boolean");
});

it.each(["*a", "?*", "[a]*", "*[", "**"])("a name is held against %j many times in no time", (piece) => {
  const name = "a".repeat(255);
  expect(typeof inTime(() => segmentMatches(`${piece.repeat(MANY)}b`, name))).toBe("boolean");
});
