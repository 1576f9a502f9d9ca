import { posix } from "node:path";
import { firstOf, give, plain, PRINTED, type Arg, type ShellState } from "./bash-words.ts";
import { hasPattern } from "./path-pattern.ts";
import type { PathRules } from "./paths.ts";
import type { Refusal } from "./policy.ts";

/** Operand of `cd`; without one it goes home. */
export function directoryOf(args: readonly Arg[]): string | undefined {
  const operand = args.find((arg) => arg.text?.startsWith("-") !== true || arg.text === "-");
  return operand === undefined ? "~" : operand.text;
}

/** Where a change of directory leads; undefined when that is not known. */
export function goTo(directory: string | undefined, { cwd, variables }: ShellState): string | undefined {
  if (directory === "-") return variables.get("OLDPWD");
  if (directory === undefined) return undefined;
  const text = directory === "~" ? (variables.get("HOME") ?? "") : directory;
  if (posix.isAbsolute(text)) return posix.resolve(text);
  return cwd === undefined ? undefined : posix.resolve(cwd, text);
}

/** The shell goes to another directory. One that is not known counts as the last known one for `$PWD`. */
export function moveTo(cwd: string | undefined, state: ShellState): void {
  give("OLDPWD", state.cwd === undefined ? PRINTED : plain(state.cwd), state);
  if (cwd !== undefined) give("PWD", plain(cwd), state);
  state.cwd = cwd;
}

/** Where a word points; nothing when that is not known. */
export function placesOf({ text }: Arg, { cwd }: ShellState, paths: PathRules): readonly string[] {
  if (text === undefined || text === "" || text === "-") return [];
  const isFixed = /^[/~]/.test(text);
  return cwd === undefined && !isFixed ? [] : paths.resolve({ text }, cwd ?? "/");
}

/** A credential file as a word, as the value of an option, behind `@`, or by its full path inside a script. */
export function credentialRefusal(arg: Arg, state: ShellState, paths: PathRules): Refusal | undefined {
  const { text } = arg;
  if (text === undefined) return undefined;
  const forms = [
    text,
    ...[/=(.+)$/s, /@(.+)$/s, /^-[a-zA-Z](.+)$/s].flatMap((form) => form.exec(text)?.[1] ?? []),
  ];
  const named = firstOf(forms, (form) =>
    firstOf([...placesOf({ ...arg, text: form }, state, paths), ...linksOf(form, state, paths)], (place) =>
      paths.readRefusal(place, undefined),
    ),
  );
  if (named !== undefined) return named;
  return paths.mentionsCredential(text) ? { rule: "credential", reason: MENTIONED } : undefined;
}

/** What a pattern in a word leads to. */
function linksOf(text: string, { cwd }: ShellState, paths: PathRules): readonly string[] {
  if (!hasPattern(text) || (cwd === undefined && !/^[/~]/.test(text))) return [];
  return paths.follow({ text, patterns: true }, cwd ?? "/") ?? [];
}

const MENTIONED =
  "The command names a file that holds credentials, which stay out of every transcript. " +
  "Let programs find them by themselves, or say in your report what is missing.";
