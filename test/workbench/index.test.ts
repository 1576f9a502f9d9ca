import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { describeScript, readHead, scriptDescriptions } from "../../src/workbench/script-description.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDirs } from "./temp-dir.ts";

const tempDir = tempDirs();

describe("describeScript", () => {
  it.each([
    ["# desc: runs the tests\necho", "runs the tests"],
    ["// desc: runs it\n", "runs it"],
    ["-- desc: counts rows", "counts rows"],
    ["#!/bin/sh\n# desc: below the shebang\n", "below the shebang"],
    ["#!/bin/sh\r\n# desc: with CRLF  \r\n", "with CRLF"],
    ["\ufeff#desc:无空格", "无空格"],
    ["# desc: 全角冒号", "全角冒号"],
    ["# Desc : odd spelling", "odd spelling"],
    ["echo\n# desc: too late", undefined],
    ["# desc:   \nnext line is no description", undefined],
    ["", undefined],
    ["# Runs the tests twice.\n# And more.\n", "Runs the tests twice."],
    ["#!/usr/bin/env node\n\n// Counts rows\nconst x = 1;", "Counts rows"],
    ["-- Rows per day\nselect 1;", "Rows per day"],
    ["; sets things up", "sets things up"],
    ["# description: sorts", "sorts"],
    ["/** Draws the graph. */\nfunction f() {}", "Draws the graph."],
    ["/*\n * Copyright 2026 Somebody\n *\n * Draws the graph.\n */", "Draws the graph."],
    [
      '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"""Compares two logs.\n\nLong words.\n"""\n',
      "Compares two logs.",
    ],
    ["'''\n  Compares two logs.\n'''", "Compares two logs."],
    ['r"""Compares."""', "Compares."],
    ["<!-- The page. -->", "The page."],
    ["# shellcheck disable=SC2086\n# eslint-disable\n########\n# Cleans up", "Cleans up"],
    ["# comment first\n# desc: not on the first line", "comment first"],
    ["/* */\nlet a = 1; // no", undefined],
    ["'use strict';\n// too late", undefined],
    ["import os\n'''too late'''", undefined],
    ["#\n#\n", undefined],
    ["# \0binary", undefined],
  ])("%j → %j", (head, expected) => expect(describeScript(head)).toBe(expected));

  it("cuts a long one by whole characters", () => {
    expect(describeScript(`# desc: ${"🌼".repeat(300)}`)).toBe("🌼".repeat(200));
  });
});

describe("scriptDescriptions", () => {
  it("reads a file again only when it changed", () => {
    const dir = tempDir();
    const reads: string[] = [];
    const describeFile = scriptDescriptions((path) => {
      reads.push(path);
      return readHead(path);
    });
    const path = join(dir, "run.sh");
    const described = (): string | undefined => describeFile(path, statSync(path));
    writeFileSync(path, "# desc: old words\n");
    expect([described(), described(), described()]).toEqual(Array(3).fill("old words"));
    expect(reads).toHaveLength(1);
    writeFileSync(path, "# desc: newer words\n");
    expect([described(), described()]).toEqual(["newer words", "newer words"]);
    expect(reads).toHaveLength(2);
  });

  it("asks a file that cannot be read once", () => {
    const reads: string[] = [];
    const describeFile = scriptDescriptions((path) => {
      reads.push(path);
      throw new Error("EACCES");
    });
    const stats = statSync(tempDir());
    expect([describeFile("a", stats), describeFile("a", stats)]).toEqual([undefined, undefined]);
    expect(reads).toEqual(["a"]);
  });
});

describe("the index", () => {
  it("lists scripts with their description, artifacts and notes, but neither hidden files nor the archive", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const { scripts, artifacts, notes } = workbench.paths;
    writeFileSync(join(scripts, "b.sh"), "#!/bin/sh\n# desc: second\n");
    writeFileSync(join(scripts, "a.ts"), "// desc: first\n");
    writeFileSync(join(scripts, "plain.sh"), "echo\n");
    writeFileSync(join(scripts, ".hidden"), "");
    mkdirSync(join(artifacts, "logs"));
    writeFileSync(join(artifacts, "# desc: no script.txt"), "# desc: not read\n");
    truncateSync(join(artifacts, "# desc: no script.txt"), 2_345_678);
    symlinkSync(join(artifacts, "nowhere"), join(artifacts, "dangling"));
    writeFileSync(join(notes, "需求.md"), "x".repeat(1_000));
    mkdirSync(join(notes, "archive"));
    for (const path of [join(scripts, "a.ts"), join(scripts, "b.sh"), join(scripts, "plain.sh")])
      utimesSync(path, 1_000, 1_000);
    utimesSync(join(artifacts, "logs"), 1_000, 1_000);
    expect(workbench.index()).toBe(
      [
        "# Workbench index\n",
        "## Scripts\n",
        "- scripts/a.ts: first (15 B)",
        "- scripts/b.sh: second (25 B)",
        "- scripts/plain.sh (5 B)\n",
        "## Artifacts\n",
        "- artifacts/# desc: no script.txt (2.3 MB)",
        "- artifacts/logs/\n",
        "## Notes\n",
        "- notes/需求.md (1.0 kB)\n",
      ].join("\n"),
    );
  });

  it("shows the 40 newest of a section, newest first, and counts the others", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    for (let n = 0; n < 45; n += 1) {
      const path = join(workbench.paths.artifacts, `f${String(n).padStart(2, "0")}`);
      writeFileSync(path, "");
      // f00 is the newest, f44 the oldest.
      utimesSync(path, 2000 - n, 2000 - n);
    }
    const lines = workbench
      .index()
      .split("\n")
      .filter((line) => line.includes("artifacts/"));
    expect(lines).toHaveLength(40);
    expect([lines[0], lines.at(-1)]).toEqual(["- artifacts/f00 (0 B)", "- artifacts/f39 (0 B)"]);
    expect(workbench.index()).toContain("(and 5 older)");
  });

  it("keeps a file name from writing lines or escape sequences of its own", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    writeFileSync(join(workbench.paths.artifacts, "x\n## Rules\u001b[31m"), "");
    expect(workbench.index()).toContain("- artifacts/x ## Rules (0 B)\n");
  });

  it("names links that lead out of the workbench and does not follow them", () => {
    const outside = tempDir();
    writeFileSync(join(outside, "secret.sh"), "# desc: not for the index\n");
    const workbench = Workbench.open({ workspace: tempDir() });
    const { scripts, notes } = workbench.paths;
    writeFileSync(join(notes, "own.sh"), "# desc: in the workbench\n");
    symlinkSync(join(outside, "secret.sh"), join(scripts, "out.sh"));
    symlinkSync(outside, join(scripts, "outside"));
    symlinkSync(join(notes, "own.sh"), join(scripts, "in.sh"));
    const index = workbench.index();
    expect(index).toContain("- scripts/out.sh\n");
    expect(index).toContain("- scripts/outside\n");
    expect(index).toContain("- scripts/in.sh: in the workbench (25 B)\n");
    rmSync(scripts, { recursive: true });
    symlinkSync(outside, scripts);
    expect(workbench.index()).not.toContain("secret");
  });

  it("comes to an end with what is huge, binary, no file at all, or there in thousands", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const { scripts, artifacts } = workbench.paths;
    writeFileSync(join(scripts, "huge.sh"), "# desc: huge\n");
    truncateSync(join(scripts, "huge.sh"), 20_000_000_000);
    writeFileSync(join(scripts, "binary"), Buffer.from([0x23, 0x20, 0, 0xff, 0xfe, 0x80]));
    spawnSync("mkfifo", [join(scripts, "pipe")]);
    for (let n = 0; n < 3_000; n += 1) writeFileSync(join(artifacts, `file-${n}`), "");
    const index = workbench.index();
    expect(index).toMatch(/^- scripts\/huge\.sh: huge \(20 GB\)$/m);
    expect(index).toContain("- scripts/binary (6 B)\n");
    expect(index).toContain("- scripts/pipe\n");
    expect(index).toContain("(and 2960 older)");
  });

  it("sees what other processes write", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const before = workbench.index();
    const script = join(workbench.paths.scripts, "made.sh");
    spawnSync("sh", ["-c", `echo '# desc: made by a shell' >'${script}'`]);
    expect(workbench.indexDiff(before)).toBe("+ scripts/made.sh: made by a shell (24 B)");
  });

  it.each(LOCALES)("has words for an empty workbench in %s", (locale) => {
    const index = Workbench.open({ workspace: tempDir(), locale }).index();
    expect(index.match(/^## \S+\n\n\(.+\)$/gmu)).toHaveLength(3);
  });

  it("survives a workbench that is deleted under way", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    rmSync(workbench.paths.root, { recursive: true });
    expect(workbench.index()).toContain("nothing yet");
  });
});

describe("refresh", () => {
  it("writes INDEX.md only when something changed, and says so", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    expect(workbench.refresh()).toBe(true);
    expect(statSync(workbench.paths.index).mode & 0o777).toBe(0o600);
    const { ino } = statSync(workbench.paths.index);
    expect(workbench.refresh()).toBe(false);
    expect(statSync(workbench.paths.index).ino).toBe(ino);
    writeFileSync(join(workbench.paths.notes, "choice.md"), "because");
    expect(workbench.refresh()).toBe(true);
    expect(readFileSync(workbench.paths.index, "utf8")).toContain("- notes/choice.md");
  });

  it("mends an index that somebody overwrote", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    workbench.refresh();
    writeFileSync(workbench.paths.index, "mine now");
    expect(workbench.refresh()).toBe(true);
    expect(readFileSync(workbench.paths.index, "utf8")).toBe(workbench.index());
  });

  it("complains once about an index that cannot be written and goes on", () => {
    const problems: string[] = [];
    const workbench = Workbench.open({
      workspace: tempDir(),
      onProblem: (message) => problems.push(message),
    });
    mkdirSync(workbench.paths.index);
    expect([workbench.refresh(), workbench.refresh()]).toEqual([true, true]);
    expect(problems).toEqual([expect.stringContaining(workbench.paths.index)]);
  });
});

describe("indexDiff", () => {
  it("is undefined without a change, else the lines that came and went", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const script = join(workbench.paths.scripts, "run.sh");
    writeFileSync(script, "# desc: old words\n");
    writeFileSync(join(workbench.paths.notes, "stays.md"), "x");
    const before = workbench.index();
    expect(workbench.indexDiff(before)).toBeUndefined();
    writeFileSync(script, "# desc: new words\n");
    writeFileSync(join(workbench.paths.artifacts, "log.txt"), "x");
    expect(workbench.indexDiff(before)).toBe(
      "- scripts/run.sh: old words (18 B)\n+ scripts/run.sh: new words (18 B)\n+ artifacts/log.txt (1 B)",
    );
  });

  it("takes neither a file that grew for news, nor one that newer ones pushed off the list for gone", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const { artifacts } = workbench.paths;
    for (let n = 0; n < 40; n += 1) {
      writeFileSync(join(artifacts, `f${n}`), "x");
      utimesSync(join(artifacts, `f${n}`), 1_000 + n, 1_000 + n);
    }
    const before = workbench.index();
    writeFileSync(join(artifacts, "f39"), "x".repeat(9_999));
    expect(workbench.indexDiff(before)).toBeUndefined();
    writeFileSync(join(artifacts, "new"), "x");
    expect(workbench.indexDiff(before)).toBe("+ artifacts/new (1 B)");
    rmSync(join(artifacts, "f20"));
    expect(workbench.indexDiff(before)).toBe("- artifacts/f20 (1 B)\n+ artifacts/new (1 B)");
  });
});

describe("prompt blocks", () => {
  it("gives the main thread the place, the index and the three rules", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    writeFileSync(join(workbench.paths.scripts, "run.sh"), "# desc: runs\n");
    const block = workbench.promptBlock();
    expect(block).toContain(workbench.paths.root);
    expect(block).toContain("- scripts/run.sh: runs");
    expect(block).toMatch(/run again goes to scripts\//);
    expect(block).toMatch(/over 2000 characters goes to artifacts\//);
    expect(block).toMatch(/decision goes to notes\/.*reasons/);
  });

  it("gives subagents the same text whatever the index holds", () => {
    const workbench = Workbench.open({ workspace: tempDir() });
    const before = workbench.subagentBlock();
    writeFileSync(join(workbench.paths.scripts, "run.sh"), "# desc: runs\n");
    expect(workbench.subagentBlock()).toBe(before);
    expect(before).toContain(workbench.paths.root);
    expect(before).toMatch(/2000 characters/);
    expect(before).toMatch(/paths and conclusions/);
  });
});

describe("opening", () => {
  it("creates private directories in the workspace, or beside it when workers are isolated", () => {
    const parent = tempDir();
    const workspace = join(parent, "my app");
    mkdirSync(workspace);
    const inside = Workbench.open({ workspace });
    expect(inside.paths.root).toBe(join(workspace, ".flower"));
    for (const folder of ["", "scripts", "artifacts", "notes", "spill"]) {
      expect(statSync(join(inside.paths.root, folder)).mode & 0o777).toBe(0o700);
    }
    expect(Workbench.open({ workspace, isolated: true }).paths.root).toBe(join(parent, ".flower-my app"));
    expect(existsSync(join(parent, ".flower-my app", "spill"))).toBe(true);
  });

  it("keeps what an earlier run left", () => {
    const workspace = tempDir();
    const path = Workbench.open({ workspace }).freezeDocument("brief.md", "kept");
    Workbench.open({ workspace });
    expect(readFileSync(path, "utf8")).toBe("kept");
  });

  it.each([
    ["a workspace that is not there", "missing", (): void => undefined],
    ["a workspace that is a file", "file", (dir: string) => writeFileSync(join(dir, "file"), "")],
    ["a file in the place of .flower", ".", (dir: string) => writeFileSync(join(dir, ".flower"), "")],
    [
      "a file in the place of a folder",
      ".",
      (dir: string) => {
        mkdirSync(join(dir, ".flower"));
        writeFileSync(join(dir, ".flower", "notes"), "");
      },
    ],
  ])("refuses %s", (_, workspace, prepare) => {
    const dir = tempDir();
    prepare(dir);
    expect(() => Workbench.open({ workspace: join(dir, workspace) })).toThrow(
      expect.objectContaining({ code: "workspace", nextStep: expect.any(String) as string }),
    );
  });
});
