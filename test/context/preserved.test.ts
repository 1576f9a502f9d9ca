import { expect, it } from "vitest";
import { withoutPreserved } from "../../src/context/preserved.ts";

const boundary = {
  type: "system",
  uuid: "b",
  compactMetadata: {
    trigger: "auto",
    preservedSegment: { headUuid: "1", anchorUuid: "s", tailUuid: "3" },
    preservedMessages: { anchorUuid: "s", uuids: ["1", "2", "3"], allUuids: ["1", "2", "never", "3"] },
  },
};
const gone = (...ids: string[]): Map<string, null> => new Map(ids.map((id) => [id, null]));

it("a compact boundary names what is still there, in its list and as the ends of its segment", () => {
  expect(withoutPreserved(boundary, gone("1", "elsewhere"))["compactMetadata"]).toEqual({
    trigger: "auto",
    preservedSegment: { headUuid: "2", anchorUuid: "s", tailUuid: "3" },
    preservedMessages: { anchorUuid: "s", uuids: ["2", "3"], allUuids: ["2", "never", "3"] },
  });
  expect(withoutPreserved(boundary, gone("1", "2", "3"))["compactMetadata"]).toEqual({ trigger: "auto" });
});

it("one of which nothing went, and other entries, stay the same", () => {
  expect(withoutPreserved(boundary, gone("elsewhere"))).toBe(boundary);
  const other = { type: "user", uuid: "1" };
  expect(withoutPreserved(other, gone("1"))).toBe(other);
});
