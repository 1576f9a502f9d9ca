import { errorLine } from "./exit.ts";
import { endLine, printLine, type Ended } from "./json-lines.ts";

/**
 * Says how a command ended: an error on standard error, and with `--json` the last line on standard output.
 * @returns the exit code.
 */
export function finish(ended: Ended, { json }: { json: boolean }): number {
  if (ended.error !== undefined) process.stderr.write(`${errorLine(ended.error)}\n`);
  if (json) printLine(endLine(ended));
  return ended.exitCode;
}
