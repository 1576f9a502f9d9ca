import type { EventLineListener } from "../core/event-line.ts";
import type { CacheTtl } from "../context/rewrite-when.ts";
import type { Locale } from "../core/locale.ts";
import type { Containment } from "../harness/contract.ts";
import type { HumanChannel } from "../human/channel.ts";
import type { SessionStore } from "../store/contract.ts";
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
