import { posix } from "node:path";
import type { Arg } from "./bash-words.ts";
import { changesPlace, readGitCall, readsConfig, type GitCall } from "./bash-git-call.ts";
import type { PathRules } from "./paths.ts";
import type { Refusal } from "./policy.ts";

/** What the git rules need to know about the call. */
export interface GitScene {
  readonly paths: PathRules;
  /** Where the command runs; undefined when only the shell knows. */
  readonly cwd: string | undefined;
  /** The environment tells git where to work. */
  readonly elsewhere: boolean;
  /** The caller has a worktree of its own. */
  readonly isolated: boolean;
  readonly throwaway: boolean;
  readonly allowPublish: boolean;
}

/** Why a git command is refused. `args` are those behind `git`. */
export function gitRefusal(args: readonly Arg[], scene: GitScene): Refusal | undefined {
  const read = readGitCall(args, scene.cwd);
  if (read === undefined) return undefined;
  const call = {
    ...read,
    dir: scene.elsewhere ? undefined : read.dir,
    isThere: (path: string) => scene.paths.isThere(path),
  };
  if (call.otherPrograms || call.settings.some((setting) => /^alias\./i.test(setting)) || setsAlias(call))
    return ALIAS;
  if (!scene.allowPublish && pushes(call)) return PUBLISH;
  if (scene.throwaway) return undefined;
  if (dropsWorkerBranch(call)) return WORKER_BRANCH;
  if (scene.isolated) {
    const own = call.dir !== undefined && !scene.paths.isSharedCheckout(call.dir);
    if (changesShared(call) || (!own && changesPlace(call.verb))) return SHARED;
  }
  // A directory that is not known may be the workspace: what cannot be undone is refused there too.
  const mayBeShared = call.dir === undefined || scene.paths.isSharedCheckout(call.dir);
  if (mayBeShared && discards(call)) return DISCARD;
  const isShared = (call.dir !== undefined && mayBeShared) || scene.isolated;
  if (call.verb === "config" && setsConfig(call, isShared)) return CONFIG;
  return isShared && !scene.isolated ? storedRefusal(call) : undefined;
}

/** Refused wherever git is told by the environment which settings to take. */
export const ALIAS: Refusal = {
  rule: "git-internals",
  reason:
    "An alias or settings from the environment hide which git command runs. Write the command itself out.",
};
const PUBLISH: Refusal = {
  rule: "publish",
  reason:
    "Pushing makes work public, and the brief does not allow it. Leave the commits here and say in your report what is ready to be pushed.",
};
const DISCARD: Refusal = {
  rule: "git-discard",
  reason:
    "This would throw away changes in the checkout, the person's own among them, that nothing could bring back. " +
    "Undo your own edits by editing the files, look at old versions with `git show HEAD:path`, change branches with " +
    "`git switch`, or try things out in a `git worktree` under the temp directory.",
};
const SHARED: Refusal = {
  rule: "shared-checkout",
  reason:
    "You work in a worktree of your own; branches, tags, index and stash of the shared checkout belong to everyone. " +
    "Commit on your own branch, which begins with flower/, and name it in your report.",
};
const WORKER_BRANCH: Refusal = {
  rule: "git-discard",
  reason:
    "This branch holds the work of an isolated agent, and by force it would go even if that is merged nowhere. " +
    "Leave it: flower removes it once it is merged. `git branch -d` refuses by itself what is not.",
};
const CONFIG: Refusal = {
  rule: "git-internals",
  reason:
    "Git's settings are the person's. For one command use `git -c key=value …`; otherwise say in your report what should be set.",
};

const AGAIN: Refusal = {
  rule: "git-internals",
  reason:
    "This directory is a git repository already. Leave `git init` out; look at it with `git status` and `git log`.",
};
const STORED: Refusal = {
  rule: "git-internals",
  reason:
    "Git would write this into `.git/config`, which is the person's. Take the address where a remote's name would " +
    "stand, `git switch -c <new>` in place of renaming a branch, and say in your report what should be set.",
};

/** What git keeps in `.git/config` of a repository that is there. */
function storedRefusal(call: GitCall & LookUp): Refusal | undefined {
  const { verb, options, operands, dir, isThere } = call;
  const [first = ""] = operands;
  const place = verb === "init" ? posix.resolve(dir ?? "/", first) : dir;
  if (place === undefined || !isThere(posix.join(place, ".git/config"))) return undefined;
  switch (verb) {
    case "init":
      return AGAIN;
    case "remote":
      return /^(add|rename|rm|remove|set-branches|set-url)$/.test(first) ? STORED : undefined;
    case "branch":
      return options.has("m", "M", "c", "C", "u", "unset-upstream", "edit-description") ? STORED : undefined;
    case "submodule":
      return /^(add|init|deinit|set-branch|set-url|sync)$/.test(first) || options.has("init")
        ? STORED
        : undefined;
    case "sparse-checkout":
    case "maintenance":
      return /^(init|set|add|reapply|disable|start|stop|register|unregister)$/.test(first)
        ? STORED
        : undefined;
    default:
      return undefined;
  }
}

/** Verbs, some with a word behind them, that send commits or files to a server. */
const PUSHES =
  /^(send-email|send-pack|http-push|subtree push|lfs push|svn dcommit|p4 submit|annex (sync|copy|push)|cvsexportcommit)\b/;

function pushes({ verb, operands, options }: GitCall): boolean {
  const sends = verb === "push" || PUSHES.test(`${verb} ${operands[0] ?? ""}`);
  return sends && !((verb === "push" || verb === "send-email") && options.has("n", "dry-run"));
}

type LookUp = Pick<PathRules, "isThere">;

/** Changes in files or the stash that git does not keep anywhere. */
function discards(call: GitCall & LookUp): boolean {
  const { verb, options, operands } = call;
  const [first = ""] = operands;
  switch (verb) {
    case "reset":
      return options.has("hard", "merge");
    case "clean":
      return !options.has("n");
    case "checkout":
      return options.has("f", "2", "3", "p", "pathspec-from-file") || checksOutFiles(call);
    case "checkout-index":
      return options.has("f") && !options.has("n", "prefix", "temp");
    case "read-tree":
      return options.has("reset") && options.has("u");
    case "switch":
      return options.has("f", "discard-changes");
    case "restore":
      return !options.has("S") || options.has("W");
    case "rm":
      return options.has("f") && !options.has("cached", "n");
    case "stash":
      return ["drop", "clear"].includes(first);
    case "reflog":
      return ["expire", "delete", "drop"].includes(first);
    case "update-ref":
      return call.args.some(({ text }) => text === "refs/stash" || text === "--stdin");
    case "submodule":
      return ["update", "deinit"].includes(first) && options.has("f");
    default:
      return false;
  }
}

/** `git checkout .`, `git checkout main file.ts`: with files it overwrites them, with a branch it keeps changes. */
function checksOutFiles({ options, operands, dir, isThere }: GitCall & LookUp): boolean {
  if (options.has("b", "B", "orphan", "d", "t")) return false;
  if (options.behindDashes !== undefined) return options.behindDashes.length > 0;
  const [only = ""] = operands;
  if (operands.length !== 1) return operands.length > 1;
  const isFile = dir !== undefined && only !== "" && isThere(posix.resolve(dir, only));
  return isFile || /^(\.{1,2}$|\.{0,2}\/|:)|\/$|\.[a-z]{1,4}$|[*?]/i.test(only);
}

/** Things that all worktrees of a repository have in common. */
function changesShared({ verb, options, operands }: GitCall): boolean {
  const [first = ""] = operands;
  switch (verb) {
    case "stash":
      return !["list", "show"].includes(first);
    case "branch":
      return (
        options.has("d", "D", "m", "M", "c", "C", "f", "u", "unset-upstream", "edit-description") ||
        (!options.has(...LISTS_BRANCHES) && isForeignBranch(first))
      );
    case "worktree":
      return first !== "list";
    case "tag":
      return options.has("d", "f") || (first !== "" && !options.has("l"));
    case "reflog":
      return ["expire", "delete", "drop"].includes(first);
    case "remote":
      return !["", "show", "get-url"].includes(first);
    case "checkout":
      return options.has("B") || options.values("b", "orphan").some(({ text }) => isForeignBranch(text));
    case "switch": {
      const made = options.values("c", "orphan").map(({ text }) => text);
      if (options.has("C")) return true;
      return !options.has("d") && (made.length > 0 ? made : [first]).some(isForeignBranch);
    }
    case "fetch":
      return operands.some((operand) => /^\+?[^:]*:./.test(operand) && !/^\w+:\/\/|@/.test(operand));
    default:
      return ["update-ref", "symbolic-ref", "gc", "prune", "pack-refs", "filter-branch", "replace"].includes(
        verb,
      );
  }
}

const LISTS_BRANCHES = [
  "l",
  "a",
  "r",
  "show-current",
  "contains",
  "no-contains",
  "merged",
  "no-merged",
  "points-at",
];

/** Not one of those that isolated workers have; `-` is the branch before. */
const isForeignBranch = (name: string | undefined): boolean =>
  name !== "" && name !== "-" && name?.startsWith("flower/") !== true;

/** A branch of an isolated worker, deleted or moved although it may not be merged. */
function dropsWorkerBranch({ verb, options, operands }: GitCall): boolean {
  const forced = options.has("D", "M", "C") || (options.has("f") && !options.has("r"));
  return verb === "branch" && forced && operands.some((name) => /^(refs\/heads\/)?flower\//.test(name));
}

const setsAlias = ({ verb, options, operands }: GitCall): boolean =>
  verb === "config" &&
  !readsConfig(options, operands) &&
  operands.some((operand) => /^alias\./i.test(operand));

/** Settings of the person or of the workspace's repository; those of a scratch repository or another file are free. */
function setsConfig({ options, operands }: GitCall, isShared: boolean): boolean {
  const wide = options.has("global", "system");
  return (isShared || wide) && !options.has("f") && !readsConfig(options, operands);
}
