import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";
import { errorText } from "../core/errors.ts";
import { sandboxArgs } from "../gate/rewrites.ts";
import type { CopyMount, Containment } from "./contract.ts";

let works: boolean | undefined;

/** Whether bubblewrap can make a pid namespace here; tried once. `FLOWER_NO_BWRAP=1` says no. */
export function bubblewrapWorks(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (env["FLOWER_NO_BWRAP"] === "1") return false;
  works ??= spawnSync("bwrap", [...CONTAIN, "--", "true"], { stdio: "ignore" }).status === 0;
  return works;
}

/** Whether single commands can be put into a sandbox of their own, and with what. */
export type CommandSandbox =
  | { readonly works: true; /** Absolute path of bubblewrap. */ readonly program: string }
  | { readonly works: false; /** What is missing. */ readonly missing: string };

const commandSandboxes = new Map<Containment, CommandSandbox>();

/**
 * Whether commands of a harness in this containment can be wrapped by bubblewrap: in its pid namespace theirs is
 * nested. Tried once for each. `FLOWER_NO_BWRAP=1` says no.
 */
export function commandSandbox(containment: Containment = availableContainment()): CommandSandbox {
  if (process.env["FLOWER_NO_BWRAP"] === "1")
    return { works: false, missing: "FLOWER_NO_BWRAP=1 switches bubblewrap off" };
  const known = commandSandboxes.get(containment) ?? tryCommandSandbox(containment);
  commandSandboxes.set(containment, known);
  return known;
}

function tryCommandSandbox(containment: Containment): CommandSandbox {
  const program = programPath("bwrap");
  if (program === undefined) return { works: false, missing: "bubblewrap (`bwrap`) is not installed" };
  const mounts = { writable: [], pinned: [], readOnly: [], env: {}, asRoot: startedByRoot() };
  const command = [program, ...sandboxArgs(mounts), "--", "true"];
  const [first = program, ...rest] =
    containment === "bubblewrap" ? [program, ...CONTAIN, "--", ...command] : command;
  const { status, stderr, error } = spawnSync(first, rest, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status === 0) return { works: true, program };
  const why = error === undefined ? stderr.trim() : errorText(error);
  return { works: false, missing: `bubblewrap (${program}) does not work here: ${why}` };
}

/** Whether this process is root's. */
export const startedByRoot = (): boolean => process.getuid?.() === 0;

function programPath(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((dir) => resolve(dir, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** How a harness started now would be contained. */
export function availableContainment(): Containment {
  return bubblewrapWorks() ? "bubblewrap" : "supervisor";
}

/** A pid namespace that dies with flower: ends background and setsid children too (0.3.332). */
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
