import { existsSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { ToolCall } from "../core/tool-call.ts";
import { isolationOf, type GatePolicy } from "../gate/policy.ts";
import { CREDENTIAL_VARIABLES, sandboxArgs, wrapInBubblewrap, type SandboxMounts } from "../gate/rewrites.ts";
import { startedByRoot } from "../harness/sandbox.ts";
import { branchSpace } from "../isolation/names.ts";
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

/** Puts the command of a call into the sandbox. */
export type CallSandbox = (command: string, call: ToolCall) => string;

/**
 * Wraps commands so that they can write in workspace, workbench and temp only; those of a judge in its copy and temp,
 * and whatever they may do there, its process's environment with the endpoint's token is out of sight. Looked up for each command anew: a
 * worker may make a repository, or a file that is then protected.
 */
export function workerSandbox({ program, policy, env }: WorkerSandboxOptions): CallSandbox {
  return (command, call) => {
    const isolation = isolationOf(call, policy);
    return wrapInBubblewrap(command, {
      program,
      args: sandboxArgs(
        isolation === undefined ? mounts(policy, env) : isolatedMounts(policy, env, isolation.own),
      ),
      hidden: CREDENTIAL_VARIABLES,
    });
  };
}

/** A branch made from a remote's would be written into `.git/config`, and fails where that cannot be (git 2.43). */
const NO_TRACKING = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "branch.autoSetupMerge",
  GIT_CONFIG_VALUE_0: "false",
};

function mounts(policy: GatePolicy, env: WorkerSandboxOptions["env"]): SandboxMounts {
  const { workspace, workbench, tempDirs, home, throwaway, realpath = (path: string) => path } = policy;
  // In a throwaway copy nothing is the person's, and what belongs to the workspace but lies elsewhere stays untouched.
  const repository = throwaway ? undefined : findRepository(workspace);
  const writable = present([
    ...tempDirs,
    workspace,
    ...(workbench === undefined || throwaway ? [] : [workbench]),
    // Of a worktree, a submodule, or a workspace deep in a repository it lies elsewhere, and commits go there.
    ...(repository === undefined ? [] : [repository.commonDir]),
  ]);
  const canWrite = (path: string): boolean => writable.some((dir) => isIn(realpath(path), dir));
  const kept = throwaway ? [workbench ?? []].flat() : protectedPaths(policy, repository?.commonDir);
  const readOnly = outermost(present([...kept, ...tempDirs.flatMap(resumeCopies)]).filter(canWrite));
  return {
    writable,
    // Renamed with its directory, a protected file would be gone from its place all the same.
    pinned: present(readOnly.map(dirname)).filter((path) => canWrite(path) && !writable.includes(path)),
    readOnly,
    env: {
      ...cacheVariables({ home, env, canWrite, makeDir: cacheDir }),
      ...(repository === undefined || env["GIT_CONFIG_COUNT"] !== undefined ? {} : NO_TRACKING),
    },
    asRoot: startedByRoot(),
  };
}

/**
 * An isolated worker's: of the repository it can write its own worktree, new objects and its own branches. Whatever it
 * runs, the shared checkout, its index, its stash and the branches of others stay as they are.
 */
function isolatedMounts(
  policy: GatePolicy,
  env: WorkerSandboxOptions["env"],
  own: string | undefined,
): SandboxMounts {
  const { workspace, workbench, tempDirs, home, realpath = (path: string) => path } = policy;
  const repository = findRepository(workspace);
  const writable = present([...tempDirs, ...[workbench ?? []].flat(), ...[own ?? []].flat()]);
  const canWrite = (path: string): boolean => writable.some((dir) => isIn(realpath(path), dir));
  const others = (policy.worktrees ?? []).flatMap(childrenOf).filter((path) => path !== own);
  const readOnly = outermost(
    present([
      workspace,
      ...(repository === undefined ? [] : [repository.commonDir]),
      ...others,
      ...protectedPaths(policy, undefined),
      ...(own === undefined ? [] : [...settingsIn(own), join(own, ".git")]),
      ...tempDirs.flatMap(resumeCopies),
    ]).filter(canWrite),
  );
  return {
    writable,
    pinned: present(readOnly.map(dirname)).filter((path) => canWrite(path) && !writable.includes(path)),
    readOnly,
    reopened:
      repository === undefined || own === undefined ? [] : present(ownPlaces(repository.commonDir, own)),
    env: {
      ...cacheVariables({ home, env, canWrite, makeDir: cacheDir }),
      ...(env["GIT_CONFIG_COUNT"] === undefined ? NO_HOUSEKEEPING : {}),
    },
    asRoot: startedByRoot(),
  };
}

/** What a commit in a worktree writes of the repository's git directory. */
function ownPlaces(commonDir: string, own: string): string[] {
  const id = basename(own);
  const refs = ["refs/heads", "logs/refs/heads"].map((place) => join(commonDir, place, branchSpace(id)));
  // Somebody's `git gc` packs branches and takes their directories away.
  for (const dir of refs) mkdirSync(dir, { recursive: true });
  return [join(commonDir, "objects"), join(commonDir, "worktrees", id), ...refs];
}

/** Git would tidy up after a commit now and then, in files of all worktrees. */
const NO_HOUSEKEEPING = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "branch.autoSetupMerge",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "gc.auto",
  GIT_CONFIG_VALUE_1: "0",
};

function childrenOf(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [];
}

/** Files by which a tool could change how the agent itself works. */
const settingsIn = (dir: string): string[] =>
  [".mcp.json", ".claude/settings.json", ".claude/settings.local.json"].map((name) => join(dir, name));

function protectedPaths(policy: GatePolicy, gitDir: string | undefined): string[] {
  const dotGit = join(policy.workspace, ".git");
  return [
    policy.runDir,
    ...policy.protectedFiles,
    ...policy.credentialFiles,
    ...settingsIn(policy.workspace),
    join(policy.workspace, ".env"),
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
