import { execFile } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { spillWriter } from "../../src/workbench/spill-writer.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDirs } from "./temp-dir.ts";

const tempDir = tempDirs();
const open = (onProblem?: (message: string) => void) =>
  Workbench.open({ workspace: tempDir(), ...(onProblem === undefined ? {} : { onProblem }) });

/** Sources as JavaScript, so that a process of its own can run them; returns the path of the last one. */
function compile(dir: string, sources: readonly string[]): string {
  const repository = join(import.meta.dirname, "../..");
  symlinkSync(join(repository, "node_modules"), join(dir, "node_modules"));
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  const written = sources.map((source) => {
    const { outputText } = ts.transpileModule(readFileSync(join(repository, "src", source), "utf8"), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
      },
    });
    const path = join(dir, source.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, outputText);
    return path;
  });
  return written.at(-1)!;
}

describe("spill", () => {
  it("names the file by the first 16 hex digits of the SHA-256 and writes the text as it is", () => {
    const workbench = open();
    expect(workbench.spill("abc")?.path).toBe(join(workbench.paths.spill, "ba7816bf8f01cfea.txt"));
    const text = "花\r\n\u001b[31m🌼\0end";
    const path = workbench.spill(text)!.path;
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("keeps one file for the same text and leaves it alone", () => {
    const workbench = open();
    const first = workbench.spill("same")!.path;
    const { ino } = statSync(first);
    expect(workbench.spill("same")!.path).toBe(first);
    expect(statSync(first).ino).toBe(ino);
    expect(readdirSync(workbench.paths.spill)).toHaveLength(1);
  });

  it("writes a damaged file anew, and a deleted directory", () => {
    const workbench = open();
    const { path } = workbench.spill("whole text")!;
    truncateSync(path, 3);
    workbench.spill("whole text");
    expect(readFileSync(path, "utf8")).toBe("whole text");
    writeFileSync(path, "\0".repeat("whole text".length));
    workbench.spill("whole text");
    expect(readFileSync(path, "utf8")).toBe("whole text");
    rmSync(workbench.paths.root, { recursive: true });
    expect(readFileSync(workbench.spill("whole text")!.path, "utf8")).toBe("whole text");
  });

  it("lets processes write the same text at once", async () => {
    const workspace = tempDir();
    const dir = Workbench.open({ workspace }).paths.spill;
    const program = compile(tempDir(), [
      "core/errors.ts",
      "core/files.ts",
      "context/paged-copy.ts",
      "workbench/spill-writer.ts",
    ]);
    const script = `import { spillWriter } from ${JSON.stringify(program)};
      const { spill } = spillWriter(${JSON.stringify(dir)}, (message) => { throw new Error(message); });
      for (let n = 0; n < 20; n += 1) spill("text ".repeat(20_000) + n);`;
    // Each has one long line, so each comes with a copy.
    const run = promisify(execFile);
    const args = ["--input-type=module", "--eval", script];
    await Promise.all([1, 2, 3].map(async () => run(process.execPath, args)));
    const names = readdirSync(dir);
    expect(names.filter((name) => /^[\da-f]{16}\.txt$/.test(name))).toHaveLength(20);
    expect(names.filter((name) => /^[\da-f]{16}-lines\.txt$/.test(name))).toHaveLength(20);
    expect(names).toHaveLength(40);
    for (const name of names)
      expect(readFileSync(join(dir, name), "utf8").replaceAll("\n", "")).toMatch(/^(text ){20000}\d+$/);
  });

  it("puts a copy that can be paged beside a text with long lines", () => {
    const workbench = open();
    const { path } = workbench.spill(JSON.stringify({ rows: Array(1_000).fill("row") }))!;
    const copy = readFileSync(path.replace(".txt", "-lines.txt"), "utf8");
    expect(copy.split("\n").length).toBeGreaterThan(1_000);
    expect(workbench.isSpillPath(path.replace(".txt", "-lines.txt"))).toBe(true);
  });

  it("gives nothing on a file system that takes no files", () => {
    const problems: string[] = [];
    const writer = spillWriter("/proc/flower/spill", (message) => problems.push(message));
    expect([writer.spill("one"), writer.spill("two")]).toEqual([undefined, undefined]);
    expect(problems).toHaveLength(1);
  });

  it("gives nothing and complains once when it cannot write", () => {
    const problems: string[] = [];
    const workbench = open((message) => problems.push(message));
    rmSync(workbench.paths.spill, { recursive: true });
    writeFileSync(workbench.paths.spill, "in the way");
    expect([workbench.spill("one"), workbench.spill("two")]).toEqual([undefined, undefined]);
    expect(problems).toEqual([expect.stringContaining(workbench.paths.spill)]);
  });
});

describe("isSpillPath", () => {
  it("knows a spill file by any spelling and nothing else", () => {
    const workbench = open();
    const { workspace, paths } = workbench;
    const { path } = workbench.spill("text")!;
    mkdirSync(join(workspace, "sub"));
    symlinkSync(path, join(workspace, "link.txt"));
    symlinkSync(paths.root, join(workspace, "bench"));
    symlinkSync(join(workspace, "sub"), join(paths.spill, "out"));
    const yes = [
      path,
      relative(workspace, path),
      `./.flower/artifacts/../spill/${path.slice(-20)}`,
      join(workspace, "link.txt"),
      join("bench", "spill", path.slice(-20)),
      join(paths.spill, "not-yet.txt"),
    ];
    const no = [
      paths.spill,
      paths.root,
      workspace,
      "/",
      "",
      `${paths.spill}2/x.txt`,
      join(paths.spill, "..", "notes", "x"),
      join(paths.spill, "out", "x"),
    ];
    expect(yes.filter((spelling) => !workbench.isSpillPath(spelling))).toEqual([]);
    expect(no.filter((spelling) => workbench.isSpillPath(spelling))).toEqual([]);
    expect(workbench.isSpillPath(relative(join(workspace, "sub"), path), join(workspace, "sub"))).toBe(true);
    expect(workbench.isSpillPath(relative(join(workspace, "sub"), path))).toBe(false);
  });
});
