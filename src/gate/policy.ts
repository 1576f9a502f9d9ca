import type { ToolCall } from "../core/tool-call.ts";

/** What one session may do. Paths are absolute. */
export interface GatePolicy {
  /** Directory of the work; for a judge its throwaway copy. */
  readonly workspace: string;
  readonly workbench?: string;
  /** Flower's own books: never written by tools. */
  readonly runDir: string;
  /** Directories for temporary files. */
  readonly tempDirs: readonly string[];
  readonly home: string;
  /** Brief, goal, questions and INDEX.md, by the file names of every locale. */
  readonly protectedFiles: readonly string[];
  /** Files or directories with credentials beyond the usual ones, e.g. that of `$FLOWER_ENV`. */
  readonly credentialFiles: readonly string[];
  /** The main thread delegates. */
  readonly delegateOnly: boolean;
  /** The main thread reads and asks; there are no subagents. */
  readonly readOnly: boolean;
  /** The main thread may run glance commands. */
  readonly glance: boolean;
  /** Tools of the main thread where it does not delegate. Default: Read, Grep, Glob when `readOnly`, else all. */
  readonly mainAllowed?: readonly string[];
  /** The workspace is a copy that is thrown away: in it the main thread may run anything. */
  readonly throwaway: boolean;
  /** `auto`: nobody is asked. `ask`: what has an effect, and that no rule refuses, is put to the person. */
  readonly mode: "auto" | "ask";
  /** The brief allows pushing, publishing and deploying. */
  readonly allowPublish: boolean;
  /** Directories under which isolated workers have their worktrees; writable. Default: none. */
  readonly worktrees?: readonly string[];
  /** Types of the subagents that work in such a worktree. Default: none. */
  readonly isolatedAgents?: readonly string[];
  /** Follows links: the real path of the deepest existing ancestor with the rest behind it. Default: no links. */
  readonly realpath?: (absolute: string) => string;
  /**
   * Whether there is a file or directory. Searches through whole directories are refused only when a credential file
   * is really in them. Default: all credential files are taken to exist.
   */
  readonly exists?: (absolute: string) => boolean;
  /** Names in a directory. Default: none are known, and patterns are judged by their wording alone. */
  readonly entries?: (directory: string) => readonly string[];
}

/** Reasons that lie in a path. */
export type PathRule =
  | "shared-checkout"
  | "glance-path"
  | "read-outside"
  | "write-outside"
  | "frozen-document"
  | "run-dir"
  | "spill"
  | "git-internals"
  | "harness-settings"
  | "credential"
  | "remove-root";

/** Stable ids of the reasons to refuse. */
export type GateRule =
  | PathRule
  | "delegate"
  | "read-only"
  | "sudo"
  | "git-discard"
  | "publish"
  | "unparsable"
  | "bad-input"
  | "ask"
  | "gate-failed";

/** Why a call is refused and what to do instead. */
export interface Refusal {
  readonly rule: GateRule;
  readonly reason: string;
}

/** A call that waits for the person's word. */
export interface PermissionRequest {
  /** Tool name. */
  readonly tool: string;
  readonly kind: "command" | "write" | "read" | "search" | "tool";
  /** Exactly what would be done: the whole command, the paths, or the tool's input. */
  readonly what: string;
  /** Directory in which it is done; undefined where a directory says nothing. */
  readonly where: string | undefined;
  /** What a yes for the whole run is remembered by: two calls with the same key are the same to the person. */
  readonly key: string;
}

/**
 * The gate's answer, a `GateDecision` with more to it. `ask` on a refusal: put it to the person and let the call
 * through when they allow it; who does not look at it refuses.
 */
export type GateVerdict =
  | { readonly allow: true; readonly rule: "allowed" }
  | {
      readonly allow: false;
      readonly rule: GateRule;
      readonly reason: string;
      readonly ask?: PermissionRequest;
    };

/** Where an isolated worker may write of the repository: its own worktree; undefined when it is in none. */
export interface IsolationRules {
  readonly own: string | undefined;
}

/** For a call of an isolated worker: the worktree that it comes from; undefined for any other call. */
export function isolationOf(call: ToolCall, policy: GatePolicy): IsolationRules | undefined {
  if (!isIsolated(call, policy)) return undefined;
  for (const dir of policy.worktrees ?? []) {
    if (!call.cwd.startsWith(`${dir}/`)) continue;
    return { own: `${dir}/${call.cwd.slice(dir.length + 1).split("/")[0] ?? ""}` };
  }
  return { own: undefined };
}

/** Whether a call comes from a worker with a worktree of its own. */
export function isIsolated(call: ToolCall, policy: GatePolicy): boolean {
  return call.agentType !== undefined && (policy.isolatedAgents ?? []).includes(call.agentType);
}
