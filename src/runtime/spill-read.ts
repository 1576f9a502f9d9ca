import { parseShell } from "../context/shell.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { Workbench } from "../workbench/workbench.ts";

/**
 * Whether a call reads spilled results back. Such a result is never spilled again: the reader would get a pointer to
 * what it just read, over and over. A shell command counts only if every simple command in it reads spill files.
 */
export function readsSpill(call: ToolCall, workbench: Workbench): boolean {
  if (call.name === "Read") {
    const path = call.input["file_path"];
    return typeof path === "string" && workbench.isSpillPath(path, call.cwd);
  }
  if (call.name !== "Bash" || typeof call.input["command"] !== "string") return false;
  const script = parseShell(call.input["command"]);
  if (!script.ok || script.commands.length === 0) return false;
  return script.commands.every((command) =>
    command.args.some((word) => word.kind === "literal" && workbench.isSpillPath(word.value, call.cwd)),
  );
}
