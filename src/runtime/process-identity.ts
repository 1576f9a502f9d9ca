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

/** Whether the process is one of another machine, of which nothing can be known. */
export function isElsewhere({ host }: ProcessIdentity): boolean {
  return host !== hostname();
}

/** Whether the process still runs; one of another machine counts as running. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (isElsewhere(identity)) return true;
  const { pid, started } = identity;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = startOf(pid);
  return now !== ENDED && (started === undefined || now === undefined || started === now);
}

/** Ended, and its parent has not asked for its exit code yet: usual where the first process of a container never asks. */
const ENDED = "ended";

/** When a process began, as the system counts it; undefined when it does not say. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      const ps = ["-o", "stat=,lstart=", "-p", String(pid)];
      const [, state, start] =
        /^(\S+)\s+(.+)$/.exec(execFileSync("ps", ps, { encoding: "utf8" }).trim()) ?? [];
      return state?.startsWith("Z") === true ? ENDED : start;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Fields 3 and 22 of proc(5), behind the command in parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? ENDED : fields[19];
  } catch {
    return undefined;
  }
}
