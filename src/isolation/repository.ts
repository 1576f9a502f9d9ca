import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import type { Locale } from "../core/locale.ts";
import { gitNow, type GitEnv, type GitRun } from "./git.ts";
import { BRANCH_PREFIX } from "./names.ts";
import { REPOSITORY_TEXTS, type RepositoryTexts } from "./repository-texts.ts";

/** A repository in which worktrees can be made. */
export interface Repository {
  /** Root of the checkout; the workspace itself. */
  root: string;
  /** There are changes, or new files, that no commit holds. */
  dirty: boolean;
  /** The workspace is on no branch. */
  detached: boolean;
}

/**
 * Whether isolated workers can work here, asked before anything costs money.
 * @param workspace real path of a directory.
 * @param locale of what is said when not. Default: English.
 * @throws FlowerError `workspace` that says what is in the way: no git, no repository, no commit, a bare repository, a
 * submodule, a directory below the repository's root, locks, a repository that cannot be written.
 */
export function checkRepository(workspace: string, env: GitEnv, locale: Locale = "en"): Repository {
  const texts = REPOSITORY_TEXTS[locale];
  const refusal = ([what, nextStep]: readonly [string, string]): FlowerError =>
    new FlowerError("workspace", texts.refused(what), { nextStep });
  const ask = (...args: string[]): GitRun => gitNow({ cwd: workspace, env }, ...args);
  const bare = ask("rev-parse", "--is-bare-repository");
  if (bare.missing) throw refusal(texts.noGit);
  if (!bare.ok) throw refusal(texts.notOne(workspace, bare.problem));
  if (bare.out.trim() === "true") throw refusal(texts.bare(workspace));
  const top = ask("rev-parse", "--show-toplevel");
  if (!top.ok) throw refusal(texts.notOne(workspace, top.problem));
  const root = withoutNewline(top.out);
  // The harness takes a worktree's root only (0.3.332), and a worker must find its files where the workspace has them.
  if (realpathSync(root) !== workspace) throw refusal(texts.below(workspace, root));
  const above = ask("rev-parse", "--show-superproject-working-tree");
  if (above.out.trim() !== "") throw refusal(texts.submodule(workspace, withoutNewline(above.out)));
  if (!ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}").ok) throw refusal(texts.noCommit(root));
  if (ask("show-ref", "--verify", "--quiet", `refs/heads/${BRANCH_PREFIX}`).ok)
    throw refusal(texts.branchTaken(BRANCH_PREFIX));
  const dirs = ["--absolute-git-dir", "--git-common-dir"].map((option) =>
    resolve(workspace, withoutNewline(ask("rev-parse", option).out)),
  );
  const [gitDir = root, commonDir = root] = dirs;
  const kept = [commonDir, join(commonDir, "objects"), join(commonDir, "refs")].filter(existsSync);
  const inTheWay =
    lockOf([join(gitDir, "index.lock"), join(commonDir, "packed-refs.lock")], texts) ??
    readOnlyOf(kept, texts);
  if (inTheWay !== undefined) throw refusal(inTheWay);
  const status = ask("status", "--porcelain", "--untracked-files=normal");
  if (!status.ok) throw refusal(texts.statusFails(root, status.problem));
  const detached = !ask("symbolic-ref", "--quiet", "HEAD").ok;
  return { root: workspace, dirty: status.out !== "", detached };
}

type InTheWay = readonly [what: string, todo: string] | undefined;

function lockOf(locks: readonly string[], texts: RepositoryTexts): InTheWay {
  const lock = locks.find((path) => existsSync(path));
  return lock === undefined ? undefined : texts.locked(lock);
}

function readOnlyOf(dirs: readonly string[], texts: RepositoryTexts): InTheWay {
  for (const dir of dirs) {
    try {
      accessSync(dir, constants.W_OK | constants.X_OK);
    } catch (error) {
      return texts.readOnly(dir, errorText(error));
    }
  }
  return undefined;
}

/** Names may end in blanks. */
const withoutNewline = (text: string): string => text.replace(/\r?\n$/, "");
