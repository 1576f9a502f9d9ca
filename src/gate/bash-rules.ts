import { posix } from "node:path";
import {
  parseShell,
  wordText,
  type ShellRedirect,
  type ShellWord,
  type SimpleCommand,
} from "../context/shell.ts";
import { gitRefusal } from "./bash-git.ts";
import { publishes } from "./bash-publish.ts";
import { isShell, unwrap, type Arg } from "./bash-unwrap.ts";
import { writeTargets } from "./bash-writers.ts";
import type { PathRules } from "./paths.ts";
import type { GatePolicy, Refusal } from "./policy.ts";

/** What a Bash command is judged by. */
export interface BashScene {
  readonly policy: GatePolicy;
  readonly paths: PathRules;
  /** Working directory at the start. */
  readonly cwd: string;
  /** The caller has a worktree of its own. */
  readonly isolated: boolean;
}

/**
 * Why a worker's command is refused, going by its words alone: what a program does once it runs is beyond it,
 * and words that only the shell can work out are let through. Those are the sandbox's matter.
 */
export function bashRefusal(command: string, scene: BashScene): Refusal | undefined {
  const variables = new Map([
    ["HOME", scene.policy.home],
    ["PWD", scene.cwd],
  ]);
  return judgeScript(command, { cwd: scene.cwd, variables }, { ...scene, depth: 0 });
}

/** What a shell knows when a command runs; commands change it for those after them. */
interface ShellState {
  cwd: string | undefined;
  variables: Map<string, string>;
}

interface Judging extends BashScene {
  readonly depth: number;
}

/** Scripts within scripts; deeper ones hide more than they do. */
const MAX_DEPTH = 8;

function judgeScript(text: string, state: ShellState, judging: Judging): Refusal | undefined {
  const script = judging.depth > MAX_DEPTH ? TOO_DEEP : parseShell(text);
  if (!script.ok) return unparsable(script.message);
  const states = new Map<number, ShellState>();
  const stateIn = (subshells: readonly number[]): ShellState =>
    subshells.reduce((outer, id) => {
      const known = states.get(id) ?? { cwd: outer.cwd, variables: new Map(outer.variables) };
      states.set(id, known);
      return known;
    }, state);

  for (const command of script.commands) {
    const refusal = judgeSimple(command, stateIn(command.subshells), judging);
    if (refusal !== undefined) return refusal;
  }
  return firstOf(script.groupRedirects, (redirect) => judgeRedirect(redirect, state, judging));
}

const TOO_DEEP = { ok: false, message: "scripts within scripts within scripts" } as const;

function unparsable(message: string): Refusal {
  return {
    rule: "unparsable",
    reason:
      `The command cannot be parsed (${message}), so nobody can tell what it would do. ` +
      "Check quotes and brackets, or put the script into a file of the workbench's scripts/ and run that.",
  };
}

function judgeSimple(command: SimpleCommand, state: ShellState, judging: Judging): Refusal | undefined {
  const refusal = firstOf(command.redirects, (redirect) => judgeRedirect(redirect, state, judging));
  if (refusal !== undefined) return refusal;
  const { program } = command;
  if (program === undefined) {
    for (const { name, value } of command.assignments) {
      const text = value === undefined ? undefined : wordText(value, state.variables);
      if (text === undefined) state.variables.delete(name);
      else state.variables.set(name, text);
    }
    return undefined;
  }
  const words = [program, ...command.args].map((word) => toArg(word, state));
  return judgeCommand(words, state, judging) ?? judgeFedShell(command, words[0]?.text, state, judging);
}

function toArg(word: ShellWord, { variables }: ShellState): Arg {
  return { text: wordText(word, variables), braces: word.kind === "brace" };
}

/** `bash <<EOF`: the here-document is the script. */
function judgeFedShell(
  { redirects }: SimpleCommand,
  name: string | undefined,
  state: ShellState,
  judging: Judging,
): Refusal | undefined {
  if (name === undefined || !isShell(posix.basename(name))) return undefined;
  const inner = { ...judging, depth: judging.depth + 1 };
  return firstOf(redirects, ({ operator, body, target }) => {
    const text = operator === "<<<" && target !== undefined ? wordText(target, state.variables) : body;
    return text === undefined ? undefined : judgeScript(text, copyOf(state), inner);
  });
}

const copyOf = ({ cwd, variables }: ShellState): ShellState => ({ cwd, variables: new Map(variables) });

function judgeCommand(words: readonly Arg[], state: ShellState, judging: Judging): Refusal | undefined {
  const [program, ...args] = words;
  if (program?.text === undefined) return undefined;
  if (judging.depth > MAX_DEPTH) return unparsable(TOO_DEEP.message);
  const name = posix.basename(program.text);
  if (RAISES_RIGHTS.has(name)) return SUDO;

  const inner = { ...judging, depth: judging.depth + 1 };
  for (const run of unwrap(name, args)) {
    // An `eval` or a wrapped builtin goes on in the same shell; being strict about the others costs nothing.
    const place =
      run.kind === "command" && run.cwd !== undefined ? { ...state, cwd: goTo(run.cwd, state) } : state;
    const sees = name === "eval" ? place : copyOf(place);
    const refusal =
      run.kind === "script" ? judgeScript(run.text, sees, inner) : judgeCommand(run.words, sees, inner);
    if (refusal !== undefined) return refusal;
  }

  const texts = args.map((arg) => arg.text ?? "");
  const { policy, paths } = judging;
  const git = { ...judging, cwd: state.cwd, throwaway: policy.throwaway, allowPublish: policy.allowPublish };
  const refusal =
    (name === "git" ? gitRefusal(texts, git) : undefined) ??
    (!policy.allowPublish && publishes(name, texts) ? PUBLISH : undefined) ??
    firstOf(writeTargets(name, args), ({ arg, tree }) =>
      firstOf(placesOf(arg, state, paths), (place) => paths.writeRefusal(place, { tree })),
    ) ??
    (PRINTS.has(name) ? undefined : firstOf(args, (arg) => credentialRefusal(arg, state, paths)));
  if (refusal === undefined && (name === "cd" || name === "pushd"))
    state.cwd = goTo(directoryOf(args), state);
  return refusal;
}

const RAISES_RIGHTS = new Set(["sudo", "doas", "su", "pkexec", "run0"]);
/** Programs whose words are text, never names of files. */
const PRINTS = new Set(["echo", "printf"]);

const SUDO: Refusal = {
  rule: "sudo",
  reason:
    "Commands run with the rights of the person who started flower and no more. " +
    "Find a way without them (a local install, another port), or say in your report what the person has to do.",
};
const PUBLISH: Refusal = {
  rule: "publish",
  reason:
    "This makes something public or changes a running system, and the brief does not allow it. " +
    "Prepare it, try it dry, and say in your report which command is left to run.",
  askable: true,
};

/** Operand of `cd`; without one it goes home. */
function directoryOf(args: readonly Arg[]): string | undefined {
  const operand = args.find((arg) => arg.text?.startsWith("-") !== true || arg.text === "-");
  if (operand === undefined) return "~";
  return operand.text === "-" ? undefined : operand.text;
}

function goTo(directory: string | undefined, { cwd, variables }: ShellState): string | undefined {
  if (directory === undefined) return undefined;
  const text = directory === "~" ? (variables.get("HOME") ?? "") : directory;
  if (posix.isAbsolute(text)) return posix.resolve(text);
  return cwd === undefined ? undefined : posix.resolve(cwd, text);
}

/** Where a word points; nothing when that is not known. */
function placesOf({ text, braces }: Arg, { cwd }: ShellState, paths: PathRules): readonly string[] {
  if (text === undefined || text === "" || text === "-") return [];
  const isFixed = /^[/~{]/.test(text);
  return cwd === undefined && !isFixed ? [] : paths.resolve({ text, braces }, cwd ?? "/");
}

function judgeRedirect(redirect: ShellRedirect, state: ShellState, { paths }: Judging): Refusal | undefined {
  const { operator, target } = redirect;
  if (target === undefined || operator === "<<<") return undefined;
  const arg = toArg(target, state);
  if (operator.endsWith("&") && /^(\d+-?|-)$/.test(arg.text ?? "")) return undefined;
  const places = placesOf(arg, state, paths);
  return operator === "<"
    ? firstOf(places, (place) => paths.readRefusal(place, undefined))
    : firstOf(places, (place) => paths.writeRefusal(place));
}

/** A credential file as a word, as the value of an option, behind `@`, or by its full path inside a script. */
function credentialRefusal(arg: Arg, state: ShellState, paths: PathRules): Refusal | undefined {
  const { text } = arg;
  if (text === undefined) return undefined;
  const forms = [
    text,
    ...[/=(.+)$/s, /@(.+)$/s, /^-[a-zA-Z](.+)$/s].flatMap((form) => form.exec(text)?.[1] ?? []),
  ];
  const named = firstOf(forms, (form) =>
    firstOf(placesOf({ ...arg, text: form }, state, paths), (place) => paths.readRefusal(place, undefined)),
  );
  if (named !== undefined) return named;
  return paths.mentionsCredential(text) ? { rule: "credential", reason: MENTIONED } : undefined;
}

const MENTIONED =
  "The command names a file that holds credentials, which stay out of every transcript. " +
  "Let programs find them by themselves, or say in your report what is missing.";

/** The first answer that is one. */
function firstOf<T, R>(items: readonly T[], answer: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
