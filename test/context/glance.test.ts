import { describe, expect, it } from "vitest";
import { glanceRefusal, isGlance } from "../../src/context/glance.ts";
import { ALLOWED } from "./glance-corpus.ts";
import { mistakenMutations, mutations } from "./glance-mutations.ts";

describe("isGlance", () => {
  it.each(ALLOWED)("allows %j", (command) => {
    expect(glanceRefusal(command)).toBeUndefined();
    expect(isGlance(command)).toBe(true);
  });
});

it.each([
  "time ls",
  "  \n\tls",
  "2>/dev/null ls",
  "LC_ALL=C ls",
  "l\\\ns -l",
  "l's' -l",
  "ls&&pwd",
  "npm test",
  "npm",
  "npm -v",
  "npm 2>/dev/null --version",
  "go version && ls",
  "make -j2 all",
  "cd x && ls",
  "unknown",
  "unknown() { ls; }; ls",
  "if true; then ls; fi",
])("is one answer with and without its reason: %j", (command) => {
  expect(isGlance(command)).toBe(glanceRefusal(command) === undefined);
});

describe("a glance with a dangerous piece in it", () => {
  it("is never a glance (1,000 mutations)", () => {
    expect(mistakenMutations(1_000)).toEqual([]);
  });

  // A piece that the corpus allowed would make the test above say nothing.
  it("is made in every way, and seldom the same", () => {
    const made = mutations(1, 1_000);
    expect(new Set(made.map(({ how }) => how)).size).toBe(5);
    expect(new Set(made.map(({ command }) => command)).size).toBeGreaterThan(900);
    expect(made.filter(({ command, base }) => command === base)).toEqual([]);
    expect(made.filter(({ base }) => !isGlance(base))).toEqual([]);
  });
});
