import type { EventListener, HandoffLines } from "../core/events.ts";
import type { TokenCounts } from "../core/tokens.ts";
import type { CopyMount } from "../harness/contract.ts";
import type { AgentSpec } from "../core/spec.ts";

/** How a step ended; `running` rows belong to a live process or to one that was killed. */
export type StepStatus = "running" | "done" | "failed" | "interrupted" | "killed-by-signal";

/** One session of a step that handed over. */
export interface Generation {
  sessionId: string;
  /** Main-thread context when it was cut, tokens. */
  contextAtCut: number;
  reason: "level" | "overflow";
  /** The document could not be written and was put together mechanically. */
  degraded: boolean;
  /** The frozen document; null without a workbench. */
  path: string | null;
  costUsd: number;
  tokens: TokenCounts;
}

/** The worktree of one dispatch of an isolated worker. Those that held nothing leave no row. */
export interface WorktreeRow {
  /** Id of the subagent, as events carry it. */
  dispatch: string;
  /** Of the Agent call; null when it did not come back. */
  description: string | null;
  path: string;
  /** Where the worktree's HEAD was last seen. */
  branch: string;
  /** Commit that it was made from. */
  base: string;
  /** Commits that the workspace did not have; null while nobody has looked. */
  commits: number | null;
  /** Files that differ from `base`, committed or not; null while nobody has looked. */
  changedFiles: number | null;
  /** `merged`: the workspace had all of it by the end of the step, and the worktree is gone. */
  state: "working" | "kept" | "merged";
}

/** What a step came to. Costs and turns add up over retries and handoffs. */
export interface StepResult {
  ok: boolean;
  status: StepStatus;
  /** The main thread's text of its last turn. */
  text: string;
  /** Always the last successor's; undefined when no session came to life. */
  sessionId: string | undefined;
  costUsd: number;
  costIsEstimate: boolean;
  numTurns: number;
  durationMs: number;
  /** Why the step failed, with the next step to take. */
  error: string | undefined;
  /** Every fault on the way, also those that were overcome. */
  errors: string[];
  /** First = 1, +1 a transient retry; handoffs and interruptions do not raise it. */
  attempts: number;
  /** The step went on in an earlier session. */
  resumed: boolean;
  /** Session ids burned by handoffs, in order. */
  retired: string[];
  generations: Generation[];
  /** Main-thread context of the last request, tokens. */
  context: number;
  window: number;
  tokens: { main: TokenCounts; subagents: TokenCounts };
  /** Calls that the gate refused. */
  refusals: number;
  worktrees: readonly WorktreeRow[];
  /** Cost of questions to retired sessions; not in `costUsd`. */
  predecessorCostUsd: number;
  /** The account, the model or an allowance was refused: no other session could do better now. */
  refused?: true;
}

/** A handoff document at the moment between `writing` and the successor's start. */
export interface HandoffReview {
  step: string;
  /** The frozen file; null without a workbench. */
  path: string | null;
  degraded: boolean;
  sections: HandoffLines;
}

/** A handoff that an earlier process did not finish. */
export interface HandOverFirst {
  /** Makes the successor's prompt of the usual one. */
  prompt(successorPrompt: string): string;
  reason: Generation["reason"];
  /** Main-thread context when it was cut, tokens; 0 = not known. */
  context: number;
}

/** Options of one `run`. */
export interface RunStepOptions {
  /** English step id, e.g. `work`, `work#round2`. Default: the spec's name. */
  stepName?: string;
  /** Name on screen; default: the step id. */
  displayName?: string;
  /** Position for the screen, e.g. `{ index: 2, total: 3 }`. */
  position?: { index: number; total: number };
  /** Session id to go on from. One that `keepAlive` kept is used as it is, its cache warm, for the same spec object. */
  resume?: string;
  /** Sent in a new session when the one to resume is gone from the store. Default: the step fails then. */
  freshPrompt?: string;
  /** With `resume`: go on as a new session with a copied history. */
  fork?: boolean;
  /** With `resume`: go on from this message, the `uuid` of an `assistant` entry (`flower log --json` shows them). */
  resumeAt?: string;
  /** With `resume`: an earlier process ended while this session wrote its handoff document, so it writes that first. */
  handOverFirst?: HandOverFirst;
  /** What the step is about, for a document that the session cannot write. Default: `freshPrompt`, else the prompt. */
  task?: string;
  /** What earlier rounds of the same step have used of `maxTurns` and `maxBudgetUsd`. Default: nothing. */
  spent?: { turns: number; costUsd: number };
  /** Keep the process alive after the step, at most the cache's lifetime, for a further round. Default false. */
  keepAlive?: boolean;
  /** Lineage entry that the session id is written to. Default: the step id up to `#` or `·`; null = none. */
  lineageStep?: string | null;
  /** The throwaway copy that the session works in instead of the workspace. */
  copyMount?: CopyMount;
  /**
   * Who hears what a person says as they interrupt: `this` session, which goes on with it; the `next` step, and this one
   * ends as interrupted; or `both`, one after the other. Default `this`.
   */
  wordsFor?: "this" | "next" | "both";
  onEvent?: EventListener;
}

/** What a workflow needs of a runtime. */
export interface StepRunner {
  /** Runs one step to its end. What went wrong in it is in the result. */
  run(spec: AgentSpec, prompt: string, options?: RunStepOptions): Promise<StepResult>;
}
