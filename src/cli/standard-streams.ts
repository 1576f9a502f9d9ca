import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import { errorText } from "../core/errors.ts";
import { EXIT } from "./exit.ts";

/** Nobody reads any more: a pipe that was closed, a terminal that is gone. */
const NO_READER: ReadonlySet<string> = new Set(["EPIPE", "EIO"]);

/**
 * Lets a command outlive whoever reads it: what is printed then is lost, what is done is not. Other errors of standard
 * output, such as a full disk, are said, and make exit code 0 to 1 at the end, because the result is not there.
 */
export function outliveReaders(): void {
  let lost = false;
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (lost || NO_READER.has(error.code ?? "")) return;
    lost = true;
    process.stderr.write(`flower: standard output cannot be written: ${errorText(error)}\n`);
  });
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once("exit", (code) => {
    leaveGoneTerminals(terminals);
    if (lost && code === EXIT.done) process.exitCode = EXIT.failed;
  });
}

/**
 * At its end Node resets each terminal that it was started with, and aborts when that fails because the terminal is gone
 * (20.20); it leaves alone what is another file by then.
 */
function leaveGoneTerminals(terminals: readonly number[]): void {
  for (const fd of terminals.filter((one) => !isatty(one))) {
    closeSync(fd);
    // Takes the lowest free number, which is the one just closed.
    openSync(devNull, "r+");
  }
}
