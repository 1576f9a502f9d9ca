import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** What is known of how the command was started. */
export interface HangUpFacts {
  /** `_`: shells but dash put the path of the command there that they start. */
  started: string | undefined;
  /** `/proc/self/fdinfo/0`; undefined where there is none. */
  standardInput: string | undefined;
}

/**
 * Whether flower was started by `nohup`. Node takes back an inherited "ignore SIGHUP" before any script runs (20.20), so
 * it is told from what else `nohup` leaves: its path, or a standard input that can only be written.
 */
export function startedByNohup({ started = "", standardInput = "" }: HangUpFacts): boolean {
  return basename(started) === "nohup" || /^flags:\s+[0-7]*1$/m.test(standardInput);
}

/** Reads the facts of this process. */
export function hangUpFacts(env: Readonly<Record<string, string | undefined>>): HangUpFacts {
  let standardInput: string | undefined;
  try {
    standardInput = readFileSync("/proc/self/fdinfo/0", "utf8");
  } catch {
    // Linux alone has it.
  }
  return { started: env["_"], standardInput };
}
