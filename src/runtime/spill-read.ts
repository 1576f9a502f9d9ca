import { resolve } from "node:path";
import { parseShell, type SimpleCommand } from "../context/shell.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { Workbench } from "../workbench/workbench.ts";

/**
 * Whether a call reads spilled results back. Such a result is never spilled again: the reader would get a pointer to
 * what it just read, over and over. A shell command counts only if every simple command in it reads spill files, or
 * filters what one that does prints.
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
  const others = script.commands.filter((simple) => {
    const { program, args, redirects, fedBy } = simple;
    // It prints nothing; what follows is read from there.
    if (program?.value === "cd" && args.length === 1 && args[0]?.kind === "literal") {
      place = resolve(place, args[0].value);
      return false;
    }
    const files = [
      ...args,
      ...redirects.flatMap(({ operator, target }) => (operator === "<" ? (target ?? []) : [])),
    ];
    const reads = files.some((word) => word.kind === "literal" && workbench.isSpillPath(word.value, place));
    if (!reads && !(fedBy !== undefined && readers.has(fedBy) && isFilter(simple))) return true;
    readers.add(simple);
    return false;
  });
  return others.length === 0 && readers.size > 0;
}

/** Operands of programs that go on with what they are fed: with more of them they would read files. */
const FILTERS: ReadonlyMap<string, number> = new Map([
  ...["head", "tail", "wc", "sort", "uniq", "cut", "nl", "cat", "tac", "rev", "fold"].map(
    (name) => [name, 0] as const,
  ),
  ...["grep", "egrep", "rg", "sed", "awk", "jq"].map((name) => [name, 1] as const),
  ["tr", 2],
]);

function isFilter({ program, args, redirects }: SimpleCommand): boolean {
  const most = FILTERS.get(program?.value ?? "");
  if (most === undefined || redirects.some(({ operator }) => operator === "<")) return false;
  // Values of options are no operands, and stand as numbers or marks behind them: `-n 5`, `-d ,`.
  const operands = args.filter(
    ({ value }, i) =>
      !value.startsWith("-") &&
      !(/^-[a-zA-Z]$/.test(args[i - 1]?.value ?? "") && /^(\W|[\d,+-]+)$/.test(value)),
  );
  return operands.length <= most;
}
