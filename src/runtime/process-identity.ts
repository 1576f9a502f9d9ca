import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

/** What tells a process from every other one, also from a later one with the same pid. */
export const PROCESS_IDENTITY = z.object({
  pid: z.int().positive(),
  /** As the system counts it; undefined when it does not say. */
  started: z.string().optional(),
  host: z.string(),
});

/** See {@link PROCESS_IDENTITY}. */
export type ProcessIdentity = z.infer<typeof PROCESS_IDENTITY>;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  const started = startOf(process.pid);
  return { pid: process.pid, ...(started === undefined ? {} : { started }), host: hostname() };
}

/** Whether the process still runs; of another machine nothing is known, so it counts as running. */
export function isAlive({ pid, started, host }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Field 22 of proc(5), behind the command in parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
