// CPU time of a process with all that it started, by looking at /proc every 50 ms: the time of a contained harness
// is not in its parent's figures, because bubblewrap ends without waiting for it. Linux only.
import { readdirSync, readFileSync } from "node:fs";

const LOOK_INTERVAL_MS = 50;
/** USER_HZ, which Linux fixes for /proc. */
const TICKS_PER_SECOND = 100;

function processTable() {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // Fields 4, 14, 15 and 22 of proc(5); a pid alone may be used again.
      return [
        {
          id: `${name}-${fields[19]}`,
          pid: Number(name),
          parent: Number(fields[1]),
          ticks: Number(fields[11]) + Number(fields[12]),
        },
      ];
    } catch {
      return [];
    }
  });
}

/** Starts looking; `stop()` gives the CPU seconds of the tree, NaN where there is no /proc. What ran between two looks only is missed. */
export function watchTree(rootPid) {
  if (process.platform !== "linux") return { stop: () => Number.NaN };
  const ticks = new Map();
  const known = new Set();
  const look = () => {
    const table = processTable();
    const pids = new Set([rootPid]);
    for (const row of table) if (known.has(row.id)) pids.add(row.pid);
    for (let grew = true; grew;) {
      grew = false;
      for (const row of table)
        if (!pids.has(row.pid) && pids.has(row.parent)) {
          pids.add(row.pid);
          grew = true;
        }
    }
    for (const row of table) {
      if (!pids.has(row.pid)) continue;
      known.add(row.id);
      ticks.set(row.id, row.ticks);
    }
  };
  look();
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return [...ticks.values()].reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
    },
  };
}
