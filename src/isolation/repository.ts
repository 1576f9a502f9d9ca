import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { gitNow, type GitEnv, type GitRun } from "./git.ts";
import { BRANCH_PREFIX } from "./names.ts";

/** A repository in which worktrees can be made. */
export interface Repository {
  /** Root of the checkout; the workspace itself. */
  root: string;
  /** There are changes, or new files, that no commit holds. */
  dirty: boolean;
  /** The workspace is on no branch. */
  detached: boolean;
}

/** How to go on when there is nothing to make worktrees from. */
const WITHOUT = "or go on without isolation";

/**
 * Whether isolated workers can work here, asked before anything costs money.
 * @param workspace real path of a directory.
 * @throws FlowerError `workspace` that says what is in the way: no git, no repository, no commit, a bare repository, a
 * submodule, a directory below the repository's root, locks, a repository that cannot be written.
 */
export function checkRepository(workspace: string, env: GitEnv): Repository {
  const ask = (...args: string[]): GitRun => gitNow({ cwd: workspace, env }, ...args);
  const bare = ask("rev-parse", "--is-bare-repository");
  if (bare.missing)
    throw refusal("git is not installed, and isolated workers work in git worktrees", {
      nextStep: `install git, ${WITHOUT}`,
    });
  if (!bare.ok) throw notARepository(workspace, bare.problem);
  if (bare.out.trim() === "true")
    throw refusal(`${workspace} is a bare repository, which has no files to work on`, {
      nextStep: "name a checkout of it with --workspace, e.g. one made by `git worktree add`",
    });
  const top = ask("rev-parse", "--show-toplevel");
  if (!top.ok) throw notARepository(workspace, top.problem);
  const root = withoutNewline(top.out);
  // The harness takes a worktree's root only (0.3.332), and a worker must find its files where the workspace has them.
  if (realpathSync(root) !== workspace)
    throw refusal(
      `${workspace} lies in the repository ${root}, and a worktree is always of the whole of it`,
      {
        nextStep: `name its root: --workspace ${root}, ${WITHOUT}`,
      },
    );
  const above = ask("rev-parse", "--show-superproject-working-tree");
  if (above.out.trim() !== "")
    throw refusal(`${workspace} is a submodule of ${withoutNewline(above.out)}`, {
      nextStep: `work in a clone of its own, ${WITHOUT}`,
    });
  if (!ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}").ok)
    throw refusal(`the repository ${root} has no commit yet, so there is nothing to make a worktree from`, {
      nextStep: `commit first: git add -A && git commit -m "start", ${WITHOUT}`,
    });
  if (ask("show-ref", "--verify", "--quiet", `refs/heads/${BRANCH_PREFIX}`).ok)
    throw refusal(
      `there is a branch named ${BRANCH_PREFIX}, so that git can make none below ${BRANCH_PREFIX}/`,
      {
        nextStep: `rename it: git branch -m ${BRANCH_PREFIX} <other>`,
      },
    );
  const dirs = ["--absolute-git-dir", "--git-common-dir"].map((option) =>
    resolve(workspace, withoutNewline(ask("rev-parse", option).out)),
  );
  const [gitDir = root, commonDir = root] = dirs;
  refuseLocked([join(gitDir, "index.lock"), join(commonDir, "packed-refs.lock")]);
  refuseReadOnly([commonDir, join(commonDir, "objects"), join(commonDir, "refs")].filter(existsSync));
  const status = ask("status", "--porcelain", "--untracked-files=normal");
  if (!status.ok) throw refusal(`git status fails in ${root}: ${status.problem}`, { nextStep: "mend that" });
  const detached = !ask("symbolic-ref", "--quiet", "HEAD").ok;
  return { root: workspace, dirty: status.out !== "", detached };
}

function notARepository(workspace: string, problem: string): FlowerError {
  return refusal(`${workspace} cannot be used as a git repository (${problem})`, {
    nextStep: `make one: git init && git add -A && git commit -m "start", ${WITHOUT}`,
  });
}

function refuseLocked(locks: readonly string[]): void {
  const lock = locks.find((path) => existsSync(path));
  if (lock === undefined) return;
  throw refusal(`the repository is locked: ${lock} is there`, {
    nextStep: "wait until the git command that holds it has ended; if none is running, remove that file",
  });
}

function refuseReadOnly(dirs: readonly string[]): void {
  for (const dir of dirs) {
    try {
      accessSync(dir, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw refusal(`the repository cannot be written, so no worktree can be made: ${errorText(error)}`, {
        nextStep: `make ${dir} writable, ${WITHOUT}`,
      });
    }
  }
}

const refusal = (message: string, options: { nextStep: string }): FlowerError =>
  new FlowerError("workspace", `workers cannot be isolated: ${message}`, options);

/** Names may end in blanks. */
const withoutNewline = (text: string): string => text.replace(/\r?\n$/, "");
