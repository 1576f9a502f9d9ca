import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Worktree } from "../../src/isolation/names.ts";
import { checkRepository } from "../../src/isolation/repository.ts";
import { Worktrees } from "../../src/isolation/worktrees.ts";
import { git, repository } from "./stage.ts";

async function setUp() {
  const { ws, bench, home } = await repository();
  const env = { ...process.env, HOME: home };
  const dir = join(bench, "worktrees");
  const worktrees = new Worktrees({ repository: checkRepository(ws, env), dir, env });
  const tree = await worktrees.plan("a1", "work");
  await worktrees.add(tree);
  return { ws, worktrees, tree };
}

const branches = (ws: string): string[] =>
  git(ws, "for-each-ref", "--format=%(refname:short) %(contents:subject)", "refs/heads/flower")
    .split("\n")
    .filter((line) => line !== "");

const commit = ({ path }: Worktree, subject: string, ...options: string[]): void => {
  writeFileSync(join(path, `${subject}.txt`), subject);
  git(path, "add", "-A");
  git(path, "commit", "-qm", subject, ...options);
};

const fill = (dir: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
};

const inner = (path: string, dir: string): void => {
  git(path, "init", "-q", dir);
  commit({ path: join(path, dir) } as Worktree, "inner");
};

/** What a worker did that shows neither in its branch nor in a status. */
const HIDDEN: ReadonlyArray<[string, (tree: Worktree) => void, string[], object]> = [
  [
    "a commit on no branch that it left again",
    (tree) => {
      git(tree.path, "switch", "-q", "--detach");
      commit(tree, "lost");
      git(tree.path, "switch", "-q", "flower/a1/work");
    },
    ["flower/a1/left-1 lost", "flower/a1/work start"],
    { commits: 1, otherBranches: ["flower/a1/left-1"] },
  ],
  [
    "a commit on no branch where the log of it is switched off",
    (tree) => {
      const silent = ["-c", "core.logAllRefUpdates=false"];
      git(tree.path, ...silent, "switch", "-q", "--detach");
      writeFileSync(join(tree.path, "silent.txt"), "x");
      git(tree.path, "add", "-A");
      git(tree.path, ...silent, "commit", "-qm", "silent");
      git(tree.path, ...silent, "switch", "-q", "flower/a1/work");
    },
    ["flower/a1/left-1 silent", "flower/a1/work start"],
    { commits: 1, otherBranches: ["flower/a1/left-1"] },
  ],
  [
    "a file removed that git was told to pass over",
    ({ path }) => {
      git(path, "update-index", "--skip-worktree", "src/a.txt");
      rmSync(join(path, "src/a.txt"));
    },
    ["flower/a1/work start"],
    { uncommittedFiles: 1 },
  ],
  [
    "a bare repository in ignored files",
    ({ path }) => {
      mkdirSync(join(path, "ignored"));
      git(path, "init", "-q", "--bare", "ignored/bare.git");
      git(path, "push", "-q", "ignored/bare.git", "HEAD:refs/heads/deep/kept");
    },
    ["flower/a1/work start"],
    { repositories: ["ignored/bare.git"] },
  ],
  [
    "a commit on no branch where it stayed",
    (tree) => {
      git(tree.path, "switch", "-q", "--detach");
      commit(tree, "there");
    },
    ["flower/a1/left-1 there", "flower/a1/work start"],
    { commits: 1, onBranch: undefined, otherBranches: ["flower/a1/left-1"] },
  ],
  [
    "commits that its branch was set back from",
    (tree) => {
      commit(tree, "one");
      commit(tree, "two");
      git(tree.path, "reset", "-q", "--hard", "HEAD~2");
      commit(tree, "other");
    },
    ["flower/a1/left-1 two", "flower/a1/work other"],
    { commits: 3 },
  ],
  [
    "nothing, where it only said the same better",
    (tree) => {
      commit(tree, "draft");
      commit(tree, "done", "--amend");
      git(tree.path, "commit", "-q", "--amend", "-m", "done well");
    },
    ["flower/a1/work done well"],
    { commits: 1, otherBranches: [] },
  ],
  [
    "nothing, where it made one of several",
    (tree) => {
      commit(tree, "one");
      commit(tree, "two");
      git(tree.path, "reset", "-q", "--soft", "HEAD~2");
      git(tree.path, "commit", "-qm", "both");
    },
    ["flower/a1/work both"],
    { commits: 1, otherBranches: [] },
  ],
  [
    "nothing, where it rebased",
    (tree) => {
      commit(tree, "mine");
      git(tree.path, "switch", "-qc", "flower/a1/base", tree.base);
      commit(tree, "below");
      git(tree.path, "switch", "-q", "flower/a1/work");
      git(tree.path, "rebase", "-q", "flower/a1/base");
    },
    ["flower/a1/base below", "flower/a1/work mine"],
    { commits: 2, otherBranches: [] },
  ],
  [
    "a changed file that git was told to take for unchanged",
    ({ path }) => {
      git(path, "update-index", "--assume-unchanged", "src/a.txt");
      writeFileSync(join(path, "src/a.txt"), "changed\n");
    },
    ["flower/a1/work start"],
    { uncommittedFiles: 1, changedFiles: 1 },
  ],
  [
    "a changed file that git was told to pass over",
    ({ path }) => {
      git(path, "update-index", "--skip-worktree", "src/a.txt");
      git(path, "update-index", "--assume-unchanged", "src/a.txt");
      writeFileSync(join(path, "src/a.txt"), "changed\n");
    },
    ["flower/a1/work start"],
    { uncommittedFiles: 1 },
  ],
  [
    "a repository in ignored files",
    ({ path }) => {
      inner(path, "ignored/deep/inner");
    },
    ["flower/a1/work start"],
    { repositories: ["ignored/deep/inner"], hiddenFiles: [] },
  ],
  [
    "a new repository, beside a new file",
    ({ path }) => {
      inner(path, "deep/sub");
      fill(path, { "new.txt": "x" });
    },
    ["flower/a1/work start"],
    { repositories: ["deep/sub"], uncommittedFiles: 1, changedFiles: 1 },
  ],
  [
    "a new repository without a commit",
    ({ path }) => git(path, "init", "-q", "sub"),
    ["flower/a1/work start"],
    { repositories: ["sub"], uncommittedFiles: 0 },
  ],
  [
    "a new repository that was added",
    ({ path }) => {
      inner(path, "sub");
      git(path, "add", "-A");
    },
    ["flower/a1/work start"],
    { repositories: ["sub"], uncommittedFiles: 0 },
  ],
  [
    "a repository that was committed and merged as a bare pointer",
    (tree) => {
      inner(tree.path, "sub");
      commit(tree, "pointer");
      git(join(tree.path, "../../../my 项目"), "merge", "-q", "flower/a1/work");
    },
    ["flower/a1/work pointer"],
    { repositories: ["sub"], commits: 0 },
  ],
  [
    "a repository around files of the outer one",
    ({ path }) => inner(path, "src"),
    ["flower/a1/work start"],
    { repositories: ["src/.git"], uncommittedFiles: 1 },
  ],
  [
    "a file that an ignore file of its own hides",
    ({ path }) => {
      fill(path, {
        "d/.gitignore": "*\n",
        "d/work.md": "x",
        "src/é/.gitignore": "/*\n",
        "src/é/deep/b": "x",
      });
    },
    ["flower/a1/work start"],
    { uncommittedFiles: 0, hiddenFiles: ["d/work.md"], ignored: [] },
  ],
];

it.each(HIDDEN)("keeps %s", async (_name, work, left, state) => {
  const { ws, worktrees, tree } = await setUp();
  work(tree);
  expect(await worktrees.endOf(tree)).toMatchObject({ gone: false, state });
  expect(branches(ws)).toEqual(left);
  // Looking again finds the same: no further branch.
  await worktrees.endOf(tree);
  expect(branches(ws)).toEqual(left);
});

it("what the project or a tool ignores does not keep a worktree, and is named when it goes", async () => {
  const { worktrees, tree } = await setUp();
  fill(tree.path, {
    "ignored/result.csv": "x",
    ".cache/.gitignore": "*\n",
    ".cache/CACHEDIR.TAG": "x",
    ".venv/.gitignore": "*\n",
    ".venv/pyvenv.cfg": "x",
    "empty/.gitignore": "*\n",
  });
  const ignored = [".cache/", ".venv/", "ignored/"];
  expect(await worktrees.endOf(tree)).toEqual({ gone: true, ignored });
  expect(existsSync(tree.path)).toBe(false);
});

it("commits that it set aside keep their branch alone, not a worktree whose work is merged", async () => {
  const { ws, worktrees, tree } = await setUp();
  commit(tree, "work");
  commit(tree, "thrown away");
  git(tree.path, "reset", "-q", "--hard", "HEAD~1");
  git(ws, "merge", "-q", "flower/a1/work");
  const state = { present: false, commits: 1, otherBranches: ["flower/a1/left-1"] };
  expect(await worktrees.endOf(tree)).toMatchObject({ gone: false, state });
  expect(existsSync(tree.path)).toBe(false);
  expect(branches(ws)).toEqual(["flower/a1/left-1 thrown away", "flower/a1/work work"]);
});

it("a repository that was only cloned, and a file that was never checked out, keep nothing", async () => {
  const { ws, worktrees, tree } = await setUp();
  git(tree.path, "clone", "-q", ws, "ignored/clone");
  git(tree.path, "sparse-checkout", "set", "--no-cone", "/.gitignore");
  expect(await worktrees.endOf(tree)).toEqual({ gone: true, ignored: ["ignored/"] });
});
