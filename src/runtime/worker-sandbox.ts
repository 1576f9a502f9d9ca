import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { GatePolicy } from "../gate/policy.ts";
import {
  CREDENTIAL_VARIABLES,
  sandboxArgs,
  wrapInBubblewrap,
  type CommandRewrite,
  type SandboxMounts,
} from "../gate/rewrites.ts";
import { startedByRoot } from "../harness/sandbox.ts";
import { findRepository } from "../workbench/git-exclude.ts";
import { cacheDir, cacheVariables } from "./tool-caches.ts";

/** What a session's sandbox is made from. */
export interface WorkerSandboxOptions {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly policy: GatePolicy;
  /** Environment of the commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Wraps commands so that they can write in workspace, workbench and temp only. Looked up for each command anew: a
 * worker may make a repository, or a file that is then protected.
 */
export function workerSandbox({ program, policy, env }: WorkerSandboxOptions): CommandRewrite {
  return (command) =>
    wrapInBubblewrap(command, {
      program,
      args: sandboxArgs(mounts(policy, env)),
      hidden: CREDENTIAL_VARIABLES,
    });
}

function mounts(policy: GatePolicy, env: WorkerSandboxOptions["env"]): SandboxMounts {
  const { workspace, workbench, tempDirs, home, realpath = (path: string) => path } = policy;
  const repository = findRepository(workspace);
  const writable = present([
    ...tempDirs,
    workspace,
    ...(workbench === undefined ? [] : [workbench]),
    // Of a worktree, a submodule, or a workspace deep in a repository it lies elsewhere, and commits go there.
    ...(repository === undefined ? [] : [repository.commonDir]),
  ]);
  const canWrite = (path: string): boolean => writable.some((dir) => isIn(realpath(path), dir));
  const readOnly = outermost(present(protectedPaths(policy, repository?.commonDir)).filter(canWrite));
  return {
    writable,
    // Renamed with its directory, a protected file would be gone from its place all the same.
    pinned: present(readOnly.map(dirname)).filter((path) => canWrite(path) && !writable.includes(path)),
    readOnly,
    env: cacheVariables({ home, env, canWrite, makeDir: cacheDir }),
    asRoot: startedByRoot(),
  };
}

function protectedPaths(policy: GatePolicy, gitDir: string | undefined): string[] {
  const inWorkspace = [".mcp.json", ".claude/settings.json", ".claude/settings.local.json", ".env"];
  const dotGit = join(policy.workspace, ".git");
  return [
    policy.runDir,
    ...policy.tempDirs.flatMap(resumeCopies),
    ...policy.protectedFiles,
    ...policy.credentialFiles,
    ...inWorkspace.map((name) => join(policy.workspace, name)),
    ...(gitDir === undefined ? [] : ["hooks", "config"].map((name) => join(gitDir, name))),
    // A worktree's, which names its repository.
    ...(statSync(dotGit, { throwIfNoEntry: false })?.isFile() === true ? [dotGit] : []),
  ];
}

/**
 * A resumed session's harness has its files in the temp directory (0.3.332), among them a script that the shell around
 * the sandbox reads before each command.
 */
function resumeCopies(tempDir: string): string[] {
  if (!existsSync(tempDir)) return [];
  return readdirSync(tempDir)
    .filter((name) => name.startsWith("claude-resume-"))
    .map((name) => join(tempDir, name));
}

/** Real paths of what is there, each once: bubblewrap cannot mount onto a link (0.8.0). */
function present(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(real)];
}

/** Without those that lie in others. */
const outermost = (paths: readonly string[]): string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && isIn(path, other)));

const isIn = (path: string, dir: string): boolean => path === dir || path.startsWith(`${dir}${sep}`);
