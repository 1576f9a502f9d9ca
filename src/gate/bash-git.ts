import { posix } from "node:path";
import type { PathRules } from "./paths.ts";
import type { Refusal } from "./policy.ts";

/** What the git rules need to know about the call. */
export interface GitScene {
  readonly paths: PathRules;
  /** Where the command runs; undefined when only the shell knows. */
  readonly cwd: string | undefined;
  /** The caller has a worktree of its own. */
  readonly isolated: boolean;
  readonly throwaway: boolean;
  readonly allowPublish: boolean;
}

interface GitCall {
  readonly verb: string;
  readonly words: readonly string[];
  /** Where git works: `-C`, `--git-dir` and `--work-tree` taken into account. */
  readonly dir: string | undefined;
}

/** Why a git command is refused. `words` are those behind `git`; unknown ones are empty. */
export function gitRefusal(words: readonly string[], scene: GitScene): Refusal | undefined {
  const call = readCall(words, scene.cwd);
  if (call === undefined) return undefined;
  if (!scene.allowPublish && pushes(call)) return PUBLISH;
  if (scene.throwaway) return undefined;
  if (scene.isolated) {
    const own = call.dir !== undefined && !scene.paths.isSharedCheckout(call.dir);
    if (changesShared(call) || (!own && CHANGES_CHECKOUT.has(call.verb))) return SHARED;
  }
  // A directory that is not known may be the workspace: what cannot be undone is refused there too.
  const mayBeShared = call.dir === undefined || scene.paths.isSharedCheckout(call.dir);
  if (mayBeShared && discards(call)) return DISCARD;
  const isShared = call.dir !== undefined && mayBeShared;
  return call.verb === "config" && setsConfig(call, isShared) ? CONFIG : undefined;
}

const PUBLISH: Refusal = {
  rule: "publish",
  reason:
    "Pushing makes work public, and the brief does not allow it. Leave the commits here and say in your report what is ready to be pushed.",
  askable: true,
};
const DISCARD: Refusal = {
  rule: "git-discard",
  reason:
    "This would throw away changes in the checkout, the person's own among them, that nothing could bring back. " +
    "Undo your own edits by editing the files, look at old versions with `git show HEAD:path`, " +
    "or try things out in a `git worktree` under the temp directory.",
};
const SHARED: Refusal = {
  rule: "shared-checkout",
  reason:
    "You work in a worktree of your own; branches, index and stash of the shared checkout belong to everyone. " +
    "Commit on your own branch and name it in your report.",
};
const CONFIG: Refusal = {
  rule: "git-internals",
  reason:
    "Git's settings are the person's. For one command use `git -c key=value …`; otherwise say in your report what should be set.",
};

function readCall(words: readonly string[], cwd: string | undefined): GitCall | undefined {
  let dir = cwd;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const [, name, attached] = /^(-C|--git-dir|--work-tree)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      const place = attached ?? words[(i += 1)] ?? "";
      const tree = name === "--git-dir" ? place.replace(/\/?\.git\/?$/, "") || "." : place;
      dir =
        place === ""
          ? undefined
          : posix.isAbsolute(tree)
            ? posix.resolve(tree)
            : dir && posix.resolve(dir, tree);
    } else if (word === "-c") i += 1;
    else if (!word.startsWith("-")) return { verb: word, words: words.slice(i + 1), dir };
  }
  return undefined;
}

const has = (words: readonly string[], pattern: RegExp): boolean => words.some((word) => pattern.test(word));
const operandsOf = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith("-"));

function pushes({ verb, words }: GitCall): boolean {
  return (verb === "push" && !has(words, /^(--dry-run|-n)$/)) || verb === "send-email";
}

/** Changes in files or the stash that git does not keep anywhere. */
function discards({ verb, words }: GitCall): boolean {
  switch (verb) {
    case "reset":
      return has(words, /^--(hard|merge)$/);
    case "clean":
      return !has(words, /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/);
    case "checkout":
      return has(words, /^(-[a-zA-Z]*f[a-zA-Z]*|--force|--|--ours|--theirs)$/) || namesFiles(words);
    case "switch":
      return has(words, /^(-[a-zA-Z]*f[a-zA-Z]*|--force|--discard-changes)$/);
    case "restore":
      return !has(words, /^(-S|--staged)$/) || has(words, /^(-[a-zA-Z]*W[a-zA-Z]*|--worktree)$/);
    case "stash":
      return has(words.slice(0, 1), /^(drop|clear)$/);
    default:
      return false;
  }
}

/** `git checkout .`, `git checkout main file.ts`: a branch is rarely called so. */
function namesFiles(words: readonly string[]): boolean {
  if (has(words, /^(-b|-B|--orphan|--detach|-t|--track)/)) return false;
  return has(operandsOf(words), /^(\.{1,2}$|\.{1,2}\/|:)|\/$|\.[a-z]{1,4}$|[*?]/i);
}

const CHANGES_CHECKOUT = new Set(
  "add am apply checkout cherry-pick clean commit merge mv pull rebase reset restore revert rm switch".split(
    " ",
  ),
);

/** Things that all worktrees of a repository have in common. */
function changesShared({ verb, words }: GitCall): boolean {
  const [first = ""] = operandsOf(words);
  switch (verb) {
    case "stash":
      return !["list", "show"].includes(first);
    case "branch":
      return has(
        words,
        /^(-[dDmMcCfu]|--(delete|move|copy|force|set-upstream-to|unset-upstream|edit-description))/,
      );
    case "worktree":
      return first !== "list";
    case "tag":
      return has(words, /^(-d|-f|--delete|--force)$/);
    case "reflog":
      return ["expire", "delete", "drop"].includes(first);
    case "remote":
      return !["", "show", "get-url"].includes(first);
    case "checkout":
    case "switch":
      return has(words, /^(-B|-C|--force-create)$/);
    default:
      return ["update-ref", "symbolic-ref", "gc", "prune", "pack-refs", "filter-branch", "replace"].includes(
        verb,
      );
  }
}

/** Settings of the person or of the workspace's repository; those of a scratch repository are free. */
function setsConfig({ words }: GitCall, isShared: boolean): boolean {
  const wide = has(words, /^--(global|system)$/);
  const [first = ""] = operandsOf(words);
  const reads =
    has(words, /^(-l|--list|--get.*|--help)$/) ||
    ["list", "get"].includes(first) ||
    operandsOf(words).length === 1;
  const writes =
    has(words, /^(--(add|unset|unset-all|replace-all|rename-section|remove-section|edit)|-e)$/) ||
    ["set", "unset", "edit", "rename-section", "remove-section"].includes(first);
  return (isShared || wide) && (writes || !reads);
}
