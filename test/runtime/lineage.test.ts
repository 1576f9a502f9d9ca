import { join } from "node:path";
import { expect, it } from "vitest";
import { Lineage } from "../../src/runtime/lineage.ts";
import { tempDir } from "../support/rehearse.ts";

it.each(["constructor", "toString", "hasOwnProperty"])("a step may be called %s", async (step) => {
  const dir = await tempDir();
  const lineage = Lineage.open(dir, dir);
  expect(lineage.get(step)).toBeUndefined();
  expect(lineage.generationsBefore(step, undefined)).toBe(0);
  lineage.sessionKnown(step, "s1", 1);
  expect(Lineage.open(dir, dir).get(step)).toEqual({ sessionId: "s1" });
  lineage.forget(step);
  expect(Lineage.open(dir, dir).get(step)).toBeUndefined();
});

it("a directory that is not there is named in an error of flower's own", async () => {
  const dir = await tempDir();
  const gone = join(dir, "gone");
  const refusal: unknown = expect.objectContaining({
    name: "FlowerError",
    code: "workspace",
    message: expect.stringContaining(`${gone} cannot be opened`) as string,
  });
  expect(() => Lineage.open(gone, dir)).toThrow(refusal);
  expect(() => Lineage.open(dir, gone)).toThrow(refusal);
});
