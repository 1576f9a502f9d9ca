import { join, resolve } from "node:path";
import { behindTimeout } from "../context/glance-special.ts";
import { isWide } from "../context/glance-widths.ts";
import { parseShell, type SimpleCommand } from "../context/shell.ts";
import { isExitStatus } from "../context/shell-word.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { ShellKnowledge, type KnownWord } from "./shell-knowledge.ts";
import { filesRead } from "./spill-readers.ts";

/**
 * Whether a call reads spilled results back. Such a result is never spilled again: the reader would get a pointer to
 * what it just read, over and over. A shell command counts only if every simple command in it surely reads spill files,
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
      return isSpill(text("path") ?? "", call.cwd, workbench);
    case "Bash":
      return commandReadsSpill(text("command") ?? "", call.cwd, workbench);
    default:
      return false;
  }
}

function commandReadsSpill(command: string, cwd: string, workbench: Workbench): boolean {
  const script = parseShell(command);
  if (!script.ok) return false;
  const known = new ShellKnowledge(script, cwd);
  const isOnce = !script.features.has("control structure") && !script.features.has("function");
  const readers = new Set<SimpleCommand>();
  const others = script.commands.filter((written) => {
    const simple = withoutTimeout(written);
    if (known.takeIn(simple) || (isOnce && printsLittle(simple)) || isSilent(simple)) return false;
    const place = known.placeOf(simple);
    const files = filesOf(simple, known);
    const reads =
      files !== undefined &&
      files.length > 0 &&
      files.every((word) => {
        const path = fixedPath(word);
        return path !== undefined && (place !== undefined || path.startsWith("/"))
          ? isSpill(path, place ?? cwd, workbench)
          : false;
      });
    if (!reads && !(written.fedBy !== undefined && readers.has(written.fedBy) && files?.length === 0))
      return true;
    readers.add(written);
    return false;
  });
  return others.length === 0 && readers.size > 0;
}

/** A spill file, or the directory of them: nothing else lies there. */
const isSpill = (path: string, cwd: string, workbench: Workbench): boolean =>
  workbench.isSpillPath(join(resolve(cwd, path), "any"), cwd);

/** `timeout 5 head x` → `head x`. */
function withoutTimeout(simple: SimpleCommand): SimpleCommand {
  const behind = simple.program?.value === "timeout" ? behindTimeout(simple.args) : undefined;
  if (behind?.trouble !== undefined || behind === undefined) return simple;
  const [program, ...args] = behind.words;
  return { ...simple, program, args };
}

/** `true` and settings of the shell. */
function isSilent({ program, args }: SimpleCommand): boolean {
  if (args.some(({ kind }) => kind === "dynamic")) return false;
  switch (program?.value) {
    case "true":
    case "false":
    case ":":
      return true;
    case "set":
      return args.some(({ value }) => /^[-+]/.test(value));
    default:
      return false;
  }
}

/** A heading is no longer. */
const MAX_HEADING_CHARS = 200;

/** Where it stands, or a short text written out, which may say how the command before ended. */
function printsLittle({ program, args }: SimpleCommand): boolean {
  switch (program?.value) {
    case "pwd":
      return true;
    case "echo":
    case "printf": {
      const isPlain = args.every(
        (word) => (word.kind === "literal" || isExitStatus(word)) && !isWide(word.value),
      );
      const setsVariable = program.value === "printf" && args[0]?.value.startsWith("-v") === true;
      return isPlain && !setsVariable && args.map(({ value }) => value).join(" ").length <= MAX_HEADING_CHARS;
    }
    default:
      return false;
  }
}

/** A path that stands for a word: itself, or of a pattern for names in one directory any name in that. */
function fixedPath({ value, kind, tilde }: KnownWord): string | undefined {
  if (tilde) return undefined;
  if (kind === "literal") return value;
  const directory = /^([^*?[{]*\/)?[^/]*$/.exec(value);
  return kind === "dynamic" || directory === null ? undefined : `${directory[1] ?? ""}any`;
}

/** What a command reads; undefined when that is not only files. */
function filesOf(simple: SimpleCommand, known: ShellKnowledge): readonly KnownWord[] | undefined {
  const { program, args, redirects } = simple;
  const named = filesRead(program?.value ?? "", known.wordsOf(simple, args));
  const targets = redirects.flatMap(({ operator, target }) => (operator === "<" ? (target ?? []) : []));
  return named === undefined ? undefined : [...named, ...known.wordsOf(simple, targets)];
}
