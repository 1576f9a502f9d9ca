import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LearnedWindows } from "../../src/config/learned-windows.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();
const DAY_MS = 24 * 3_600_000;
const URL = "https://gateway.example/v1";

describe("LearnedWindows", () => {
  it("keeps figures by endpoint and model over processes", () => {
    const path = join(tempDir(), "flower", "learned-windows.json");
    const windows = LearnedWindows.open(path);
    expect(windows.get(URL, "glm")).toBeUndefined();
    expect(windows.learn(URL, "glm", 128_000)).toBe(128_000);
    windows.learn(undefined, "glm", 200_000);
    const again = LearnedWindows.open(path);
    expect(again.get(URL, "glm")).toBe(128_000);
    expect(again.get("", "glm")).toBe(200_000);
    expect(again.get("https://api.anthropic.com/", "glm")).toBe(200_000);
    expect(again.get(URL, "other")).toBeUndefined();
    expect(again.list()).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("lets the smallest figure win", () => {
    const windows = LearnedWindows.open(join(tempDir(), "w.json"));
    windows.learn(URL, "glm", 128_000);
    expect(windows.learn(URL, "glm", 200_000)).toBe(128_000);
    expect(windows.get(URL, "glm")).toBe(128_000);
    expect(windows.learn(URL, "glm", 64_000)).toBe(64_000);
    expect(windows.list()).toHaveLength(1);
  });

  it("forgets after 30 days, counted anew when the same figure is learned again", () => {
    const path = join(tempDir(), "w.json");
    let nowMs = 0;
    const windows = LearnedWindows.open(path, { now: () => nowMs });
    windows.learn(URL, "old", 1000);
    windows.learn(URL, "renewed", 1000);
    nowMs = 20 * DAY_MS;
    windows.learn(URL, "renewed", 1000);
    windows.learn(URL, "old", 2000);
    nowMs = 30 * DAY_MS;
    expect([windows.get(URL, "old"), windows.get(URL, "renewed")]).toEqual([undefined, 1000]);
    expect(windows.learn(URL, "old", 2000)).toBe(2000);
    expect(readFileSync(path, "utf8").match(/"model"/g)).toHaveLength(2);
  });

  it("forgets on demand", () => {
    const path = join(tempDir(), "w.json");
    const windows = LearnedWindows.open(path);
    windows.learn(URL, "glm", 1000);
    expect([windows.forget(URL, "glm"), windows.forget(URL, "glm")]).toEqual([true, false]);
    expect(LearnedWindows.open(path).list()).toEqual([]);
  });

  it("takes what another process learned along", () => {
    const path = join(tempDir(), "w.json");
    const one = LearnedWindows.open(path);
    const two = LearnedWindows.open(path);
    one.learn(URL, "a", 1000);
    two.learn(URL, "b", 2000);
    expect(
      LearnedWindows.open(path)
        .list()
        .map(({ model }) => model),
    ).toEqual(["a", "b"]);
  });

  it("keeps no credentials of the URL, and bears one that is none", () => {
    const path = join(tempDir(), "w.json");
    const windows = LearnedWindows.open(path);
    windows.learn("https://user:secret@gateway.example/v1/?key=secret", "glm", 1000);
    windows.learn("no url", "glm", 2000);
    expect(readFileSync(path, "utf8")).not.toContain("secret");
    expect([windows.get(URL, "glm"), windows.get("no url", "glm")]).toEqual([1000, 2000]);
  });

  it.each(["{", "[]", '{"v":1,"windows":[{"endpoint":"x"}]}'])("moves the damaged file %s aside", (text) => {
    const dir = tempDir();
    const path = join(dir, "w.json");
    writeFileSync(path, text);
    const windows = LearnedWindows.open(path);
    windows.learn(URL, "glm", 1000);
    expect(readdirSync(dir).sort()).toEqual(["w.json", "w.json.damaged-1"]);
    expect(readFileSync(`${path}.damaged-1`, "utf8")).toBe(text);
  });

  it("refuses a file from the future and leaves it alone", () => {
    const path = join(tempDir(), "w.json");
    writeFileSync(path, '{"v":2,"windows":"?"}');
    expect(() => LearnedWindows.open(path)).toThrow(expect.objectContaining({ code: "format" }));
    expect(readFileSync(path, "utf8")).toContain('"v":2');
  });

  it("holds a figure for this process when the file cannot be written", () => {
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    const path = join(file, "w.json");
    const problems: string[] = [];
    const windows = LearnedWindows.open(path, { onProblem: (message) => problems.push(message) });
    expect(windows.learn(URL, "glm", 1000)).toBe(1000);
    expect(windows.get(URL, "glm")).toBe(1000);
    expect(problems).toEqual([expect.stringContaining(path)]);
  });
});
