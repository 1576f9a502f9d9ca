import type { SimpleCommand } from "../context/shell.ts";
import { wordText } from "../context/shell-word.ts";
import { isShell, type Feed } from "./bash-unwrap.ts";
import { grammar, readOptions } from "./options.ts";
import { plain, toArgs, type Arg, type ShellState, type Substitute } from "./bash-words.ts";

/** Programs of a pipe that hand on lines as they are, or fewer. */
const FILTERS = new Set(["cat", "grep", "egrep", "head", "sort", "tac", "tail", "tee", "uniq"]);

const LS = grammar("a|all A|almost-all d|directory R|recursive l I|ignore= w|width= sort= time=");
/** A pattern for files of one kind: `*.txt`. Directories, whose content would be listed, have no such names. */
const FILES = /[*?[][^/]*\.\w+$/;

/** The command whose output comes to this one. */
function sourceOf({ fedBy }: SimpleCommand): SimpleCommand | undefined {
  const passes = fedBy !== undefined && FILTERS.has(fedBy.program?.value ?? "") && fedBy.fedBy !== undefined;
  return passes ? sourceOf(fedBy) : fedBy;
}

/** What a pipe or a here-string hands to `xargs`, where that is known. */
export function feedOf(command: SimpleCommand, state: ShellState, substitute: Substitute): Feed | undefined {
  const here = hereTexts(command, state, substitute);
  if (here.length > 0)
    return { kind: "words", words: here.flatMap((text) => text.trim().split(/\s+/).map(plain)) };
  const source = sourceOf(command);
  const args = source?.args.flatMap((word) => toArgs(word, state, substitute)) ?? [];
  if (source?.program?.value === "find") return { kind: "find", args };
  const printed = source === undefined ? undefined : printedWords(source, args);
  if (printed === undefined || printed.some(({ text }) => text === undefined)) return undefined;
  return {
    kind: "words",
    words: printed
      .flatMap(({ text = "" }) => text.split(/\s+|\\[n0]/).filter((word) => word !== ""))
      .map(plain),
  };
}

/** Scripts that a shell gets from a here-document, a here-string or an `echo` in front of it. */
export function fedScripts(
  name: string,
  command: SimpleCommand,
  state: ShellState,
  substitute: Substitute,
): readonly string[] {
  if (!isShell(name) && name !== "." && name !== "source") return [];
  const source = sourceOf(command);
  const args = source?.args.flatMap((word) => toArgs(word, state, substitute)) ?? [];
  const printed = (source === undefined ? undefined : printedWords(source, args)) ?? [];
  const texts = printed.map(({ text }) => text);
  return [
    ...hereTexts(command, state, substitute),
    ...(source === undefined ? [] : hereTexts(source, state, substitute)),
    ...(texts.length === 0 || texts.includes(undefined) ? [] : [texts.join(" ").replaceAll("\\n", "\n")]),
  ];
}

/** Words of `echo` and `printf`, those of a format as well; for `ls` patterns of what it lists. */
function printedWords({ program }: SimpleCommand, args: readonly Arg[]): readonly Arg[] | undefined {
  if (program?.value === "ls") {
    const { has, operands } = readOptions(args, LS);
    const onlyNamed = has("d") || operands.every(({ text }) => FILES.test(text ?? ""));
    if (operands.length > 0 && onlyNamed && !has("R", "l")) return operands;
    return [plain("*"), ...(has("a", "A") ? [plain(".*")] : []), ...operands];
  }
  if (program?.value !== "echo" && program?.value !== "printf") return undefined;
  return args.filter(({ text }) => !/^-[neE]+$/.test(text ?? "") && text !== "--");
}

function hereTexts({ redirects }: SimpleCommand, state: ShellState, substitute: Substitute): string[] {
  return redirects.flatMap(({ operator, body, target }) => {
    const text =
      operator === "<<<" && target !== undefined ? wordText(target, state.variables, substitute) : body;
    return text === undefined ? [] : [text];
  });
}
