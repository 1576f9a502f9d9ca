import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { FlowerError } from "../core/errors.ts";
import type { EventLineListener } from "../core/event-line.ts";
import { ignoreInGit, isInside, makePrivateDir } from "../core/files.ts";
import type { CacheTtl } from "../context/rewrite-when.ts";
import type { Locale } from "../core/locale.ts";
import type { Containment } from "../harness/contract.ts";
import { commandSandbox } from "../harness/sandbox.ts";
import type { HumanChannel } from "../human/channel.ts";
import type { SessionStore } from "../store/contract.ts";
import { checkOptions } from "./check-options.ts";
import type { HandoffReview } from "./contract.ts";
import type { HandoffPolicy } from "./handoff-policy.ts";
import type { Resilience } from "./resilience.ts";

/** Where sessions and books lie, relative to the workspace. */
export const DEFAULT_RUN_DIR = "runs";
/** Characters from which a tool result is spilled. */
export const DEFAULT_SPILL_THRESHOLD = 4_000;

/** Options of a runtime. Only `workspace` is required. */
export interface RuntimeOptions {
  workspace: string;
  /** Where sessions, books and events lie; relative to the workspace. Default `runs`. */
  runDir?: string;
  /** No host settings are read, and the harness keeps its files in `<runDir>/harness`. Default true. */
  portable?: boolean;
  /** Keep a workbench (`.flower/`) and put its index before main threads. Default false. */
  workbench?: boolean;
  /**
   * Workers made with `isolate` work in git worktrees of their own, and the workbench lies beside the workspace
   * (`<parent>/.flower-<name>/`). Needs a git repository with a commit. Default false.
   */
  isolate?: boolean;
  /** Characters from which a tool result is written to disk instead of the context; 0 or null = off. Default 4,000. */
  spillThreshold?: number | null;
  /** Spill on the main thread only. Default false. */
  spillMainOnly?: boolean;
  /** Results of glance commands expire at resume. Default true. */
  expire?: boolean;
  /** Old large results become pointers at resume. Default false. */
  trim?: boolean;
  /** Denied calls kept at resume. Default 1. */
  keepDenials?: number;
  /**
   * How long the API keeps a coordinator's prompts, which wait for their workers. Default: an hour at Anthropic's own
   * endpoint, else five minutes: others may refuse to be asked.
   */
  cacheTtl?: CacheTtl;
  /** Transient faults are waited out. Default true. */
  resilience?: boolean | Resilience;
  /** Default true. */
  handoff?: boolean | HandoffPolicy;
  /**
   * `auto`: nobody is asked, static rules decide. `ask`: what has an effect, and that no rule refuses, is put to the
   * person through `channel`; without one it is refused. See docs/guides/permissions.md. Default `auto`.
   */
  permissions?: "auto" | "ask";
  /** What the whole run may cost, US dollars; it stops at the next batch boundary. Default: no limit. */
  budgetUsd?: number;
  /** Push, publish and deploy are allowed. Default false. */
  allowPublish?: boolean;
  /** Default: SQLite at `<runDir>/sessions.db`. A store given here is not closed by the runtime. */
  store?: SessionStore;
  /** Language of documents. Default `en`. */
  locale?: Locale;
  /** Questions to a person and their messages. Default: nobody there. */
  channel?: HumanChannel;
  /** Hears every event of every step. */
  onEvent?: EventLineListener;
  /** Awaited between a frozen handoff document and the successor's start: the file may be edited here. */
  reviewHandoff?: (review: HandoffReview) => Promise<void> | void;
  /** Environment to take credentials and settings from. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default: bubblewrap where it works, else a supervisor process. */
  containment?: Containment;
  /**
   * Whether commands of workers run in a sandbox that lets them write in workspace, workbench and temp only:
   * `auto` where bubblewrap works, `require` or not at all, `off` never. Default `auto`.
   */
  sandbox?: "auto" | "require" | "off";
}

/** {@link RuntimeOptions} with everything decided. */
export interface ResolvedOptions {
  workspace: string;
  runDir: string;
  portable: boolean;
  workbench: boolean;
  isolate: boolean;
  spillThreshold: number;
  spillMainOnly: boolean;
  expire: boolean;
  trim: boolean;
  keepDenials: number;
  /** undefined = by endpoint. */
  cacheTtl: CacheTtl | undefined;
  resilience: boolean | Resilience;
  handoff: HandoffPolicy;
  permissions: "auto" | "ask";
  allowPublish: boolean;
  locale: Locale;
  /** Absolute path of the program that wraps commands of workers; undefined = they run as they are. */
  sandboxProgram: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

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
