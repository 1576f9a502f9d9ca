import { posix } from "node:path";
import { plain, type Arg, type Inner } from "./bash-words.ts";
import type { WriteTarget } from "./bash-writers.ts";
import { grammar, readOptions, type Grammar, type Options } from "./options.ts";

/** A git command with what stands in front of its verb taken out. */
export interface GitCall {
  readonly verb: string;
  /** Words behind the verb. */
  readonly args: readonly Arg[];
  readonly options: Options;
  /** Operands as texts; unknown ones are empty. */
  readonly operands: readonly string[];
  /** Where git works: `-C`, `--git-dir` and `--work-tree` taken into account; undefined when not known. */
  readonly dir: string | undefined;
  /** Its own programs are looked for elsewhere. */
  readonly otherPrograms: boolean;
  /** `key=value` of every `-c` and `--config-env`. */
  readonly settings: readonly string[];
}

const GLOBAL = grammar(
  "C= c= git-dir= work-tree= namespace= exec-path? super-prefix= config-env= attr-source= list-cmds= p|paginate " +
    "P|no-pager bare h|help v|version no-replace-objects literal-pathspecs no-optional-locks html-path man-path info-path",
);

/** Options of the verbs that the rules look at (git 2.43). */
const VERBS: ReadonlyMap<string, Grammar> = new Map(
  (
    [
      [
        "push",
        "n|dry-run v q u|set-upstream f|force o|push-option= repo= receive-pack= exec= d|delete all mirror tags signed? force-with-lease? recurse-submodules=",
      ],
      ["send-email", "dry-run to= cc= bcc= from= subject="],
      ["reset", "hard soft mixed merge keep p|patch q|quiet N|intent-to-add pathspec-from-file= refresh"],
      ["clean", "n|dry-run d f|force i|interactive q|quiet x X e|exclude="],
      [
        "checkout",
        "b= B= orphan= f|force d|detach t|track? l guess conflict= m|merge p|patch 2|ours 3|theirs q|quiet progress overlay pathspec-from-file= recurse-submodules?",
      ],
      [
        "switch",
        "c|create= C|force-create= orphan= f|force discard-changes d|detach t|track? m|merge conflict= q guess",
      ],
      [
        "restore",
        "s|source= S|staged W|worktree p|patch q|quiet progress ours theirs m|merge conflict= overlay pathspec-from-file=",
      ],
      ["rm", "f|force r cached n|dry-run q|quiet ignore-unmatch sparse pathspec-from-file="],
      ["checkout-index", "a|all f|force n|no-create q|quiet u|index prefix= stage= temp z stdin"],
      ["read-tree", "reset m u i n|dry-run prefix= v trivial aggressive index-output= empty"],
      [
        "branch",
        "d|delete D m|move M c|copy C f|force u|set-upstream-to= unset-upstream edit-description t|track? " +
          "l|list a|all r|remotes v|verbose show-current contains? no-contains? merged? no-merged? points-at? format= sort=",
      ],
      ["tag", "d|delete f|force m|message= F|file= u|local-user= a|annotate s|sign l|list?"],
      ["worktree", "b= B= d|detach f|force track lock reason= orphan v|verbose expire= n|dry-run"],
      [
        "config",
        "global system local worktree f|file= blob= l|list get get-all get-regexp get-urlmatch add unset unset-all replace-all rename-section remove-section e|edit type= default= z name-only show-origin show-scope h|help",
      ],
      [
        "clone",
        "b|branch= o|origin= u|upload-pack= c|config= depth= reference= reference-if-able= separate-git-dir= template= j|jobs= filter= shallow-since= shallow-exclude= server-option= bundle-uri= n l s q v",
      ],
      ["init", "b|initial-branch= separate-git-dir= template= shared? object-format= q bare"],
      ["archive", "o|output= remote= exec= prefix= format= add-file= add-virtual-file= l v"],
      [
        "format-patch",
        "o|output-directory= output= stdout n N s v|reroll-count= start-number= subject-prefix= suffix= to= cc= base= signature= in-reply-to=",
      ],
      ["submodule", "q|quiet init recursive f|force b= name= reference= depth="],
      ["rebase", "x|exec= onto= s= X= C= i|interactive m f q"],
      ["filter-branch", filterOptions()],
      ["difftool", "x|extcmd= t|tool= g d y output="],
      ["grep", "O|open-files-in-pager? e= f="],
      ["fetch", "o= j= depth= upload-pack= a f p q"],
    ] as const
  ).map(([verb, text]) => [verb, grammar(text)]),
);
const OTHER = grammar("output=");

function filterOptions(): string {
  return ["setup", "env", "tree", "index", "parent", "msg", "commit", "tag-name"]
    .map((name) => `${name}-filter=`)
    .concat("d=", "f|force", "original=", "subdirectory-filter=")
    .join(" ");
}

/** Takes a git command apart; undefined without a verb. `args` are those behind `git`. */
export function readGitCall(args: readonly Arg[], cwd: string | undefined): GitCall | undefined {
  const global = readOptions(args, GLOBAL, { leading: true });
  const [first, ...rest] = global.operands;
  if (first?.text === undefined) return undefined;
  const options = readOptions(rest, VERBS.get(first.text) ?? OTHER);
  return {
    verb: first.text,
    args: rest,
    options,
    operands: options.operands.map(({ text }) => text ?? ""),
    dir: workingDirectory(global, cwd),
    otherPrograms: global.values("exec-path").length > 0,
    settings: global.values("c", "config-env").map(({ text }) => text ?? ""),
  };
}

function workingDirectory({ list }: Options, cwd: string | undefined): string | undefined {
  let dir = cwd;
  for (const { name, value } of list) {
    if (name !== "C" && name !== "git-dir" && name !== "work-tree") continue;
    const place = value?.text;
    if (place === undefined) return undefined;
    const tree = name === "git-dir" ? place.replace(/\/?\.git\/?$/, "") || "." : place;
    dir = posix.isAbsolute(tree) ? posix.resolve(tree) : dir && posix.resolve(dir, tree);
  }
  return dir;
}

/** Settings whose value git runs. */
const RUN_SETTING =
  /^[^=]*(command|pager|editor|program|helper|fsmonitor|textconv|clean|smudge|process|driver|cmd|askpass|external)=!?(.*)$/is;

/** Commands that git runs in its turn, as far as its words tell. */
export function gitInner(args: readonly Arg[]): readonly Inner[] {
  const call = readGitCall(args, undefined);
  if (call === undefined) return [];
  const { verb, options, settings } = call;
  const scripts = [
    ...settings.map((setting) => RUN_SETTING.exec(setting)?.[2]),
    ...options
      .values("x", "O", ...(verb === "filter-branch" ? filterNames(options) : []))
      .map(({ text }) => text),
    ...(verb === "submodule" && call.operands[0] === "foreach" ? [behind("foreach", call)] : []),
  ];
  const runs = verb === "bisect" && call.operands[0] === "run" ? call.args.slice(1) : [];
  return [
    ...scripts.flatMap((text): Inner[] =>
      text === undefined || text === "" || text === "true" ? [] : [{ kind: "script", text }],
    ),
    ...(runs.length > 0 ? [{ kind: "command", words: runs } as const] : []),
  ];
}

const filterNames = ({ list }: Options): string[] =>
  list.map(({ name }) => name).filter((name) => name.endsWith("-filter") && name !== "subdirectory-filter");

function behind(word: string, { args }: GitCall): string | undefined {
  const words = args.slice(args.findIndex(({ text }) => text === word) + 1).map(({ text }) => text);
  const from = words.findIndex((text) => text?.startsWith("--") !== true);
  return from === -1 || words.includes(undefined) ? undefined : words.slice(from).join(" ");
}

const CHANGING = new Set(
  (
    "add am apply checkout checkout-index cherry-pick clean commit fetch gc init merge mv notes prune pull read-tree rebase reset " +
    "restore revert rm stash switch update-index update-ref symbolic-ref filter-branch"
  ).split(" "),
);

/** Whether a verb changes the repository or the files where git works. */
export const changesPlace = (verb: string): boolean => CHANGING.has(verb);

/** What a git command writes, relative to where git works. */
export function gitTargets({ verb, options, operands, dir }: GitCall): readonly WriteTarget[] {
  const [first = "", second, third] = operands;
  const targets = options.values("output", "separate-git-dir", "index-output").map(({ text }) => text);
  switch (verb) {
    case "clone":
      targets.push(second ?? ".");
      break;
    case "init":
      targets.push(operands[0] ?? ".");
      break;
    case "worktree":
      if (first === "add") targets.push(second);
      if (first === "move") targets.push(third);
      if (first === "remove" && second !== undefined) return [{ arg: plain(at(dir, second)), tree: true }];
      break;
    case "archive":
      targets.push(...options.values("o").map(({ text }) => text));
      break;
    case "bundle":
      if (first === "create") targets.push(second);
      break;
    case "format-patch":
      if (!options.has("stdout", "o", "output")) targets.push(".");
      targets.push(...options.values("o").map(({ text }) => text));
      break;
    case "checkout-index":
      targets.push(...options.values("prefix").map(({ text }) => text));
      break;
    case "config":
      if (!readsConfig(options, operands)) targets.push(...options.values("f").map(({ text }) => text));
      break;
    case "mv":
      targets.push(".", operands.at(-1));
      break;
    default:
      if (changesPlace(verb)) targets.push(".");
  }
  // What git takes away goes with all that is in it.
  const isTaken = (verb === "rm" && !options.has("cached")) || verb === "mv";
  const taken = isTaken ? operands.slice(0, verb === "mv" ? -1 : undefined) : [];
  const toTargets = (texts: readonly (string | undefined)[], tree: boolean): WriteTarget[] =>
    texts.flatMap((text) => (text === undefined || text === "" ? [] : [{ arg: plain(at(dir, text)), tree }]));
  return [...toTargets(targets, false), ...toTargets(taken, true)];
}

const at = (dir: string | undefined, path: string): string =>
  dir === undefined || /^[/~]/.test(path) ? path : posix.resolve(dir, path);

/** Whether `git config` only shows something. */
export function readsConfig(options: Options, operands: readonly string[]): boolean {
  if (options.has("add", "unset", "unset-all", "replace-all", "rename-section", "remove-section", "e"))
    return false;
  if (["set", "unset", "edit", "rename-section", "remove-section"].includes(operands[0] ?? "")) return false;
  const reads = options.has("l", "get", "get-all", "get-regexp", "get-urlmatch", "h");
  return reads || ["list", "get"].includes(operands[0] ?? "") || operands.length <= 1;
}
