import { posix } from "node:path";
import type { SimpleCommand } from "../context/shell.ts";
import { wordText, type ShellPiece, type ShellWord } from "../context/shell-word.ts";
import { expandBraces } from "./path-pattern.ts";

/** A word of a command as its program gets it; `text` is undefined when only the shell can work it out. */
export interface Arg {
  readonly text: string | undefined;
  /** What another command prints makes it up. */
  readonly substituted: boolean;
  /** As it is written, where `text` is not known. */
  readonly word?: ShellWord;
}

/** What a wrapper runs: a program with its words, or the text of a script, and what it sets for it. */
export type Inner = (
  | { readonly kind: "command"; readonly words: readonly Arg[] }
  | { readonly kind: "script"; readonly text: string }
) & {
  readonly cwd?: string;
  readonly variables?: ReadonlyMap<string, string>;
};

/** What a shell knows when a command runs; commands change it for those after them. */
export interface ShellState {
  /** Working directory; undefined when it is not known. */
  cwd: string | undefined;
  variables: Map<string, string>;
  /** Names of variables that hold what another command printed, with the end of their value as far as it is known. */
  substituted: Map<string, string>;
}

/** A word that is known. */
export const plain = (text: string): Arg => ({ text, substituted: false });

/** Names that come from another command, as those that `xargs` reads. */
export const PRINTED: Arg = { text: undefined, substituted: true };

/** A shell started by this one. */
export const copyOf = ({ cwd, variables, substituted }: ShellState): ShellState => ({
  cwd,
  variables: new Map(variables),
  substituted: new Map(substituted),
});

/** What a script prints, for the few that are as good as a variable. */
export type Substitute = (script: string) => string | undefined;

/** The words that the shell makes of one: braces are expanded, unquoted variables are split. */
export function toArgs(written: ShellWord, state: ShellState, substitute: Substitute): Arg[] {
  const word = withPlainTilde(written, state);
  const text = wordText(word, state.variables, substitute);
  if (text === undefined) return [{ text, substituted: isSubstituted(word, state, substitute), word }];
  const words = (word.braces ? expandBraces(text) : undefined) ?? [text];
  return (isSplit(word, state, substitute) ? words.flatMap((item) => item.split(/\s+/)) : words)
    .filter((item, _, all) => item !== "" || all.length === 1)
    .map(plain);
}

/** Whether braces in a command make more words of one than can be looked at each. */
export const hasManyWords = ({ program, args, redirects, loops }: SimpleCommand): boolean =>
  [
    ...(program === undefined ? [] : [program]),
    ...args,
    ...redirects.flatMap(({ target }) => target ?? []),
    ...loops.flatMap(({ words }) => words ?? []),
  ].some((word) => word.braces && expandBraces(word.value) === undefined);

/** `~+` and `~-` are the variables of the directories now and before; `~name` may be one's own home. */
function withPlainTilde(word: ShellWord, { variables }: ShellState): ShellWord {
  const [first, ...rest] = word.pieces;
  if (!word.tilde || first?.kind !== "text") return word;
  const [, owner = "", behind = ""] = /^~([^/]*)(.*)$/s.exec(first.text) ?? [];
  const text: ShellPiece = { kind: "text", text: behind };
  if (owner === "+" || owner === "-") {
    const name = owner === "+" ? "PWD" : "OLDPWD";
    const directory: ShellPiece = { kind: "variable", name, fallback: undefined, quoted: true };
    return { ...word, tilde: false, pieces: [directory, text, ...rest] };
  }
  const isOwn = owner !== "" && owner === posix.basename(variables.get("HOME") ?? "");
  return isOwn ? { ...word, pieces: [{ kind: "text", text: `~${behind}` }, ...rest] } : word;
}

/** The end of a word that is not known as a whole: `/bin/tsc` of `$(npm root)/bin/tsc`. */
export function knownEnd({ word }: Arg, { substituted }: ShellState): string {
  const last = word?.pieces.at(-1);
  if (last?.kind === "text") return last.text;
  return (last?.kind === "variable" ? substituted.get(last.name) : undefined) ?? "";
}

/** Whether a word that is not known may be no word at all: variables that nobody has set. */
export const mayVanish = ({ word }: Arg): boolean =>
  word?.pieces.every((piece) => piece.kind === "variable" && !piece.quoted) === true;

function isSubstituted({ pieces }: ShellWord, state: ShellState, substitute: Substitute): boolean {
  return pieces.some((piece) => {
    switch (piece.kind) {
      case "text":
        return false;
      case "variable":
        return state.substituted.has(piece.name);
      case "substitution":
        return substitute(piece.script) === undefined;
      case "dynamic":
        return piece.of !== undefined && (state.variables.has(piece.of) || state.substituted.has(piece.of));
    }
  });
}

function isSplit({ pieces }: ShellWord, { variables }: ShellState, substitute: Substitute): boolean {
  return pieces.some((piece) => {
    if (piece.kind === "variable")
      return (!piece.quoted || piece.name === "@") && /\s/.test(variables.get(piece.name) ?? "");
    return piece.kind === "substitution" && !piece.quoted && /\s/.test(substitute(piece.script) ?? "");
  });
}

/** Keeps an assignment for the words to come. Directories that `mktemp` makes are one's own. */
export function assign(
  name: string,
  written: ShellWord | undefined,
  state: ShellState,
  substitute: Substitute,
): void {
  if (written === undefined) {
    give(name, { text: undefined, substituted: false }, state);
    return;
  }
  const word = withPlainTilde(written, state);
  const text = wordText(word, state.variables, substitute);
  const substituted = isSubstituted(word, state, (script) => substitute(script) ?? ownDirectory(script));
  give(name, { text, substituted, word }, state);
}

/** Lets a variable have a value from here on. */
export function give(name: string, arg: Arg, state: ShellState): void {
  const end = knownEnd(arg, state);
  state.variables.delete(name);
  state.substituted.delete(name);
  if (arg.text !== undefined) state.variables.set(name, arg.text);
  else if (arg.substituted) state.substituted.set(name, end);
}

const ownDirectory = (script: string): string | undefined => (/^\s*mktemp\b/.test(script) ? "" : undefined);

/** The first answer that is one. */
export function firstOf<T, R>(items: readonly T[], answer: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
