import { expect, it } from "vitest";
import { rewriteTranscript, type RewriteOptions } from "./rewrite-options.ts";
import { isSpillPointer, spillPointer } from "../../src/context/spill-text.ts";
import { contentFor, TranscriptParts } from "./transcript-parts.ts";

const INTERRUPTED = "[interrupted here]";
const options: RewriteOptions = {
  notes: { stale: (command, rounds) => `[stale ${command} ${rounds}]`, interrupted: INTERRUPTED },
  isGlance: (command) => command === "git log",
};
const pointer = (text: string): string => spillPointer(text, "/w/spill/x.txt");

it("what trim made of a large glance does not expire at the next rewrite: the pointer would be lost", () => {
  const parts = new TranscriptParts();
  for (let n = 0; n < 24; n += 1) parts.round(`t${n}`, "git log", n === 5 ? "short" : "x".repeat(2_000));
  const both = { ...options, spill: pointer };

  const once = rewriteTranscript(parts.entries, both);
  expect(once.report).toMatchObject({ expired: 1, trimmed: 3 });
  expect(contentFor(once.entries, "t0")).toBe(pointer("x".repeat(2_000)));

  const twice = rewriteTranscript(once.entries, both);
  expect(twice.entries).toEqual(once.entries);
  expect(Object.values(twice.report).filter((count) => count !== 0)).toEqual([]);
});

it("a glance that was interrupted without a mark keeps its note: what never was does not go stale", () => {
  const parts = new TranscriptParts();
  parts.bash("m0", "t0", "git log");
  const block = { type: "tool_result", tool_use_id: "t0", is_error: true };
  parts.add({
    type: "user",
    message: { role: "user", content: [{ ...block, content: "[Tool call interrupted: the session ended" }] },
  });
  for (let n = 1; n < 8; n += 1) parts.round(`t${n}`, "git log", "clean");

  const { entries } = rewriteTranscript(parts.entries, options);
  expect(["t0", "t1", "t2"].map((id) => contentFor(entries, id))).toEqual([
    INTERRUPTED,
    "[stale git log 6]",
    "clean",
  ]);
});

it.each([
  ["a pointer", pointer("x"), true],
  ["a pointer with a preview", `${pointer("x")}\nfirst words`, false],
  ["another line in brackets", "[12 files]", false],
])("%s: is it a bare pointer?", (_name, text, bare) => expect(isSpillPointer(text)).toBe(bare));
