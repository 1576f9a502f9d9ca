import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Environment variable that marks every process of one harness, whatever session or parent it moves to. */
export const TREE_MARK = "FLOWER_TREE";

interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** What was looked for stands in the environment or in the command line. */
  marked: boolean;
}

/** Where a mark stands. */
type MarkedIn = "environ" | "cmdline";

/** All processes of the machine that this user may look at; without a mark none is marked. */
function processTable(mark?: string, markedIn: MarkedIn = "environ"): ProcessRow[] {
  return process.platform === "linux" ? linuxTable(mark, markedIn) : psTable(mark);
}

function linuxTable(mark: string | undefined, markedIn: MarkedIn): ProcessRow[] {
  const needle = mark === undefined ? undefined : Buffer.from(mark);
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The command in parentheses may itself contain spaces and parentheses.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") return [];
      return [
        {
          pid: Number(name),
          parent: Number(parent),
          group: Number(group),
          marked: needle !== undefined && readFileSync(`/proc/${name}/${markedIn}`).includes(needle),
        },
      ];
    } catch {
      // Gone meanwhile, or another user's.
      return [];
    }
  });
}

function psTable(mark: string | undefined): ProcessRow[] {
  const out = execFileSync("ps", ["axeww", "-o", "pid=,ppid=,pgid=,stat=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return out.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined || state?.startsWith("Z") === true) return [];
    // With `e` the command line is followed by the environment.
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        marked: mark !== undefined && command.includes(mark),
      },
    ];
  });
}

/** Living processes out of `known`, and whatever descends from one of them; cheaper than looking for marks. */
export function descendants(known: ReadonlySet<number>): Set<number> {
  return withDescendants(processTable(), ({ pid }) => known.has(pid));
}

function withDescendants(table: readonly ProcessRow[], isOne: (row: ProcessRow) => boolean): Set<number> {
  const found = new Set(table.filter(isOne).map((row) => row.pid));
  for (let grew = true; grew;) {
    grew = false;
    for (const row of table) {
      if (!found.has(row.pid) && found.has(row.parent)) {
        found.add(row.pid);
        grew = true;
      }
    }
  }
  return found;
}

/** Traces of a tree beside its mark in the environment. */
export interface TreeTraces {
  /** Pids seen as descendants before. */
  remembered?: ReadonlySet<number>;
  /** A file that processes of the tree hold open; looked at on Linux only. */
  heldFile?: string | undefined;
}

/** Marked processes, those with other traces, and whatever descends from either; never this process itself. */
export function treePids(mark: string, { remembered, heldFile }: TreeTraces = {}): number[] {
  const table = processTable(`${TREE_MARK}=${mark}`, "environ");
  const found = withDescendants(
    table,
    ({ pid, marked }) =>
      marked || remembered?.has(pid) === true || (heldFile !== undefined && holds(pid, heldFile)),
  );
  found.delete(process.pid);
  return [...found];
}

/**
 * Asks the process groups to end whose shell has the text in its command line. The harness gives each Bash call a
 * group of its own; after SIGTERM its failure hook fires, while SIGKILL would look like a mere exit code (0.3.332).
 */
export function endGroups(text: string): void {
  const groups = new Set(
    processTable(text, "cmdline")
      // Group 0 and 1 mean "my own" and "everyone" to kill(2).
      .filter((row) => row.marked && row.group > 1 && row.pid !== process.pid)
      .map((row) => row.group),
  );
  for (const group of groups) {
    try {
      process.kill(-group, "SIGTERM");
    } catch {
      // Gone already.
    }
  }
}

function holds(pid: number, file: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === file;
      } catch {
        return false;
      }
    });
  } catch {
    // Gone meanwhile, another user's, or no Linux.
    return false;
  }
}

/** Kills the whole tree, again until nothing of it is left: a shell may fork between two looks. */
export function killTree(mark: string, traces: TreeTraces = {}): void {
  for (let pass = 0; pass < 20; pass += 1) {
    const pids = treePids(mark, traces);
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
