import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRepository } from "../../src/isolation/repository.ts";
import { Worktrees } from "../../src/isolation/worktrees.ts";
import type { Worktree } from "../../src/isolation/names.ts";
import { git, repository } from "./stage.ts";

async function setUp() {
  const place = await repository();
  const env = { ...process.env, HOME: place.home };
  const worktrees = new Worktrees({
    repository: checkRepository(place.ws, env),
    dir: join(place.bench, "worktrees"),
    env,
  });
  const make = async (id = "a1"): Promise<Worktree> => {
    const tree = await worktrees.plan(id, "work");
    await worktrees.add(tree);
    return tree;
  };
  return { ...place, worktrees, make };
}

const branches = (ws: string): string =>
  git(ws, "for-each-ref", "--format=%(refname:short)", "refs/heads/flower");

describe("a worktree at its end", () => {
  it("many are made and removed side by side", async () => {
    const { ws, worktrees, make } = await setUp();
    const trees = await Promise.all(["a1", "a2", "a3", "a4", "a5"].map(make));
    writeFileSync(join(trees[2]?.path ?? "", "new.txt"), "x");
    const ended = await Promise.all(trees.map(async (tree) => worktrees.endOf(tree)));
    expect(ended.map(({ gone }) => gone)).toEqual([true, true, false, true, true]);
    expect(branches(ws)).toBe("flower/a3/work\n");
  });

  it("goes when the workspace has its commits by now, by a merge or because it went on from there", async () => {
    const { ws, worktrees, make } = await setUp();
    const tree = await make();
    writeFileSync(join(tree.path, "new.txt"), "x");
    git(tree.path, "add", "-A");
    git(tree.path, "commit", "-qm", "new");
    expect(await worktrees.endOf(tree)).toMatchObject({
      gone: false,
      state: { commits: 1, changedFiles: 1 },
    });
    git(ws, "merge", "-q", "--no-ff", "--no-edit", tree.branch);
    expect(await worktrees.endOf(tree)).toEqual({ gone: true });
    expect(existsSync(tree.path)).toBe(false);
    expect(branches(ws)).toBe("");
  });

  // Fails when removing is done by force, or the state is believed more than git: all of these are refusals of git.
  it.each<[string, (ws: string, tree: Worktree) => void, RegExp]>([
    ["locked", (ws, { path }) => git(ws, "worktree", "lock", "--reason", "mine", path), /locked.*mine/],
    [
      "with submodules",
      (ws, { path }) => {
        git(path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", ws, "part");
        git(path, "commit", "-qm", "part");
        git(ws, "merge", "-q", "--ff-only", "flower/a1/work");
      },
      /submodules/,
    ],
  ])("stays when git refuses: %s", async (_name, prepare, problem) => {
    const { ws, worktrees, make } = await setUp();
    const tree = await make();
    prepare(ws, tree);
    const ended = await worktrees.endOf(tree);
    expect(ended).toMatchObject({ gone: false, problem: expect.stringMatching(problem) as string });
    expect(existsSync(tree.path)).toBe(true);
    expect(branches(ws)).toBe("flower/a1/work\n");
  });

  it("stays when git cannot say what it holds", async () => {
    const { ws, worktrees, make } = await setUp();
    const tree = await make();
    writeFileSync(join(ws, ".git/worktrees/a1/index"), "damaged");
    writeFileSync(join(tree.path, "new.txt"), "x");
    expect(await worktrees.endOf(tree)).toMatchObject({ gone: false, state: undefined });
    expect(existsSync(join(tree.path, "new.txt"))).toBe(true);
  });

  it.each([
    ["with a commit: its branch stays", true],
    ["without one: its branch goes", false],
  ])("whose directory somebody took away, %s", async (_name, commits) => {
    const { ws, worktrees, make } = await setUp();
    const tree = await make();
    if (commits) git(tree.path, "commit", "-qm", "x", "--allow-empty");
    rmSync(tree.path, { recursive: true });
    const ended = await worktrees.endOf(tree);
    expect(ended).toMatchObject(
      commits ? { gone: false, state: { present: false, commits: 1 } } : { gone: true },
    );
    expect(branches(ws)).toBe(commits ? "flower/a1/work\n" : "");
  });

  it("keeps a branch that git would lose, although it holds nothing of its own", async () => {
    const { ws, worktrees, make } = await setUp();
    const tree = await make();
    git(ws, "checkout", "-q", "--orphan", "other");
    git(ws, "commit", "-qm", "another beginning");
    git(ws, "branch", "-q", "-D", "main");
    const ended = await worktrees.endOf(tree);
    expect(ended).toMatchObject({
      gone: false,
      problem: expect.stringMatching(/not fully merged/) as string,
    });
    expect(branches(ws)).toBe("flower/a1/work\n");
  });

  it("never runs the person's hooks", async () => {
    const { ws, base, worktrees, make } = await setUp();
    const marker = join(base, "ran");
    writeFileSync(join(ws, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch "${marker}"\n`, { mode: 0o755 });
    await worktrees.endOf(await make());
    expect(existsSync(marker)).toBe(false);
  });
});
