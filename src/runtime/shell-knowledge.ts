import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ShellScript, SimpleCommand } from "../context/shell.ts";
import { wordText, type ShellWord } from "../context/shell-word.ts";

/** A word as far as it is known: what a program gets, or a pattern for it. */
export type KnownWord = Pick<ShellWord, "value" | "kind" | "tilde">;

/** What one shell of a script knows. */
interface Shell {
  /** Undefined: nobody knows. */
  place: string | undefined;
  readonly variables: Map<string, string>;
}

/** Values that an unquoted variable hands on as they are. */
const ONE_WORD = /^[\w./@%+:,-]+$/;

/**
 * Goes through a script in order and knows, where that is sure, in which directory a command runs and what its words
 * are. What a subshell does ends with it; what happens only now and then, or over and over, is known of nothing.
 */
export class ShellKnowledge {
  readonly #shells = new Map<number, Shell>();
  /** Names that are given a value where nobody knows whether or when. */
  readonly #vague: ReadonlySet<string>;
  readonly #assigned: ReadonlySet<string>;

  constructor(script: ShellScript, cwd: string) {
    const all = script.commands.flatMap(({ assignments, program, sure }) =>
      assignments.map(({ name }) => ({ name, sure: sure && program === undefined })),
    );
    this.#assigned = new Set(all.map(({ name }) => name));
    this.#vague = new Set(all.flatMap(({ name, sure }) => (sure ? [] : name)));
    const wanders = script.commands.some((command) => isCd(command) && !command.sure);
    this.#shells.set(0, { place: wanders ? undefined : cwd, variables: new Map() });
  }

  /** Takes in a `cd` or an assignment; true when it was one, and prints nothing. */
  takeIn(command: SimpleCommand): boolean {
    const shell = this.#shellOf(command.subshells);
    if (isCd(command)) {
      const [target] = this.wordsOf(command, command.args);
      const isKnown = command.args.length === 1 && target?.kind === "literal" && isPlain(target);
      const to = isKnown && shell.place !== undefined ? resolve(shell.place, target.value) : undefined;
      // Where there is no such directory, it may be made first, or the command stays where it is.
      shell.place = to !== undefined && isDirectory(to) ? to : undefined;
      return true;
    }
    if (command.program !== undefined || command.assignments.length === 0) return false;
    for (const { name, value } of command.assignments) {
      const text = value === undefined || value.tilde ? undefined : wordText(value, shell.variables);
      if (text !== undefined && !this.#vague.has(name)) shell.variables.set(name, text);
      else shell.variables.delete(name);
    }
    return command.redirects.length === 0;
  }

  /** Where a command runs; undefined when nobody knows. */
  placeOf({ subshells }: SimpleCommand): string | undefined {
    return this.#shellOf(subshells).place;
  }

  /** Words with their variables filled in, one for each turn of a loop; of kind `dynamic` where that is not known. */
  wordsOf(command: SimpleCommand, words: readonly ShellWord[]): ShellWord[] {
    return words.flatMap((word) => this.#known(command, word) ?? word);
  }

  #known(command: SimpleCommand, word: ShellWord): ShellWord[] | undefined {
    if (word.kind !== "dynamic") return [word];
    const [piece, ...more] = word.pieces;
    const loop =
      piece?.kind === "variable" && more.length === 0
        ? command.loops.findLast(({ name }) => name === piece.name)
        : undefined;
    if (loop !== undefined)
      return this.#assigned.has(loop.name) || loop.words === undefined
        ? undefined
        : this.wordsOf({ ...command, loops: [] }, loop.words);
    // Also where the script sets it, the variable is another one in a loop of its name.
    const { variables } = this.#shellOf(command.subshells);
    const known = [...variables].filter(
      ([name, value]) => ONE_WORD.test(value) && command.loops.every((each) => each.name !== name),
    );
    const value = this.#assigned.has("IFS") ? undefined : wordText(word, new Map(known));
    if (value === undefined) return undefined;
    const kind = /[*?[{]/.test(value) ? "glob" : "literal";
    return [{ ...word, value, kind, pieces: [{ kind: "text", text: value }] }];
  }

  #shellOf(subshells: readonly number[]): Shell {
    const id = subshells.at(-1) ?? 0;
    const found = this.#shells.get(id);
    if (found !== undefined) return found;
    const { place, variables } = this.#shellOf(subshells.slice(0, -1));
    const made = { place, variables: new Map(variables) };
    this.#shells.set(id, made);
    return made;
  }
}

const isCd = ({ program }: SimpleCommand): boolean => program?.value === "cd";

/** Neither an option nor the directory before, nor one in somebody's home. */
const isPlain = ({ value, tilde }: KnownWord): boolean => !tilde && value !== "" && !value.startsWith("-");

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
