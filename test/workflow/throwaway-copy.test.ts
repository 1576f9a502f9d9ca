import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeThrowawayCopy, type ThrowawayCopy } from "../../src/workflow/throwaway-copy.ts";
import { changedPaths, hashTree } from "../../src/workflow/tree-hash.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

/** A workspace with its own name in a directory of its own. */
function workspaceWith(files: Record<string, string>): string {
  const workspace = join(tempDir(), "my 应用");
  mkdirSync(workspace);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(workspace, path, ".."), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return workspace;
}

async function copyOf(
  workspace: string,
  exclude: string[] = [],
  tempRoot = tempDir(),
): Promise<ThrowawayCopy> {
  const copy = await makeThrowawayCopy({ workspace, exclude, tempRoot });
  if ("tooLarge" in copy) throw new Error("too large");
  return copy;
}

describe("makeThrowawayCopy", () => {
  it("copies everything but what is excluded: modes, times, links, .git", async () => {
    const workspace = workspaceWith({ "src/a b.ts": "one", "脚本/run.sh": "#!/bin/sh", "runs/books": "[]" });
    const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    git(workspace, "init", "-q");
    git(workspace, "add", "src");
    chmodSync(join(workspace, "脚本/run.sh"), 0o755);
    utimesSync(join(workspace, "src/a b.ts"), 1_000_000, 2_000_000);
    symlinkSync("src/a b.ts", join(workspace, "link"));
    symlinkSync("nowhere", join(workspace, "dangling"));
    mkdirSync(join(workspace, "empty"), { mode: 0o555 });
    utimesSync(join(workspace, "src"), 3_000_000, 3_000_000);

    const copy = await copyOf(workspace, [join(workspace, "runs")]);
    const differences = changedPaths(await hashTree(workspace), await hashTree(copy.path));
    expect(differences).toEqual(["runs", "runs/books"]);
    expect(statSync(join(copy.path, "src/a b.ts")).mtimeMs).toBe(2_000_000_000);
    expect(statSync(join(copy.path, "src")).mtimeMs).toBe(3_000_000_000);
    expect(git(copy.path, "status", "--porcelain", "src")).toBe('A  "src/a b.ts"\n');
    expect(basename(copy.path)).toBe("my 应用");
    expect(copy.skipped).toEqual([]);
    await copy.remove();
  });

  it("lets anything happen in the copy while the workspace stays as it is", async () => {
    const workspace = workspaceWith({ "a.txt": "one", "sub/b.txt": "two" });
    symlinkSync(join(workspace, "a.txt"), join(workspace, "sub/absolute"));
    const before = await hashTree(workspace);
    const copy = await copyOf(workspace);
    writeFileSync(join(copy.path, "sub/absolute"), "through the link");
    writeFileSync(join(copy.path, "sub/b.txt"), "changed");
    writeFileSync(join(copy.path, "new"), "");
    expect(readFileSync(join(copy.path, "a.txt"), "utf8")).toBe("through the link");
    await copy.remove();
    expect(changedPaths(before, await hashTree(workspace))).toEqual([]);
  });

  it("lets no link lead back into the workspace, and keeps what the others mean", async () => {
    const workspace = workspaceWith({ "a.txt": "one", "sub/deep/b.txt": "two", "../beside.txt": "out" });
    const alias = join(tempDir(), "alias");
    symlinkSync(workspace, alias);
    const links: Array<[string, string, string | undefined]> = [
      ["sub/deep/inside", join(workspace, "a.txt"), "../../a.txt"],
      ["sub/by-alias", join(alias, "a.txt"), "../a.txt"],
      ["sub/root", workspace, ".."],
      ["root", workspace, "."],
      ["sub/relative", "../a.txt", "../a.txt"],
      ["out", "../beside.txt", join(workspace, "../beside.txt")],
      ["absolute", "/usr/bin/env", "/usr/bin/env"],
      ["dangling", "missing/file", "missing/file"],
    ];
    for (const [path, target] of links) symlinkSync(target, join(workspace, path));
    // The alias is what the caller knows the workspace by.
    const copy = await copyOf(alias);
    expect(basename(copy.path)).toBe("alias");
    expect(links.map(([path]) => [path, readlinkSync(join(copy.path, path))])).toEqual(
      links.map(([path, , expected]) => [path, expected]),
    );
    await copy.remove();
  });

  it("says how much there is when it is too much, and makes nothing", async () => {
    const workspace = workspaceWith({ "a.txt": "12345", "runs/big": "" });
    truncateSync(join(workspace, "runs/big"), 3 * 1024 ** 3);
    const tempRoot = tempDir();
    expect(await makeThrowawayCopy({ workspace, exclude: [], tempRoot })).toEqual({
      tooLarge: expect.toSatisfy((bytes: number) => bytes >= 3 * 1024 ** 3) as number,
    });
    const exclude = [join(workspace, "runs")];
    expect(await makeThrowawayCopy({ workspace, exclude, tempRoot, maxBytes: 4 })).toEqual({ tooLarge: 5 });
    expect(readdirSync(tempRoot)).toEqual([]);
    expect(await makeThrowawayCopy({ workspace, exclude, tempRoot, maxBytes: 5 })).toHaveProperty("path");
  });

  it("passes pipes by and says so", async () => {
    const workspace = workspaceWith({ "a.txt": "one" });
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    const copy = await copyOf(workspace);
    expect(copy.skipped).toEqual(["pipe"]);
    expect(readdirSync(copy.path)).toEqual(["a.txt"]);
    await copy.remove();
  });

  it("does not copy itself when the temp directory lies in the workspace", async () => {
    const workspace = workspaceWith({ "a.txt": "one", "tmp/x": "" });
    const copy = await copyOf(workspace, [], join(workspace, "tmp"));
    expect(readdirSync(join(copy.path, "tmp"))).toEqual(["x"]);
    await copy.remove();
    expect(readdirSync(join(workspace, "tmp"))).toEqual(["x"]);
  });

  it("is removed whole, also with read-only directories in it, and twice", async () => {
    const workspace = workspaceWith({ "cache/module/file": "x" });
    const tempRoot = tempDir();
    const copy = await copyOf(workspace, [], tempRoot);
    chmodSync(join(copy.path, "cache/module"), 0o555);
    mkdirSync(join(copy.path, "closed"), { mode: 0 });
    await copy.remove();
    await copy.remove();
    expect(readdirSync(tempRoot)).toEqual([]);
  });

  it("leaves nothing behind when it fails", async () => {
    const tempRoot = tempDir();
    const missing = join(tempDir(), "missing");
    await expect(makeThrowawayCopy({ workspace: missing, exclude: [], tempRoot })).rejects.toThrow("ENOENT");
    expect(readdirSync(tempRoot)).toEqual([]);
    expect(existsSync(missing)).toBe(false);
  });
});
