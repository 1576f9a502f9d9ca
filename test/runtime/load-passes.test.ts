import { expect, it } from "vitest";
import { loadPasses, rewriteMessage } from "../../src/runtime/load-passes.ts";
import { TranscriptParts } from "../context/transcript-parts.ts";

const NOTHING = {
  expired: 0,
  trimmed: 0,
  denialsPruned: 0,
  residuePruned: 0,
  bridged: 0,
  repaired: 0,
  charsSaved: 0,
};

it("says in one line what a rewrite did, and nothing of one that did nothing", () => {
  expect(rewriteMessage(NOTHING)).toBeUndefined();
  expect(rewriteMessage({ ...NOTHING, expired: 1, residuePruned: 2, bridged: 1, charsSaved: 900 })).toBe(
    "the history was rewritten for this resume: 1 old look expired, 2 leftovers of errors removed, " +
      "1 lost parent bridged; 900 characters less",
  );
  expect(rewriteMessage({ ...NOTHING, repaired: 3, charsSaved: -180 })).toMatch(
    /3 open calls closed; 0 characters/,
  );
});

it("says it of main threads alone", () => {
  const said: string[] = [];
  const options = { expire: true, trim: false, keepDenials: 1, locale: "en" } as const;
  const load = loadPasses(
    options,
    () => undefined,
    (message) => said.push(message),
  );
  const parts = new TranscriptParts();
  parts.bash("m1", "t1", "make");
  for (const pass of load) pass(parts.entries);
  expect(said).toHaveLength(1);
  for (const pass of load) pass(parts.entries.map((entry) => ({ ...entry, isSidechain: true })));
  expect(said).toHaveLength(1);
});
