import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { FlowerError } from "../core/errors.ts";
import { ignoreInGit, isInside, makePrivateDir } from "../core/files.ts";
import type { Containment } from "../harness/contract.ts";
import { commandSandbox } from "../harness/sandbox.ts";
import { checkOptions } from "./check-options.ts";
import {
  DEFAULT_RUN_DIR,
  DEFAULT_SPILL_THRESHOLD,
  type ResolvedOptions,
  type RuntimeOptions,
} from "./options.ts";

/**
 * Checks the workspace, makes the run directory and fills the defaults in.
 * @throws FlowerError `workspace` when the workspace is no directory or the run directory cannot be written;
 * `usage` for an option that there is not or that has a wrong value, and for a run directory that holds the workspace;
 * `harness` when a sandbox is required and there is none.
 */
export function resolveOptions(options: RuntimeOptions): ResolvedOptions {
  checkOptions(options);
  const workspace = directory(options.workspace);
  const sandboxProgram = findSandbox(options.sandbox ?? "auto", options.containment);
  const runDir = resolve(workspace, options.runDir ?? DEFAULT_RUN_DIR);
  if (runDir === workspace || isInside(workspace, runDir))
    throw new FlowerError("usage", `the run directory ${runDir} holds the workspace`, {
      nextStep: "name a directory of its own with --run-dir, e.g. runs",
    });
  try {
    makePrivateDir(runDir);
    ignoreInGit(runDir);
  } catch (error) {
    throw new FlowerError("workspace", `the run directory ${runDir} cannot be made`, {
      nextStep: "make the workspace writable, or name another place with --run-dir",
      cause: error,
    });
  }
  const env = options.env ?? process.env;
  const handoff = options.handoff ?? true;
  return {
    workspace,
    runDir,
    portable: options.portable ?? true,
    workbench: options.workbench ?? false,
    isolate: options.isolate ?? false,
    spillThreshold:
      options.spillThreshold === undefined ? DEFAULT_SPILL_THRESHOLD : (options.spillThreshold ?? 0),
    spillMainOnly: options.spillMainOnly ?? false,
    expire: options.expire ?? true,
    trim: options.trim ?? false,
    keepDenials: options.keepDenials ?? 1,
    cacheTtl: options.cacheTtl,
    resilience: options.resilience ?? true,
    handoff: typeof handoff === "boolean" ? { enabled: handoff } : handoff,
    permissions: options.permissions ?? "auto",
    allowPublish: options.allowPublish ?? false,
    locale: options.locale ?? "en",
    sandboxProgram,
    env,
    home: env["HOME"] ?? homedir(),
  };
}

/**
 * The program that wraps commands of workers; undefined = they run as they are.
 * @throws FlowerError `harness` when a sandbox is required and there is none.
 */
function findSandbox(
  option: "auto" | "require" | "off",
  containment: Containment | undefined,
): string | undefined {
  if (option === "off") return undefined;
  const sandbox = commandSandbox(containment);
  if (sandbox.works) return sandbox.program;
  if (option === "auto") return undefined;
  throw new FlowerError("harness", `commands cannot be put into a sandbox: ${sandbox.missing}`, {
    nextStep:
      'install bubblewrap and allow user namespaces, or go on without: leave out --require-sandbox, or set the option sandbox to "auto"',
  });
}

function directory(path: string): string {
  try {
    // Resolved once: the harness names sessions by the real path.
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw new FlowerError("workspace", `the workspace ${path} does not exist`, {
      nextStep: "make the directory first, or name another with --workspace",
    });
  }
  throw new FlowerError("workspace", `the workspace ${path} is not a directory`, {
    nextStep: "name a directory with --workspace",
  });
}
