import { expect, it } from "vitest";
import { trimLarge } from "../../src/context/trim.ts";
import { contentFor, TranscriptParts } from "./transcript-parts.ts";

const LARGE = "x".repeat(2_000);

function largeResults(count: number): TranscriptParts {
  const parts = new TranscriptParts();
  for (let n = 0; n < count; n += 1) parts.round(`t${n}`, "make", `${LARGE}${n}`);
  return parts;
}

it("replaces all but the newest twenty large results by the pointer of what was kept", () => {
  const { entries } = largeResults(23);
  const kept: string[] = [];
  const trimmed = trimLarge({ spill: (text) => `[pointer ${kept.push(text)}]` })(entries);
  expect(kept).toEqual([`${LARGE}0`, `${LARGE}1`, `${LARGE}2`]);
  expect(trimmed.done).toEqual({ trimmed: 3, charsSaved: 3 * (2_001 - "[pointer 1]".length) });
  expect(["t0", "t2", "t3"].map((id) => contentFor(trimmed.entries, id))).toEqual([
    "[pointer 1]",
    "[pointer 3]",
    `${LARGE}3`,
  ]);
});

it.each<[string, unknown, boolean]>([
  ["a text of 2,000 characters", LARGE, true],
  ["one character less", LARGE.slice(1), false],
  ["text blocks", [{ type: "text", text: LARGE }], true],
  [
    "text beside a picture",
    [
      { type: "text", text: LARGE },
      { type: "image", source: {} },
    ],
    false,
  ],
])("%s: trimmed %s", (_name, content, expected) => {
  const parts = new TranscriptParts();
  parts.round("t0", "make", content);
  const { entries } = trimLarge({ keep: 0, spill: () => "[pointer]" })(parts.entries);
  expect(contentFor(entries, "t0") === "[pointer]").toBe(expected);
});

it.each([
  ["could not be kept", () => undefined],
  ["would get a pointer that is large itself", () => LARGE],
])("leaves what %s", (_name, spill) => {
  const { entries } = largeResults(2);
  expect(trimLarge({ keep: 0, spill })(entries)).toEqual({ entries, done: { trimmed: 0, charsSaved: 0 } });
});

it("takes other limits", () => {
  const parts = new TranscriptParts();
  for (const id of ["t0", "t1"]) parts.round(id, "make", "0123456789");
  const { entries } = trimLarge({ keep: 1, minChars: 10, spill: () => "[p]" })(parts.entries);
  expect([contentFor(entries, "t0"), contentFor(entries, "t1")]).toEqual(["[p]", "0123456789"]);
});
