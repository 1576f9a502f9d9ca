import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, realPath } from "../core/files.ts";
import { git, type GitEnv, type GitRun } from "./git.ts";
import { ignoredFiles, keepLostCommits, leftBranches, unmarkFiles } from "./hidden-work.ts";
import { branchName, branchSpace, type Worktree } from "./names.ts";
import { ownRepositories } from "./own-repositories.ts";
import type { Repository } from "./repository.ts";
import { holdsNothing, statusPaths, type WorktreeState } from "./state.ts";
import type { KeptWorktree } from "./texts.ts";
import { parseWorktreeList } from "./worktree-list.ts";

/** What became of a worktree: away, with what git ignores in it where there was such a thing; or kept. */
export type Ended = { gone: true; ignored?: readonly string[] } | ({ gone: false } & KeptWorktree);

/** Makes, reads and removes the worktrees of one workspace. Git's own refusals are never overruled. */
export class Worktrees {
  /** Directory in which they lie. */
  readonly dir: string;
  readonly #repository: Repository;
  readonly #env: GitEnv;
  /** One at a time: worktrees are listed, made and removed in files that all of them share. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: { repository: Repository; dir: string; env: GitEnv }) {
    this.dir = options.dir;
    this.#repository = options.repository;
    this.#env = options.env;
  }

  /**
   * What the worktree of a dispatch will be, from the workspace's HEAD as it is now.
   * @throws FlowerError `workspace` with git's words when there is none.
   */
  async plan(id: string, step: string): Promise<Worktree> {
    const head = await this.#git("rev-parse", "--verify", "HEAD^{commit}");
    if (!head.ok) throw failed(head.problem);
    return { id, path: join(this.dir, id), branch: branchName(step, id), base: head.out.trim() };
  }

  /**
   * Makes it, on a branch of its own.
   * @throws FlowerError `workspace` with git's words when that fails.
   */
  async add({ path, branch, base }: Worktree): Promise<void> {
    await this.#inTurn(async () => {
      try {
        makePrivateDir(this.dir);
      } catch (error) {
        throw failed(errorText(error));
      }
      // A log of where HEAD was is written on wherever there is one, whatever the settings say later (git 2.43).
      const logged = ["-c", "core.logAllRefUpdates=always"];
      const made = await this.#git(
        ...logged,
        "worktree",
        "add",
        "--quiet",
        "--no-track",
        "-b",
        branch,
        path,
        base,
      );
      if (!made.ok) throw failed(made.problem);
    });
  }

  /** What a worktree holds; undefined when git cannot say, and it is to be kept as it is. */
  async state(tree: Worktree): Promise<WorktreeState | undefined> {
    const listed = await this.#git("worktree", "list", "--porcelain");
    if (!listed.ok) return undefined;
    const path = realPath(tree.path);
    const isListed = parseWorktreeList(listed.out).some((each) => realPath(each.path) === path);
    const present = isListed && existsSync(tree.path);
    const inside = this.#inside(tree);
    const head = await this.#git("rev-parse", "--verify", "HEAD^{commit}");
    const own = [`--glob=refs/heads/${branchSpace(tree.id)}/*`, "--not", tree.base, head.out.trim()];
    if (!present) {
      const commits = await this.#git("rev-list", "--count", ...own);
      if (!commits.ok || !head.ok) return undefined;
      return {
        ...{ listed: isListed, present, onBranch: undefined, commits: Number(commits.out) },
        ...{ changedFiles: 0, uncommittedFiles: 0, repositories: [], hiddenFiles: [], ignored: [] },
        otherBranches: await this.#unmerged(tree, undefined),
      };
    }
    // Said in so many words: the person's settings may hide new files, and then removing would lose them.
    const status = await inside(
      ...["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"],
    );
    const diff = await inside(
      "diff",
      "--name-only",
      "-z",
      "--no-renames",
      "--no-ext-diff",
      tree.base,
      "HEAD",
    );
    const commits = await inside("rev-list", "--count", "HEAD", ...own);
    if (![head, status, diff, commits].every(({ ok }) => ok)) return undefined;
    const branch = await inside("symbolic-ref", "--quiet", "--short", "HEAD");
    const repositories = await ownRepositories(tree, inside);
    const uncommitted = statusPaths(status.out).filter(
      (path) => !repositories.includes(path.replace(/\/$/, "")),
    );
    const { hidden, ignored } = await ignoredFiles(tree, inside);
    const committed = diff.out.split("\0").filter((name) => name !== "");
    return {
      listed: isListed,
      present,
      onBranch: branch.ok ? branch.out.trim() : undefined,
      commits: Number(commits.out),
      changedFiles: new Set([...committed, ...uncommitted]).size,
      uncommittedFiles: uncommitted.length,
      repositories,
      hiddenFiles: hidden,
      ignored,
      otherBranches: await this.#unmerged(tree, branch.ok ? branch.out.trim() : undefined),
    };
  }

  /**
   * Removes a worktree that holds nothing, with its branches; keeps any other. Never by force: git looks once more, and
   * refuses a worktree with changes and a branch that is not merged.
   */
  async endOf(tree: Worktree): Promise<Ended> {
    return this.#inTurn(async () => {
      await keepLostCommits(tree, async (...args) => this.#git(...args));
      if (existsSync(tree.path)) await unmarkFiles(tree, this.#inside(tree));
      const state = await this.state(tree);
      if (state === undefined)
        return { gone: false, state: undefined, problem: "git cannot say what it holds" };
      const commits = await this.#workCommits(tree);
      if (!holdsNothing({ ...state, commits: commits ?? state.commits })) return { gone: false, state };
      if (state.listed) {
        const removed = await this.#git("worktree", "remove", tree.path);
        if (!removed.ok) return { gone: false, state, problem: removed.problem };
      }
      const space = `refs/heads/${branchSpace(tree.id)}/`;
      // What only lost commits hold up needs no worktree, and its branch costs nothing.
      if (state.commits > 0) return { gone: false, state: { ...state, listed: false, present: false } };
      const branches = await this.#git("for-each-ref", "--format=%(refname:short)", space);
      for (const branch of branches.out.split("\n").filter((name) => name !== "")) {
        const deleted = await this.#git("branch", "--quiet", "-d", branch);
        if (!deleted.ok)
          return { gone: false, state: { ...state, present: false }, problem: deleted.problem };
      }
      return { gone: true, ...(state.ignored.length === 0 ? {} : { ignored: state.ignored }) };
    });
  }

  /** Commits that its HEAD and its branches have before the workspace's, without those kept as lost. */
  async #workCommits(tree: Worktree): Promise<number | undefined> {
    if (!existsSync(tree.path)) return undefined;
    const head = await this.#git("rev-parse", "--verify", "HEAD^{commit}");
    const branches = [
      `--exclude=refs/heads/${leftBranches(tree.id)}*`,
      `--glob=refs/heads/${branchSpace(tree.id)}/*`,
    ];
    const not = ["--not", tree.base, head.out.trim()];
    const count = await this.#inside(tree)("rev-list", "--count", "HEAD", ...branches, ...not);
    return head.ok && count.ok ? Number(count.out) : undefined;
  }

  /** Branches beside the one that is named to whoever takes over, with commits that are on neither. */
  async #unmerged({ id, branch }: Worktree, onBranch: string | undefined): Promise<string[]> {
    const not = ["HEAD", ...(onBranch === undefined ? [] : [onBranch])].map(
      (place) => `--no-merged=${place}`,
    );
    const space = `refs/heads/${branchSpace(id)}/`;
    const { out } = await this.#git("for-each-ref", "--format=%(refname:short)", ...not, space);
    return out.split("\n").filter((name) => name !== "" && name !== (onBranch ?? branch));
  }

  #inside({ path }: Worktree) {
    return async (...args: string[]): Promise<GitRun> => git({ cwd: path, env: this.#env }, ...args);
  }

  async #git(...args: string[]): Promise<GitRun> {
    return git({ cwd: this.#repository.root, env: this.#env }, ...args);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

const failed = (why: string): FlowerError =>
  new FlowerError("workspace", `no worktree could be made: ${why}`, {
    nextStep: "mend what git names, then send the agent again",
  });
