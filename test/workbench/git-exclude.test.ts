import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { excludeFromGit } from "../../src/workbench/git-exclude.ts";
import { tempDirs } from "./temp-dir.ts";

const tempDir = tempDirs();

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function repository(): string {
  const dir = tempDir();
  git(dir, "init", "-q");
  git(dir, "commit", "-q", "--allow-empty", "-m", "start");
  return dir;
}

/** Puts a file into each directory and asks git what it sees. */
function untracked(cwd: string, dirs: readonly string[]): string {
  for (const dir of dirs) {
    mkdirSync(join(cwd, dir), { recursive: true });
    writeFileSync(join(cwd, dir, "file"), "");
  }
  return git(cwd, "-c", "core.quotePath=false", "status", "--porcelain");
}

describe("excludeFromGit", () => {
  it("adds each line once and hides only what was named", () => {
    const dir = repository();
    expect(excludeFromGit(dir, [".flower", join(dir, "runs")])).toEqual(["/.flower", "/runs"]);
    expect(excludeFromGit(dir, [".flower", "runs"])).toEqual([]);
    expect(untracked(dir, [".flower", "runs", "sub/runs"])).toBe("?? sub/\n");
  });

  it("anchors at the repository when the workspace lies below its root", () => {
    const dir = repository();
    mkdirSync(join(dir, "apps/web"), { recursive: true });
    expect(excludeFromGit(join(dir, "apps/web"), [".flower"])).toEqual(["/apps/web/.flower"]);
    expect(untracked(dir, ["apps/web/.flower"])).toBe("");
  });

  it.each(["we[i]rd *?", "空 格", "ends in blank ", "#hash", "!bang"])("escapes %j", (name) => {
    const dir = repository();
    excludeFromGit(dir, [name]);
    expect(untracked(dir, [name])).toBe("");
  });

  it("writes to the shared directory from a linked worktree", () => {
    const dir = repository();
    const tree = join(tempDir(), "tree");
    git(dir, "worktree", "add", "-q", tree);
    excludeFromGit(tree, [".flower"]);
    expect(readFileSync(join(dir, ".git/info/exclude"), "utf8")).toContain("\n/.flower\n");
    expect(untracked(tree, [".flower"])).toBe("");
  });

  it("keeps what is there, also without a newline at its end, and accepts a person's own spelling", () => {
    const dir = repository();
    const path = join(dir, ".git/info/exclude");
    writeFileSync(path, "*.log\n/.flower/");
    expect(excludeFromGit(dir, [".flower", "runs"])).toEqual(["/runs"]);
    expect(readFileSync(path, "utf8")).toBe("*.log\n/.flower/\n/runs\n");
    appendFileSync(path, "x\n");
    rmSync(join(dir, ".git/info"), { recursive: true });
    expect(excludeFromGit(dir, [".flower"])).toEqual(["/.flower"]);
  });

  it("does nothing without a repository, for paths outside of it, and for a .git that is none", () => {
    const dir = tempDir();
    expect(excludeFromGit(dir, [".flower"])).toEqual([]);
    mkdirSync(join(dir, ".git"));
    expect(excludeFromGit(dir, [".flower"])).toEqual([]);
    expect(existsSync(join(dir, ".git/info"))).toBe(false);
    const lost = tempDir();
    writeFileSync(join(lost, ".git"), "gitdir: /nowhere\n");
    expect(excludeFromGit(lost, [".flower"])).toEqual([]);
    const repo = repository();
    expect(excludeFromGit(repo, ["..", "../.flower-x", "."])).toEqual([]);
  });
});
