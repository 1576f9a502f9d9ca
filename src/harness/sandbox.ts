import { spawnSync } from "node:child_process";
import type { CopyMount, Containment } from "./contract.ts";

let works: boolean | undefined;

/** Whether bubblewrap can make a pid namespace here; tried once. `FLOWER_NO_BWRAP=1` says no. */
export function bubblewrapWorks(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (env["FLOWER_NO_BWRAP"] === "1") return false;
  works ??= spawnSync("bwrap", [...CONTAIN, "--", "true"], { stdio: "ignore" }).status === 0;
  return works;
}

/** How a harness started now would be contained. */
export function availableContainment(): Containment {
  return bubblewrapWorks() ? "bubblewrap" : "supervisor";
}

/** A pid namespace that dies with flower: ends background and setsid children too (HARNESS 24, 0.3.332). */
const CONTAIN = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent"];

/**
 * Arguments of bubblewrap up to the `--` before the command.
 * With a copy, everything is read-only but the temp directory, the harness's own files and the copy, which is
 * mounted over the workspace's own path: absolute paths in checks mean the copy, and the real tree cannot be written.
 */
export function bubblewrapArgs(
  workspace: string,
  mount: CopyMount | undefined,
  writable: readonly string[],
): string[] {
  if (mount === undefined) return [...CONTAIN, "--"];
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--die-with-parent"],
    ...writable.flatMap((path) => ["--bind-try", path, path]),
    ...["--bind", mount.copy, workspace],
    ...mount.readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
    ...writable
      .filter((path) => path.startsWith(`${workspace}/`))
      .flatMap((path) => ["--bind-try", path, path]),
    ...["--chdir", workspace, "--"],
  ];
}
