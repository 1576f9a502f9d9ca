import { wordText, type ShellWord } from "../context/shell-word.ts";
import { expandBraces } from "./path-pattern.ts";

/** A word of a command as its program gets it; `text` is undefined when only the shell can work it out. */
export interface Arg {
  readonly text: string | undefined;
  /** What another command prints makes it up. */
  readonly substituted: boolean;
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
  /** Names of variables that hold what another command printed. */
  substituted: Set<string>;
}

/** A word that is known. */
export const plain = (text: string): Arg => ({ text, substituted: false });

/** Names that come from another command, as those that `xargs` reads. */
export const PRINTED: Arg = { text: undefined, substituted: true };

/** A shell started by this one. */
export const copyOf = ({ cwd, variables, substituted }: ShellState): ShellState => ({
  cwd,
  variables: new Map(variables),
  substituted: new Set(substituted),
});

/** What a script prints, for the few that are as good as a variable. */
export type Substitute = (script: string) => string | undefined;

/** The words that the shell makes of one: braces are expanded, unquoted variables are split. */
export function toArgs(word: ShellWord, state: ShellState, substitute: Substitute): Arg[] {
  const text = wordText(word, state.variables, substitute);
  if (text === undefined) return [{ text, substituted: isSubstituted(word, state, substitute) }];
  const words = word.braces ? expandBraces(text) : [text];
  return (isSplit(word, state, substitute) ? words.flatMap((item) => item.split(/\s+/)) : words)
    .filter((item, _, all) => item !== "" || all.length === 1)
    .map(plain);
}

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
  value: ShellWord | undefined,
  state: ShellState,
  substitute: Substitute,
): void {
  const text = value && wordText(value, state.variables, substitute);
  const substituted =
    value !== undefined &&
    isSubstituted(value, state, (script) => substitute(script) ?? ownDirectory(script));
  give(name, { text, substituted }, state);
}

/** Lets a variable have a value from here on. */
export function give(name: string, { text, substituted }: Arg, state: ShellState): void {
  state.variables.delete(name);
  state.substituted.delete(name);
  if (text !== undefined) state.variables.set(name, text);
  else if (substituted) state.substituted.add(name);
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
