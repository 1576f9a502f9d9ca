import { PRINTED, plain, type Arg, type Inner } from "./bash-words.ts";
import { tarWords } from "./bash-readers.ts";
import { findWith, printsOther } from "./bash-find.ts";
import { gitInner } from "./bash-git-call.ts";
import { grammar, readOptions, type Grammar, type Options } from "./options.ts";

interface Wrapper {
  readonly options: Grammar;
  /** Operands in front of the inner command. */
  readonly operands: number;
  /** Words that must come first, e.g. `exec` of `npm exec`; without them nothing is wrapped. */
  readonly verbs: readonly string[] | undefined;
  /** Verbs that are programs themselves. */
  readonly programs: readonly string[];
  /** Option whose value is a script, in place of words or besides them. */
  readonly script: string | undefined;
  /** The words are put together to a script. */
  readonly joins: boolean;
  /** With one of these options nothing is run. */
  readonly unless: readonly string[];
}

const row = (
  names: string,
  options: string,
  {
    operands = 0,
    verbs,
    programs = [],
    script,
    joins = false,
    unless = [],
  }: Partial<Omit<Wrapper, "options">> = {},
): [string, Wrapper][] =>
  names
    .split(" ")
    .map((name) => [name, { options: grammar(options), operands, verbs, programs, script, joins, unless }]);

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...row("env", "u|unset= C|chdir= i|ignore-environment 0|null v|debug S|split-string=", { script: "S" }),
  ...row("timeout", "k|kill-after= s|signal= v|verbose foreground preserve-status p f", { operands: 1 }),
  ...row("nice", "n|adjustment="),
  ...row("ionice", "c|class= n|classdata= p|pid= t|ignore"),
  ...row("chrt taskset", "p|pid a|all-tasks c|cpu-list T= P= D=", { operands: 1 }),
  ...row(
    "nohup setsid fakeroot catchsegv caffeinate unbuffer xvfb-run dbus-run-session firejail proxychains",
    "",
  ),
  ...row("stdbuf", "i|input= o|output= e|error="),
  ...row("time", "f|format= o|output= a|append p|portability v|verbose q|quiet"),
  ...row("strace ltrace", "o|output= e= p= s= u|username= E= a= f t c"),
  ...row("perf", "o|output= e|event=", { verbs: ["stat", "record"] }),
  ...row("unshare nsenter setpriv prlimit bwrap systemd-run", "S= G= R= w="),
  ...row("chroot", "userspec= groups=", { operands: 1 }),
  ...row("command", "p v V", { unless: ["v", "V"] }),
  ...row("builtin then noglob corepack", ""),
  ...row("exec", "a= c l"),
  ...row(
    "xargs",
    "I= i|replace? n|max-args= P|max-procs= L= l|max-lines? d|delimiter= a|arg-file= E= e|eof? s|max-chars= 0|null r|no-run-if-empty t|verbose p|interactive x|exit o|open-tty process-slot-var=",
  ),
  ...row(
    "parallel",
    "j|jobs= n|max-args= N= I= a|arg-file= d|delimiter= C|colsep= joblog= results= k q 0|null",
    {
      joins: true,
    },
  ),
  ...row(
    "watch",
    "n|interval= d|differences? t|no-title b|beep e|errexit g|chgexit c|color x|exec q|equexit=",
    {
      joins: true,
    },
  ),
  ...row(
    "flock",
    "s|shared x|exclusive n|nonblock u|unlock w|timeout= E|conflict-exit-code= o|close c|command=",
    {
      operands: 1,
      script: "c",
    },
  ),
  ...row(
    "script",
    "c|command= O|log-out= I|log-in= B|log-io= T|log-timing= o|output-limit= E|echo= q a e f",
    {
      script: "c",
      operands: 1,
    },
  ),
  ...row(
    "ssh",
    "b= c= D= E= e= F= I= i= J= L= l= m= O= o= p= Q= R= S= W= w= 4 6 A a C f G g K k M N n q s T t V v X x Y y",
    { operands: 1, joins: true },
  ),
  ...row("tmux", "L= S= f= c= n= s= t= x= y= d", {
    verbs: ["new", "new-session", "new-window", "neww"],
    joins: true,
  }),
  ...row("screen", "S= c= d m D", {}),
  ...row("busybox toybox", ""),
  ...row("npx bunx", "p|package= w|workspace= c|call= y|yes", { script: "c" }),
  ...row("uvx", "from= with= p|python="),
  ...row("npm pnpm", "w|workspace= prefix= C|dir= F|filter= p|package= c|call= userconfig= r", {
    verbs: ["exec", "x", "dlx"],
    script: "c",
  }),
  ...row("yarn", "cwd=", { verbs: ["exec", "dlx"] }),
  ...row("bun", "cwd=", { verbs: ["x"] }),
  ...row("bundle", "", { verbs: ["exec"] }),
  ...row("uv", "C|directory= with= p|python=", { verbs: ["run"], programs: ["pip", "venv"] }),
  ...row("poetry pipx pipenv pdm hatch rye conda mamba", "C|directory= with= p|prefix= n|name=", {
    verbs: ["run"],
  }),
]);

interface Helpers {
  readonly options: Grammar;
  readonly runs: readonly string[];
}

const helpers = (names: string, runs: string, others = ""): [string, Helpers][] =>
  names.split(" ").map((name) => [
    name,
    {
      options: grammar(`${runs} ${others}`),
      runs: runs.split(" ").map((option) => option.replace(/[|=].*/, "")),
    },
  ]);

/** Options of programs that are no wrappers whose value is run all the same. */
const HELPERS: ReadonlyMap<string, Helpers> = new Map([
  ...helpers(
    "tar bsdtar gtar",
    "I|use-compress-program= F|info-script= to-command= checkpoint-action= rsh-command=",
    "C= f= T= X= b= g= H= K= L= N= V=",
  ),
  ...helpers("rsync", "e|rsh= rsync-path=", "f= T= B= M="),
  ...helpers("sort", "compress-program=", "k= t= o= S= T="),
  ...helpers("split", "filter=", "a= b= C= l= n= t="),
  ...helpers("rg", "pre=", "e= f= g= t= T= A= B= C= m="),
]);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh"]);
const SHELL_OPTIONS = grammar(
  "c|command i l|login s r e u x v f n p o= O= rcfile= init-file= norc noprofile posix",
);

/** True for programs that read commands from standard input when they get no script. */
export const isShell = (name: string): boolean => SHELLS.has(name);

/** What a pipe hands to a command: what `find` finds, or words that are known. */
export type Feed =
  | { readonly kind: "find"; readonly args: readonly Arg[] }
  | { readonly kind: "words"; readonly words: readonly Arg[] };

/** What a command runs in its turn, as far as its words tell; `find` is told apart elsewhere. */
export function unwrap(name: string, args: readonly Arg[], feed?: Feed): readonly Inner[] {
  if (isShell(name)) return shellScript(args);
  if (name === "eval") return asScripts(joined(args));
  if (name === "trap") return asScripts(readOptions(args, grammar("")).operands[0]?.text);
  if (name === "alias") return args.flatMap((arg) => asScripts(/^[^=]+=(.*)$/s.exec(arg.text ?? "")?.[1]));
  if (name === "git") return gitInner(args);
  if (/^python[\d.]*$/.test(name)) return pythonModule(args);
  if (name === "fd" || name === "fdfind") return fdCommands(args);
  const helper = HELPERS.get(name);
  if (helper !== undefined) return helpersOf(readOptions(tarWords(name, args), helper.options), helper.runs);
  const wrapper = WRAPPERS.get(name);
  const words = wrapper && behindVerb(args, wrapper);
  if (wrapper === undefined || words === undefined) return [];
  const options = readOptions(words, wrapper.options, { leading: true });
  if (options.has(...wrapper.unless)) return [];
  if (name === "env") return envCommand(options);
  if (name === "xargs") return xargsCommand(options, feed);
  return innerOf(wrapper, options);
}

function helpersOf({ values }: Options, runs: readonly string[]): readonly Inner[] {
  return values(...runs).flatMap(({ text }) => asScripts(text?.replace(/^exec=/, "")));
}

function innerOf(wrapper: Wrapper, options: Options): readonly Inner[] {
  const words = options.operands.slice(wrapper.operands);
  if (wrapper.script !== undefined) {
    // `flock file -c script`: options behind the operands count as well.
    const behind = words[0]?.text?.startsWith("-") === true ? readOptions(words, wrapper.options) : options;
    const [script] = [...options.values(wrapper.script), ...behind.values(wrapper.script)];
    if (script !== undefined) return asScripts(script.text);
  }
  const [first] = words;
  if (first === undefined) return [];
  // What stands behind an option that is not known may be its value or the program.
  const late = readOptions(words.slice(1), wrapper.options, { leading: true }).operands;
  const readings = options.doubtful.has(first) && wrapper.operands === 0 ? [words, late] : [words];
  if (!wrapper.joins || options.has("x")) {
    return readings.flatMap((reading) => (reading.length === 0 ? [] : [{ kind: "command", words: reading }]));
  }
  return readings.flatMap((reading) => asScripts(joined(reading.filter(({ text }) => text !== ":::"))));
}

/** The command with the names that it is fed; `find` is asked what it would find. */
function xargsCommand({ operands: words, values, has }: Options, feed: Feed | undefined): readonly Inner[] {
  if (words.length === 0) return [];
  const mark = values("I", "i").at(-1)?.text ?? (has("i") ? "{}" : undefined);
  const fill = (names: readonly Arg[]): Arg[] =>
    mark === undefined
      ? [...words, ...names]
      : words.flatMap((word) =>
          word.text?.includes(mark) === true
            ? names.map(({ text, ...name }) => ({ ...name, text: text && word.text?.replaceAll(mark, text) }))
            : [word],
        );
  if (feed?.kind !== "find") {
    return [{ kind: "command", words: fill(feed?.words ?? [PRINTED]) }];
  }
  return [
    { kind: "command", words: [plain("find"), ...findWith(feed.args, fill([plain("{}")]))] },
    ...(printsOther(feed.args) ? [{ kind: "command", words: fill([PRINTED]) } as const] : []),
  ];
}

function envCommand({ operands, values }: Options): readonly Inner[] {
  const [script] = values("S");
  if (script !== undefined) return asScripts(joined([script, ...operands]));
  const words = operands.filter(({ text, word }) => !/^(\w+=|-$)/.test(text ?? word?.source ?? ""));
  // `env $(cat variables) npm test`: a substitution alone holds variables when a program stands behind it.
  const program = words.find(({ text, word }) => text !== undefined || word?.pieces.length !== 1) ?? words[0];
  if (program === undefined) return [];
  const at = operands.indexOf(program);
  const variables = new Map(
    operands.slice(0, at).flatMap(({ text = "" }): [string, string][] => {
      const equals = text.indexOf("=");
      return equals === -1 ? [] : [[text.slice(0, equals), text.slice(equals + 1)]];
    }),
  );
  const cwd = values("C")[0]?.text;
  return [{ kind: "command", words: operands.slice(at), variables, ...(cwd === undefined ? {} : { cwd }) }];
}

/** `fd … -x command`: the rest of the line is the command, run for names that nobody knows. */
function fdCommands(args: readonly Arg[]): readonly Inner[] {
  const at = args.findIndex(({ text }) => /^(-[a-zA-Z]*[xX]|--exec(-batch)?)$/.test(text ?? ""));
  const words = at === -1 ? [] : args.slice(at + 1);
  return words.length === 0 ? [] : [{ kind: "command", words: [...words, PRINTED] }];
}

function asScripts(text: string | undefined): readonly Inner[] {
  return text === undefined ? [] : [{ kind: "script", text }];
}

function joined(args: readonly Arg[]): string | undefined {
  const texts = args.map((arg) => arg.text);
  return texts.includes(undefined) ? undefined : texts.join(" ");
}

/** `python -m venv x`: the module is a program like others. */
function pythonModule(args: readonly Arg[]): readonly Inner[] {
  const before = (i: number): string => args[i - 1]?.text ?? "";
  const at = args.findIndex(
    ({ text }, i) => text?.startsWith("-") !== true && !/^-[A-Za-z]*[WX]$/.test(before(i)),
  );
  const attached = args.findIndex(
    ({ text }, i) => (at === -1 || i < at) && /^-[A-Zbdiqsuvx]*m\w/.test(text ?? ""),
  );
  if (attached !== -1) {
    const name = args[attached]?.text?.replace(/^-[A-Zbdiqsuvx]*m/, "") ?? "";
    return [{ kind: "command", words: [plain(name), ...args.slice(attached + 1)] }];
  }
  return /^-[A-Za-z]*m$/.test(before(at)) ? [{ kind: "command", words: args.slice(at) }] : [];
}

/** The first operand when there is a `-c`; those behind it are `$0`, `$1` and so on. */
function shellScript(args: readonly Arg[]): readonly Inner[] {
  const { has, operands } = readOptions(
    args.map((arg) => (arg.text?.startsWith("+") === true ? plain(arg.text.replace("+", "-")) : arg)),
    SHELL_OPTIONS,
    { leading: true },
  );
  const [script, ...rest] = operands;
  if (!has("c") || script?.text === undefined) return [];
  const known = rest.flatMap(({ text }, i): [string, string][] =>
    text === undefined ? [] : [[`${i}`, text]],
  );
  const all = joined(rest.slice(1));
  const variables = new Map([
    ...known,
    ...(all === undefined ? [] : [["@", all] as const, ["*", all] as const]),
  ]);
  return [{ kind: "script", text: script.text, variables }];
}

/** Words behind the verb; undefined when it is another one. */
function behindVerb(args: readonly Arg[], { verbs, programs, options }: Wrapper): readonly Arg[] | undefined {
  if (verbs === undefined) return args;
  const { operands } = readOptions(args, options, { leading: true });
  const [verb, ...rest] = operands;
  if (programs.includes(verb?.text ?? "")) return operands;
  return verbs.includes(verb?.text ?? "") ? rest : undefined;
}
