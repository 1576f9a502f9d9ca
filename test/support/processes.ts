import { readdirSync, readFileSync } from "node:fs";

/** Pids whose command line holds the marker. */
export function pidsOf(marker: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(marker)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}
