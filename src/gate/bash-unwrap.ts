/** A word of a command; undefined when only the shell can work it out. */
export interface Arg {
  readonly text: string | undefined;
  /** Braces in it are to be expanded. */
  readonly braces: boolean;
}

/** What a wrapper runs: a program with its words, or the text of a script. */
export type Inner =
  | { readonly kind: "command"; readonly words: readonly Arg[]; readonly cwd?: string }
  | { readonly kind: "script"; readonly text: string };

interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** Operands in front of the inner command. */
  readonly operands?: number;
  /** `NAME=value` may stand in front of the inner command. */
  readonly assignments?: boolean;
  /** Words that must come first, e.g. `exec` of `npm exec`; without them nothing is wrapped. */
  readonly verbs?: readonly string[];
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { valued: ["-u", "--unset", "-C", "--chdir"], assignments: true }],
  ["timeout", { valued: ["-k", "-s", "--kill-after", "--signal"], operands: 1 }],
  ["nice", { valued: ["-n", "--adjustment"] }],
  ["ionice", { valued: ["-c", "-n", "-p"] }],
  ["nohup", {}],
  ["setsid", {}],
  ["stdbuf", { valued: ["-i", "-o", "-e"] }],
  ["time", { valued: ["-f", "-o"] }],
  ["command", {}],
  ["builtin", {}],
  ["exec", { valued: ["-a"] }],
  ["xargs", { valued: ["-I", "-n", "-P", "-L", "-d", "-a", "-E", "-s"] }],
  ["watch", { valued: ["-n"] }],
  ["busybox", {}],
  ["npx", { valued: ["-p", "--package", "-w"] }],
  ["bunx", {}],
  ["uvx", { valued: ["--from", "--with"] }],
  ["npm", { verbs: ["exec", "x"] }],
  ["pnpm", { verbs: ["exec", "dlx"] }],
  ["yarn", { verbs: ["exec", "dlx"] }],
  ["bun", { verbs: ["x"] }],
  ["bundle", { verbs: ["exec"] }],
  ["poetry", { verbs: ["run"] }],
  ["uv", { verbs: ["run"] }],
  ["pipenv", { verbs: ["run"] }],
]);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);

/** True for programs that read commands from standard input when they get no script. */
export const isShell = (name: string): boolean => SHELLS.has(name);

/** What a command runs in its turn, as far as its words tell. */
export function unwrap(name: string, args: readonly Arg[]): readonly Inner[] {
  if (isShell(name)) return asScripts(shellScript(args));
  if (name === "eval") return asScripts(joined(args));
  if (name === "trap") return asScripts(args[0]?.text);
  if (name === "find") return findCommands(args);
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined) return [];
  const rest = behindVerb(args, wrapper.verbs);
  if (rest === undefined) return [];
  const words = behindOptions(rest, wrapper);
  if (words.length === 0) return [];
  const cwd = name === "env" ? valueOf(args, ["-C", "--chdir"]) : undefined;
  return [{ kind: "command", words, ...(cwd === undefined ? {} : { cwd }) }];
}

function asScripts(text: string | undefined): readonly Inner[] {
  return text === undefined ? [] : [{ kind: "script", text }];
}

function joined(args: readonly Arg[]): string | undefined {
  const texts = args.map((arg) => arg.text);
  return texts.includes(undefined) ? undefined : texts.join(" ");
}

/** The word behind the options when one of these is `-c`. */
function shellScript(args: readonly Arg[]): string | undefined {
  let wanted = false;
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]?.text;
    if (text === undefined) return undefined;
    if (!/^[-+]./.test(text)) return wanted ? text : undefined;
    if (/^-[a-zA-Z]*c/.test(text)) wanted = true;
    if (/^([-+][oO]|--rcfile|--init-file)$/.test(text)) i += 1;
  }
  return undefined;
}

function behindVerb(args: readonly Arg[], verbs: readonly string[] | undefined): readonly Arg[] | undefined {
  if (verbs === undefined) return args;
  const at = args.findIndex((arg) => arg.text?.startsWith("-") !== true);
  return verbs.includes(args[at]?.text ?? "") ? args.slice(at + 1) : undefined;
}

function behindOptions(args: readonly Arg[], wrapper: Wrapper): readonly Arg[] {
  let i = 0;
  for (; i < args.length; i += 1) {
    const text = args[i]?.text;
    if (text === "--") {
      i += 1;
      break;
    }
    if (text?.startsWith("-") === true) {
      if ((wrapper.valued ?? []).includes(text)) i += 1;
      continue;
    }
    if (wrapper.assignments === true && text !== undefined && /^\w+=/.test(text)) continue;
    break;
  }
  return args.slice(i + (wrapper.operands ?? 0));
}

function valueOf(args: readonly Arg[], names: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => names.includes(arg.text ?? ""));
  return at === -1 ? undefined : args[at + 1]?.text;
}

const plain = (text: string): Arg => ({ text, braces: false });

/** Commands behind -exec and its kin; `{}` becomes a file in the first starting point, -delete an `rm` of it. */
function findCommands(args: readonly Arg[]): readonly Inner[] {
  const first = args.findIndex((arg) => arg.text === undefined || !/^-[LHP]$/.test(arg.text));
  const start = args[first]?.text;
  const place = start === undefined || /^[-(!]/.test(start) ? "." : start;
  const inner: Inner[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]?.text ?? "";
    if (text === "-delete") inner.push({ kind: "command", words: [plain("rm"), plain(`${place}/found`)] });
    if (/^-fprintf?0?$|^-fls$/.test(text)) {
      inner.push({ kind: "command", words: [plain("tee"), args[i + 1] ?? plain("")] });
    }
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue;
    const end = args.findIndex((arg, at) => at > i && (arg.text === ";" || arg.text === "+"));
    const words = args.slice(i + 1, end === -1 ? args.length : end);
    inner.push({
      kind: "command",
      words: words.map((word) =>
        word.text?.includes("{}") === true ? plain(word.text.replaceAll("{}", `${place}/found`)) : word,
      ),
    });
  }
  return inner;
}
