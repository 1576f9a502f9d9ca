import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Environment variable that marks every process of one harness, whatever session or parent it moves to. */
export const TREE_MARK = "FLOWER_TREE";

interface ProcessRow {
  pid: number;
  parent: number;
  marked: boolean;
}

/** All processes of the machine that this user may look at. */
function processTable(mark: string): ProcessRow[] {
  return process.platform === "linux" ? linuxTable(mark) : psTable(mark);
}

function linuxTable(mark: string): ProcessRow[] {
  const needle = Buffer.from(`${TREE_MARK}=${mark}\0`);
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The command in parentheses may itself contain spaces and parentheses.
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") return [];
      return [
        {
          pid: Number(name),
          parent: Number(parent),
          marked: readFileSync(`/proc/${name}/environ`).includes(needle),
        },
      ];
    } catch {
      // Gone meanwhile, or another user's.
      return [];
    }
  });
}

function psTable(mark: string): ProcessRow[] {
  const out = execFileSync("ps", ["axeww", "-o", "pid=,ppid=,stat=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return out.split("\n").flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined || state?.startsWith("Z") === true) return [];
    return [{ pid: Number(pid), parent: Number(parent), marked: command.includes(`${TREE_MARK}=${mark}`) }];
  });
}

/** Marked processes, those remembered, and whatever descends from either; never this process itself. */
export function treePids(mark: string, remembered: ReadonlySet<number> = new Set()): number[] {
  const table = processTable(mark);
  const found = new Set(table.filter((row) => row.marked || remembered.has(row.pid)).map((row) => row.pid));
  for (let grew = true; grew;) {
    grew = false;
    for (const row of table) {
      if (!found.has(row.pid) && found.has(row.parent)) {
        found.add(row.pid);
        grew = true;
      }
    }
  }
  found.delete(process.pid);
  return [...found];
}

/** Kills the whole tree, again until nothing of it is left: a shell may fork between two looks. */
export function killTree(mark: string, remembered?: ReadonlySet<number>): void {
  for (let pass = 0; pass < 20; pass += 1) {
    const pids = treePids(mark, remembered);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
  }
}
