import {
  allow,
  anyOptions,
  asPath,
  listed,
  refuse,
  sortWords,
  textAsPath,
  type GlanceAnswer,
  type GlancePath,
  type GlanceRule,
  type HarmlessOptions,
} from "./glance-rule.ts";
import type { ShellWord } from "./shell-word.ts";

/* Left out on purpose: --output (writes), --ext-diff and --textconv (run drivers), --show-signature (runs gpg, so do `%G…` and `%(signature)` in formats). */
const HISTORY: HarmlessOptions = {
  short: "p s u a b w z R i E F P c m t r q n: S: G: L: U: M? C? B?",
  long:
    "oneline graph all decorate? no-decorate stat? shortstat numstat name-only name-status patch no-patch raw " +
    "summary compact-summary patch-with-stat dirstat? abbrev-commit no-abbrev-commit abbrev? merges no-merges " +
    "first-parent reverse follow topo-order date-order author-date-order branches? tags? remotes? since= until= " +
    "after= before= author= committer= grep= format= pretty? max-count= skip= date= diff-filter= unified= " +
    "color? no-color word-diff? color-words? color-moved? ignore-all-space ignore-space-change " +
    "ignore-space-at-eol ignore-blank-lines find-renames? find-copies? no-renames cached staged merge-base " +
    "minimal patience histogram quiet exit-code check no-ext-diff no-textconv full-index binary no-index " +
    "relative? left-right left-only right-only cherry-pick cherry-mark boundary invert-grep all-match " +
    "regexp-ignore-case extended-regexp fixed-strings perl-regexp source no-walk? simplify-by-decoration text " +
    "function-context inter-hunk-context= submodule? ignore-submodules? no-prefix pickaxe-all pickaxe-regex " +
    "no-notes count walk-reflogs",
  digits: true,
};

const GREP: HarmlessOptions = {
  short: "n i l L w c E F P G h H v o p W e: A: B: C: m:",
  long:
    "and or not cached untracked line-number column files-with-matches files-without-match name-only count " +
    "ignore-case word-regexp extended-regexp fixed-strings perl-regexp invert-match only-matching heading break " +
    "color? no-color show-function function-context max-depth= max-count= all-match quiet full-name",
  digits: true,
};

const LIST_FILTERS = ["--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

const SUBCOMMANDS: ReadonlyMap<string, GlanceRule> = new Map<string, GlanceRule>([
  ["status", anyOptions()],
  ["log", revisions(HISTORY)],
  ["diff", revisions(HISTORY)],
  ["show", revisions(HISTORY)],
  ["rev-list", revisions(HISTORY)],
  [
    "shortlog",
    revisions({ short: "s n e c", long: "summary numbered email no-merges since= until= author= all" }),
  ],
  [
    "blame",
    revisions({
      short: "w s e l t f n c L: M? C?",
      long: "date= since= porcelain line-porcelain show-email root show-name show-number",
    }),
  ],
  ["rev-parse", anyOptions()],
  ["merge-base", anyOptions("text")],
  ["ls-files", anyOptions("paths", "paths")],
  ["ls-tree", anyOptions()],
  ["for-each-ref", anyOptions("text")],
  ["show-ref", anyOptions("text")],
  ["name-rev", anyOptions("text")],
  ["describe", anyOptions("text")],
  ["count-objects", anyOptions("text")],
  ["check-ignore", anyOptions()],
  ["cat-file", revisions({ short: "p t s e" })],
  ["grep", grep],
  ["branch", branch],
  ["tag", tag],
  ["reflog", reflog],
  ["remote", remote],
  ["config", config],
  ["stash", verbs({ list: revisions(HISTORY), show: revisions(HISTORY) })],
  ["submodule", verbs({ status: listed({ long: "cached recursive" }) })],
  ["worktree", verbs({ list: listed({ short: "v z", long: "verbose porcelain", maxOperands: 0 }) })],
  ["version", listed({ long: "build-options", maxOperands: 0 })],
]);

/* Of formats on the command line; names of formats in the configuration are the person's own. */
const ASKS_FOR_SIGNATURE = /%[-+ ]?G|%\(\*?signature/;
/* Lists of refs take it as an order too (git 2.43), and the option's name may be cut short. */
const ASKS_IN_ORDER = /^(--\w+=)?[-*]*signature(:|$)/;

/** `git`: harmless global options, then a subcommand of the list in a form that only reads. */
export const git: GlanceRule = (args) => {
  const paths: ShellWord[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word === undefined) break;
    if (word.value === "--version" && args.length === 1) return allow();
    if (["--no-pager", "-P", "--no-optional-locks"].includes(word.value)) continue;
    if (word.value === "-C") {
      i += 1;
      const dir = args[i];
      if (dir?.kind !== "literal" || dir.value.startsWith("-"))
        return refuse("`-C` wants a directory, written out");
      paths.push(dir);
      continue;
    }
    if (word.value.startsWith("-"))
      return refuse(`\`git ${word.source}\` is not harmless before a subcommand`);
    const rule = word.kind === "literal" ? SUBCOMMANDS.get(word.value) : undefined;
    if (rule === undefined) return refuse(`\`git ${word.source}\` is not on the list of reading subcommands`);
    const lists = ["branch", "tag", "for-each-ref"].includes(word.value);
    const signed = args.find(
      ({ value }) => ASKS_FOR_SIGNATURE.test(value) || (lists && ASKS_IN_ORDER.test(value)),
    );
    if (word.value !== "grep" && signed !== undefined) return refuse(`\`${signed.source}\` runs gpg`);
    const rest = args.slice(i + 1);
    if (rest.some(mayAskForHelp)) return refuse("`--help` opens a manual: `-h` prints the usage");
    const answer = rule(rest);
    if (answer.trouble !== undefined) return refuse(`\`git ${word.value}\`: ${answer.trouble}`);
    const named = [...answer.paths.flatMap(pathsOfRevision), ...linesOf(rest)];
    return { trouble: undefined, paths: [...paths.map(asPath), ...named] };
  }
  return refuse("`git` without a subcommand");
};

/**
 * `rev:path`, `:stage:path` and pathspecs with magic (`:(top)x`, `:!x`) hold a path behind a colon. A revision may hold
 * colons too (`HEAD^{/fix: x}`, `main@{10:00}`): whatever stands behind one counts.
 */
function pathsOfRevision(path: GlancePath): GlancePath[] {
  const behind = Array.from(path.text.matchAll(/:/g), ({ index }) =>
    path.text.slice(index + 1).replace(/^(\([^)]*\)|[/!^]+|[0-3]:)/, ""),
  );
  const named = [...(path.text.startsWith(":") ? [] : [path]), ...behind.map(textAsPath)];
  // What git takes for a pattern may mean no directory, and stands for dot files too: `**/.env`, `*.env`.
  const bare = named.map(({ text }) => text.replaceAll("**/", "").replace(/^\*+/, ""));
  const all = [...bare.map(textAsPath), ...named];
  return [...new Map(all.map((one) => [one.text, one])).values()];
}

/** Values of `-L`, which end in the name of a file (`-L1,9:src/a.ts`), also behind other letters. */
function linesOf(args: readonly ShellWord[]): GlancePath[] {
  return args.flatMap(({ value }, i) =>
    /^-[a-zA-Z]*L./.test(value) || /^-[a-zA-Z]*L$/.test(args[i - 1]?.value ?? "")
      ? pathsOfRevision(textAsPath(value.replace(/^[^:]*/, "")))
      : [],
  );
}

/** Only right behind the subcommand it opens the manual, but braces may bring it there. */
const mayAskForHelp = ({ value, braces }: ShellWord, i: number): boolean =>
  i === 0 && (value === "--help" || (braces && /^(?:-|\{.*-)/s.test(value)));

function revisions(options: HarmlessOptions): GlanceRule {
  return listed(options);
}

function verbs(table: Readonly<Record<string, GlanceRule>>): GlanceRule {
  return (args) => {
    const [verb, ...rest] = args;
    const rule = verb !== undefined && Object.hasOwn(table, verb.value) ? table[verb.value] : undefined;
    return rule?.(rest) ?? refuse(`only ${Object.keys(table).join(", ")} here`);
  };
}

/** Lists, unless there is an operand without an option that makes it a filter: then it creates. */
function listing(options: HarmlessOptions, filters: readonly string[]): GlanceRule {
  return (args) => {
    const sorted = sortWords(args, options);
    if (sorted.trouble !== undefined) return sorted;
    const filtered = filters.some((name) => sorted.options.has(name));
    return sorted.operands.length > 0 && !filtered
      ? refuse("an operand without `--list` changes refs")
      : allow();
  };
}

const LIST_LONG =
  "list contains? no-contains? merged? no-merged? points-at= sort= format= column? no-column color? no-color ignore-case";

function branch(args: readonly ShellWord[]): GlanceAnswer {
  const long = `all remotes verbose show-current abbrev? no-abbrev ${LIST_LONG}`;
  return listing({ short: "a r v i", long }, ["--list", ...LIST_FILTERS])(args);
}

function tag(args: readonly ShellWord[]): GlanceAnswer {
  return listing({ short: "l n? i", long: LIST_LONG }, ["--list", "-l", ...LIST_FILTERS])(args);
}

function reflog(args: readonly ShellWord[]): GlanceAnswer {
  const [verb, ...rest] = args;
  const options = verb?.value === "show" ? rest : args;
  const sorted = sortWords(options, HISTORY);
  if (sorted.trouble !== undefined) return sorted;
  if (verb?.value === "show" || sorted.operands.length === 0) return allow(sorted.operands);
  return refuse("only plain and `show`");
}

function remote(args: readonly ShellWord[]): GlanceAnswer {
  const words = args.map((word) => (word.kind === "literal" ? word.value : "?")).join(" ");
  return /^(-v|--verbose|get-url( --all)? [^- ]\S*)?$/.test(words)
    ? allow()
    : refuse("only `-v` and `get-url`");
}

function config(args: readonly ShellWord[]): GlanceAnswer {
  const [verb, ...rest] = args;
  const spoken = verb?.value === "list" || verb?.value === "get";
  const sorted = sortWords(spoken ? rest : args, {
    short: "l z",
    long:
      "get get-all get-regexp list global local system worktree show-origin show-scope name-only null " +
      "type= bool int path includes no-includes all regexp",
  });
  if (sorted.trouble !== undefined) return sorted;
  const reads = ["--get", "--get-all", "--get-regexp", "--list", "-l"].some((name) =>
    sorted.options.has(name),
  );
  const { operands } = sorted;
  // What looks like an option behind a name is the value that the name is set to.
  const isLast = operands.every((word, i) => word === args[args.length - operands.length + i]);
  // A first word without a dot is a verb.
  const isNamed = operands.length === 1 && isName(operands[0]);
  const isRead = isLast && (isNamed || (reads && verb?.value.startsWith("-") === true));
  return spoken || isRead
    ? allow()
    : refuse("only `list`, `get`, and `[--get…] name` with all options in front");
}

const isName = (word: ShellWord | undefined): boolean =>
  word?.kind === "literal" && /^[a-z][\w-]*\.\S+$/i.test(word.value);

function grep(args: readonly ShellWord[]): GlanceAnswer {
  const sorted = sortWords(args, GREP);
  if (sorted.trouble !== undefined) return sorted;
  return allow(sorted.options.has("-e") ? sorted.operands : sorted.operands.slice(1));
}
