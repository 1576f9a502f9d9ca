import { describe, expect, it } from "vitest";
import { agentIdIn, branchName } from "../../src/isolation/names.ts";
import { holdsNothing, statusPaths, type WorktreeState } from "../../src/isolation/state.ts";
import { goneText, keptLine, keptText, mergedLine, ownWorktreeText } from "../../src/isolation/texts.ts";
import { parseWorktreeList } from "../../src/isolation/worktree-list.ts";

describe("names", () => {
  it.each([
    ["work", "flower/a1/work"],
    ["work#round2", "flower/a1/work-round2"],
    ["work·verdict#1", "flower/a1/work-verdict-1"],
    ["干活", "flower/a1/step"],
    ["..", "flower/a1/step"],
    ["a b~^:?*[\\.lock", "flower/a1/a-b-lock"],
  ])("the branch of a dispatch of %s", (step, branch) => {
    expect(branchName(step, "a1")).toBe(branch);
  });

  it.each([
    ["agent-a56187e0c7328c6ea", "a56187e0c7328c6ea"],
    ["agent-../../etc", undefined],
    ["agent-", undefined],
    ["a56187e0c7328c6ea", undefined],
    ["agent-a/b", undefined],
  ])("the agent in %s", (name, id) => {
    expect(agentIdIn(name)).toBe(id);
  });
});

it("reads git's list of worktrees", () => {
  const text = [
    "worktree /home/me/my 项目\nHEAD 1111\nbranch refs/heads/main\n",
    "worktree /home/me/.flower-x/worktrees/a1\nHEAD 2222\nbranch refs/heads/flower/a1/work\nlocked\n",
    "worktree /tmp/b\nHEAD 3333\ndetached\nlocked on a disk\nprunable gitdir file points to non-existent location\n",
    "worktree /srv/bare.git\nbare\n",
  ].join("\n");
  const free = { locked: false, prunable: false };
  expect(parseWorktreeList(text)).toEqual([
    { path: "/home/me/my 项目", head: "1111", branch: "main", ...free },
    {
      path: "/home/me/.flower-x/worktrees/a1",
      head: "2222",
      branch: "flower/a1/work",
      locked: true,
      prunable: false,
    },
    { path: "/tmp/b", head: "3333", branch: undefined, locked: true, prunable: true },
    { path: "/srv/bare.git", head: undefined, branch: undefined, ...free },
  ]);
  expect(parseWorktreeList("")).toEqual([]);
});

it("reads the files of a status", () => {
  expect(statusPaths(" M a.txt\0?? b c.txt\0R  花\n.txt\0")).toEqual(["a.txt", "b c.txt", "花\n.txt"]);
  expect(statusPaths("")).toEqual([]);
});

const TREE = { id: "a1", path: "/w/tree one", branch: "flower/a1/work", base: "0123456789abcdef" };
const STATE: WorktreeState = {
  listed: true,
  present: true,
  onBranch: "flower/a1/work",
  commits: 0,
  changedFiles: 0,
  uncommittedFiles: 0,
  otherBranches: [],
  repositories: [],
  hiddenFiles: [],
  ignored: [],
};

describe("what is kept", () => {
  it.each<[string, Partial<WorktreeState>, boolean]>([
    ["nothing", {}, true],
    ["a commit in a clean tree", { commits: 1, changedFiles: 1 }, false],
    ["a commit that changes nothing", { commits: 1 }, false],
    ["a change that is not committed", { changedFiles: 1, uncommittedFiles: 1 }, false],
    ["a repository in ignored files", { repositories: ["ignored/x"] }, false],
    ["a file that its own ignore file hides", { hiddenFiles: ["d/work.md"] }, false],
    ["what the project ignores", { ignored: ["out/"] }, true],
    ["what was merged", { changedFiles: 3 }, true],
    ["commits on no branch", { commits: 2, onBranch: undefined }, false],
    ["commits of a directory that is gone", { commits: 2, present: false, onBranch: undefined }, false],
  ])("%s", (_name, state, may) => {
    expect(holdsNothing({ ...STATE, ...state })).toBe(may);
  });

  const kept = (state: Partial<WorktreeState>) => ({
    state: { ...STATE, commits: 2, changedFiles: 1, ...state },
  });
  it("names of what git ignores a few when it went", () => {
    expect(goneText()).not.toContain("ignores");
    expect(goneText(["a/", "b", "c", "d", "e", "f", "g"])).toMatch(
      /went with it: a\/, b, c, d, e, 2 more\.$/,
    );
    expect(mergedLine(TREE, ["out/"])).toMatch(/^worktree \/w\/tree one is removed.* went with it: out\/\.$/);
  });

  const takers = { workspace: "/w/ws", agents: ["merger"] };

  it.each<[string, ReturnType<typeof kept>, string[], RegExp[], RegExp[]]>([
    [
      "commits",
      kept({}),
      ["merger"],
      [
        /1 file changed, 2 commits since 0123456789\./,
        /send `merger` to run `git merge flower\/a1\/work` in \/w\/ws/,
      ],
      [/not committed/, /no branch/],
    ],
    [
      "changes that are not committed",
      kept({ uncommittedFiles: 2, commits: 1 }),
      ["merger", "fixer"],
      [
        /1 commit since/,
        /2 files are not committed/,
        /git -C '\/tree one'|git -C '\/w\/tree one' add -A/,
        /`merger` or `fixer`/,
      ],
      [],
    ],
    [
      "another branch",
      kept({ onBranch: "flower/a1/second" }),
      ["merger"],
      [/git merge flower\/a1\/second/],
      [],
    ],
    ["no branch", kept({ onBranch: undefined }), ["merger"], [/HEAD is on no branch/], []],
    [
      "commits beside its branch",
      kept({ otherBranches: ["flower/a1/left-1"], repositories: ["ignored/x"] }),
      ["merger"],
      [/kept on flower\/a1\/left-1\./, /ignored\/x in it is a git repository of its own/],
      [],
    ],
    [
      "a repository of its own, and nothing to merge",
      kept({ repositories: ["sub"], commits: 0, changedFiles: 0 }),
      ["merger"],
      [
        /0 commits, 1 repository of its own since/,
        /sub in it is a git repository of its own: .*`mv '\/w\/tree one\/sub' <where it is to stay>`/,
        /nothing to merge: `merger` can look/,
      ],
      [/git merge/, /holds no change/, /add -A/],
    ],
    [
      "a hidden file",
      kept({ hiddenFiles: ["d/work.md"] }),
      ["merger"],
      [/not in the repository hides d\/work\.md: `git -C '\/w\/tree one' add -f`/],
      [],
    ],
    ["nobody to merge", kept({}), [], [/the person takes it over/], [/git merge/]],
    [
      "a directory that is gone",
      kept({ present: false, onBranch: undefined }),
      ["merger"],
      [/^Branch flower\/a1\/work: /],
      [/tree one|no branch/],
    ],
  ])("is told of %s", (_name, tree, agents, wanted, unwanted) => {
    const text = keptText(TREE, tree, { ...takers, agents });
    for (const each of wanted) expect(text).toMatch(each);
    for (const each of unwanted) expect(text).not.toMatch(each);
  });

  it("says why, when it holds nothing or nobody knows", () => {
    const problem = "working trees containing submodules cannot be moved or removed";
    expect(keptText(TREE, { state: STATE, problem }, takers)).toMatch(/holds no change.*submodules/);
    expect(keptText(TREE, { state: undefined, problem: "bad object" }, takers)).toMatch(
      /cannot say.*bad object/,
    );
    expect(keptLine(TREE, { state: undefined, problem: "bad object" })).toBe(
      "branch flower/a1/work in /w/tree one: nobody knows what it holds (bad object)",
    );
    expect(keptLine(TREE, kept({ changedFiles: 3 }))).toBe(
      "branch flower/a1/work in /w/tree one: 3 files changed, 2 commits",
    );
  });

  it("a worker is told its worktree, the workspace's place in its task, and the workbench", () => {
    const text = ownWorktreeText(TREE, { workspace: "/w/ws", workbench: "/w/.flower-ws" });
    expect(text).toMatch(/worktree of your own: \/w\/tree one, on branch flower\/a1\/work/);
    expect(text).toMatch(/below \/w\/ws in your task means the same file below \/w\/tree one/);
    expect(text).toContain("/w/.flower-ws");
    expect(ownWorktreeText(TREE, { workspace: "/w/ws", workbench: undefined })).not.toContain("workbench");
  });
});
