import { resolve } from "node:path";
import { isWide } from "../context/glance-rule.ts";
import { GLANCE_TABLE } from "../context/glance-table.ts";
import type { ShellWord } from "../context/shell-word.ts";
import { parseShell, type SimpleCommand } from "../context/shell.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { Workbench } from "../workbench/workbench.ts";

/**
 * Whether a call reads spilled results back. Such a result is never spilled again: the reader would get a pointer to
 * what it just read, over and over. A shell command counts only if every simple command in it reads spill files,
 * filters what one that does prints, or prints next to nothing itself.
 */
export function readsSpill(call: ToolCall, workbench: Workbench): boolean {
  const text = (name: string): string | undefined => {
    const value = call.input[name];
    return typeof value === "string" ? value : undefined;
  };
  switch (call.name) {
    case "Read":
      return workbench.isSpillPath(text("file_path") ?? "", call.cwd);
    case "Grep":
      return workbench.isSpillPath(text("path") ?? "", call.cwd);
    case "Bash":
      return commandReadsSpill(text("command") ?? "", call.cwd, workbench);
    default:
      return false;
  }
}

function commandReadsSpill(command: string, cwd: string, workbench: Workbench): boolean {
  const script = parseShell(command);
  if (!script.ok) return false;
  let place = cwd;
  const readers = new Set<SimpleCommand>();
  const others = script.commands.filter((written) => {
    const simple = withoutTimeout(written);
    const { program, args, fedBy } = simple;
    // It prints nothing; what follows is read from there.
    if (program?.value === "cd" && args.length === 1 && args[0]?.kind === "literal") {
      place = resolve(place, args[0].value);
      return false;
    }
    if (printsLittle(simple)) return false;
    const files = filesOf(simple);
    const isSpill = (word: FileWord): boolean => {
      const path = fixedPath(word);
      return path !== undefined && workbench.isSpillPath(path, place);
    };
    const reads = files !== undefined && files.length > 0 && files.every(isSpill);
    if (!reads && !(fedBy !== undefined && readers.has(fedBy) && files?.length === 0)) return true;
    readers.add(written);
    return false;
  });
  return others.length === 0 && readers.size > 0;
}

/** `timeout 5 head x` → `head x`. */
function withoutTimeout(simple: SimpleCommand): SimpleCommand {
  const [duration, program, ...args] = simple.args;
  return simple.program?.value === "timeout" && /^[\d.]+[smhd]?$/.test(duration?.value ?? "")
    ? { ...simple, program, args }
    : simple;
}

/** A heading is no longer. */
const MAX_HEADING_CHARS = 200;

/** `true`, settings of the shell, and a short text written out, once. */
function printsLittle({ program, args, loops }: SimpleCommand): boolean {
  switch (program?.value) {
    case "true":
    case ":":
      return true;
    case "set":
      return args.some(({ value }) => /^[-+]/.test(value));
    case "echo":
    case "printf": {
      const isPlain = args.every((word) => word.kind === "literal" && !isWide(word.value));
      return (
        isPlain && loops.length === 0 && args.map(({ value }) => value).join(" ").length <= MAX_HEADING_CHARS
      );
    }
    default:
      return false;
  }
}

/** A path that stands for a word: itself, or of a pattern for names in one directory any name in that. */
function fixedPath({ value, kind }: FileWord): string | undefined {
  if (kind === "literal") return value;
  const directory = /^([^*?[{]*\/)?[^/]*$/.exec(value);
  return kind === "dynamic" || directory === null ? undefined : `${directory[1] ?? ""}any`;
}

type FileWord = Pick<ShellWord, "value" | "kind">;

/** Programs that print what is in files, or what they are fed, with the number of operands in front that are none. */
const READERS: ReadonlyMap<string, number> = new Map([
  ...["head", "tail", "wc", "sort", "uniq", "cut", "nl", "cat", "tac", "rev", "fold", "less", "strings"].map(
    (name) => [name, 0] as const,
  ),
  ...["od", "xxd", "hexdump"].map((name) => [name, 0] as const),
  ...["grep", "egrep", "fgrep", "rg", "sed", "awk", "jq"].map((name) => [name, 1] as const),
  ["tr", 2],
]);

/** What a program of the list reads; undefined for any other: what that makes of a file is new. */
function filesOf({ program, args, redirects }: SimpleCommand): readonly FileWord[] | undefined {
  const texts = READERS.get(program?.value ?? "");
  if (texts === undefined) return undefined;
  const fed = redirects.flatMap(({ operator, target }) => (operator === "<" ? (target ?? []) : []));
  const glance = GLANCE_TABLE.get(program?.value ?? "")?.(args);
  const named =
    glance?.trouble === undefined && glance !== undefined
      ? glance.paths.map(({ text, kind }) => ({ value: text, kind }))
      : operandsOf(args).slice(texts);
  // Numbers are values of options, and `-` is what it is fed.
  return [...named.filter(({ value }) => !/^[\d,+-]+$/.test(value)), ...fed];
}

/** Values of options are no operands, and stand as numbers or marks behind them: `-n 5`, `-d ,`. */
function operandsOf(args: readonly ShellWord[]): ShellWord[] {
  return args.filter(
    ({ value }, i) =>
      !value.startsWith("-") &&
      !(/^-[a-zA-Z]$/.test(args[i - 1]?.value ?? "") && /^(\W|[\d,+-]+)$/.test(value)),
  );
}
