import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDirs } from "./temp-dir.ts";

const tempDir = tempDirs();
const open = () => Workbench.open({ workspace: tempDir() });
const withCode = (code: string) => expect.objectContaining({ code }) as Error;

describe("readDocument", () => {
  it("takes the first name that exists and is not blank", () => {
    const workbench = open();
    const { notes } = workbench.paths;
    expect(workbench.readDocument(["brief.md", "需求.md"])).toBeUndefined();
    writeFileSync(join(notes, "brief.md"), "\ufeff \n");
    mkdirSync(join(notes, "briefing.md"));
    writeFileSync(join(notes, "需求.md"), "\ufeff目标");
    expect(workbench.readDocument(["brief.md", "briefing.md", "需求.md"])).toEqual({
      path: join(notes, "需求.md"),
      text: "目标",
    });
    writeFileSync(join(notes, "brief.md"), "goal");
    expect(workbench.readDocument(["brief.md", "需求.md"])?.text).toBe("goal");
  });
});

describe("freezeDocument", () => {
  it("writes privately and replaces", () => {
    const workbench = open();
    const path = workbench.freezeDocument("goal.md", "one");
    expect(path).toBe(join(workbench.paths.notes, "goal.md"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    workbench.freezeDocument("goal.md", "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(readdirSync(workbench.paths.notes)).toEqual(["goal.md"]);
  });

  it.each(["../goal.md", "a/b.md", "a\\b.md", "", ".", "..", "x\0"])("refuses the name %j", (name) => {
    expect(() => open().freezeDocument(name, "x")).toThrow(withCode("usage"));
  });

  it("says clearly when it cannot write", () => {
    const workbench = open();
    mkdirSync(join(workbench.paths.notes, "goal.md"));
    expect(() => workbench.freezeDocument("goal.md", "x")).toThrow(withCode("workspace"));
  });
});

describe("archive", () => {
  it("moves and never overwrites", () => {
    const workbench = open();
    const moved = ["one", "two", "three"].map((text) =>
      workbench.archive(workbench.freezeDocument("handoff-work.md", text), "交接", "work-20260825.md"),
    );
    const folder = join(workbench.paths.notes, "archive", "交接");
    expect(moved).toEqual(
      ["work-20260825.md", "work-20260825-2.md", "work-20260825-3.md"].map((name) => join(folder, name)),
    );
    expect(moved.map((path) => readFileSync(path, "utf8"))).toEqual(["one", "two", "three"]);
    expect(existsSync(join(workbench.paths.notes, "handoff-work.md"))).toBe(false);
  });

  it("leaves nothing behind when there is nothing to move", () => {
    const workbench = open();
    const missing = join(workbench.paths.notes, "missing.md");
    expect(() => workbench.archive(missing, "handoff", "x.md")).toThrow(withCode("workspace"));
    expect(readdirSync(join(workbench.paths.notes, "archive", "handoff"))).toEqual([]);
  });

  it("refuses a folder that leaves the archive", () => {
    const workbench = open();
    const path = workbench.freezeDocument("a.md", "x");
    expect(() => workbench.archive(path, "../..", "a.md")).toThrow(withCode("usage"));
    expect(existsSync(path)).toBe(true);
  });
});

describe("archiveAll", () => {
  it("moves everything but the archive, and twice in a second into two folders", () => {
    const workbench = open();
    const archive = join(workbench.paths.notes, "archive");
    expect(workbench.archiveAll("20260825-101010")).toBeUndefined();
    workbench.freezeDocument("brief.md", "first");
    mkdirSync(join(workbench.paths.notes, "decisions"));
    expect(workbench.archiveAll("20260825-101010")).toBe(join(archive, "20260825-101010"));
    workbench.freezeDocument("brief.md", "second");
    expect(workbench.archiveAll("20260825-101010")).toBe(join(archive, "20260825-101010-2"));
    expect(workbench.archiveAll("20260825-101010")).toBeUndefined();
    expect(readdirSync(workbench.paths.notes)).toEqual(["archive"]);
    expect(readdirSync(join(archive, "20260825-101010"))).toEqual(["brief.md", "decisions"]);
    expect(readFileSync(join(archive, "20260825-101010-2", "brief.md"), "utf8")).toBe("second");
  });
});
