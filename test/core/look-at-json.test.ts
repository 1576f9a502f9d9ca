import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { lookAtJson } from "../../src/core/look-at-json.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();
const ROW = z.object({ v: z.literal(1), name: z.string() });

describe("lookAtJson", () => {
  it.each<[string, string | undefined, object]>([
    ["sound", '[{"v":1,"name":"a"}]', { state: "sound", value: [{ v: 1, name: "a" }] }],
    ["missing", undefined, { state: "missing" }],
    ["no JSON", "{", { state: "damaged", why: "no valid JSON" }],
    ["empty", "", { state: "damaged", why: "no valid JSON" }],
    ["another shape", '[{"v":1}]', { state: "damaged", why: expect.stringMatching(/^0\.name: /) as string }],
    ["one row of a newer version", '[{"v":1,"name":"a"},{"v":3}]', { state: "newer", version: 3 }],
  ])("%s, and leaves it alone", (_, text, expected) => {
    const path = join(tempDir(), "f.json");
    if (text !== undefined) writeFileSync(path, text);
    expect(lookAtJson(path, z.array(ROW), 1)).toEqual(expected);
    if (text !== undefined) expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("a directory, and a file in the way", () => {
    const dir = tempDir();
    mkdirSync(join(dir, "f.json"));
    expect(lookAtJson(join(dir, "f.json"), ROW, 1)).toEqual({ state: "damaged", why: "it is a directory" });
    writeFileSync(join(dir, "g"), "");
    expect(lookAtJson(join(dir, "g", "f.json"), ROW, 1)).toMatchObject({ state: "unreadable" });
    expect(readdirSync(dir).sort()).toEqual(["f.json", "g"]);
  });
});
