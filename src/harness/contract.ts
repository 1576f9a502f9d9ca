import type { EventDraft } from "../core/events.ts";
import type { TokenCounts } from "../core/tokens.ts";
import type { AgentSpec } from "../core/spec.ts";
import type { GateDecision, ToolCall } from "../core/tool-call.ts";
import type { SessionStore, TranscriptEntry } from "../store/contract.ts";

/** What the main thread's context holds, asked of the harness itself. */
export interface ContextLevel {
  /** Tokens of the last main-thread request: input + cache read + cache creation. 0 before the first. */
  tokens: number;
  /** {@link tokens} with the model's reply to that request: what the next one starts with. */
  withReply: number;
  /** The harness's estimate of everything, for the gauge only. */
  totalTokens: number;
  /** The window that the harness believes in. */
  windowTokens: number;
}

/** What to do at the end of a batch of tool calls. */
export interface BatchDecision {
  /** End the turn here, cleanly; the model reads this reason. */
  cut?: string;
  /** Text that the model reads with the batch's results. */
  context?: string;
}

/** A batch boundary: every tool call of one assistant message has its result. */
export interface Batch {
  /** Absent on the main thread. */
  agentId?: string;
  calls: readonly { id: string; name: string }[];
  /** Asks the harness for the main thread's level (7–17 ms inside the hook, 0.3.332). */
  level(): Promise<ContextLevel>;
}

/**
 * What flower decides while the harness works. Each member is called inside a hook with
 * `onFailure: 'block'`; one that throws blocks the call that it guards and never lets it through.
 */
export interface SessionHooks {
  /**
   * The one gate: decides on the original input and may rewrite it. It may wait for a person. `signal`: the harness has
   * gone, or does not want to know any more.
   */
  beforeTool(call: ToolCall, signal?: AbortSignal): Promise<GateDecision>;
  /** A call succeeded: returns a replacement of its output (same structure) and text for the model. */
  afterTool(call: ToolCall, output: unknown): Promise<{ output?: unknown; context?: string }>;
  /** A call failed; its output cannot be replaced here (0.3.332), text can be added. */
  afterFailure(call: ToolCall, error: string): Promise<string | undefined>;
  afterBatch(batch: Batch): Promise<BatchDecision>;
  /** The harness has put a summary of its own in the place of the main thread's history: text to stand behind that. */
  afterCompaction(): string | undefined;
  /**
   * Text to put behind a prompt, at the tail, where the cached prefix stays whole. Not a hook of the harness, which would
   * cost each prompt, also that of a handoff document, some 8 ms (0.3.332).
   */
  behindPrompt(): string | undefined;
  /** The main thread's first reply in this process begins; its request read this many tokens. */
  replied?(contextTokens: number): void;
  /** A round ended in order, by itself: what was said in it is in the history. */
  roundEnded?(): void;
  /**
   * Makes the worktree of an isolated subagent that is about to start, and returns its root: the harness refuses any
   * other directory, and leaves removing to whoever made it (0.3.332). A throw fails the Agent call.
   */
  createWorktree(agentId: string): Promise<string>;
  /** Text that a subagent reads before its task. */
  subagentStarted(agentId: string, agentType: string): Promise<string | undefined>;
}

/** Category of a failure to keep the transcript. */
export const STORE_FAILED = "store_failed";

/** Category of a failure to note what the next run needs; its message says what to do. */
export const BOOKS_FAILED = "books_failed";

/** Category of a failure by silence: the process lives, no tool runs, and nothing comes. */
export const SILENT_STREAM = "silent_stream";

/** Category of a failure by the model itself, which declined to answer: stop reason `refusal` (0.3.332). */
export const DECLINED = "declined";

/** An API or harness failure that ended a round. */
export interface RoundFailure {
  /** What the harness says; for `errors[]` and the screen, never for the model. */
  message: string;
  /** HTTP status, when there was one. */
  status?: number;
  /** `error.type` of the API, e.g. `rate_limit_error`. */
  apiErrorType?: string;
  /** The harness's category, e.g. `authentication_failed`, `rate_limit`. */
  category?: string;
  /** e.g. `prompt_too_long`, `blocking_limit`, `api_error`, `max_turns`. */
  terminalReason?: string;
  /** When a used-up allowance comes back, as the harness was told, epoch ms. */
  resetsAtMs?: number;
  /** The API's own body, only found in the stored entry (0.3.332). */
  details?: string;
}

/** Turns and tokens. */
export interface Counted {
  /** Distinct main-thread messages. */
  numTurns: number;
  tokens: { main: TokenCounts; subagents: TokenCounts };
}

/** What one prompt led to. Costs, tokens and turns are this round's, not cumulative. */
export interface RoundResult extends Counted {
  /** The main thread's text of its last turn; no error text, no subagent's text. */
  text: string;
  /** All texts of the main thread in the round, a line break between its messages. */
  allText: string;
  /** Absent when the round ended in order (also when it was cut by a hook). */
  failure?: RoundFailure;
  /** The hook's reason when the round was cut at a batch boundary. */
  cut?: string;
  costUsd: number;
  /** The harness has no price for a model that was used. */
  costIsEstimate: boolean;
  /** Main-thread context of the last request. */
  context: number;
  /** Output tokens of the main thread's last request; undefined when it is not known. */
  lastOutput: number | undefined;
}

/** Tells how a process tree is kept from outliving flower. */
export type Containment = "bubblewrap" | "supervisor";

/** A throwaway copy that the session works in instead of the workspace. */
export interface CopyMount {
  /** The copy's own path. */
  copy: string;
  /** Paths that stay real and read-only inside the copy, such as the workbench. */
  readOnly: readonly string[];
}

/** Everything that a session needs to be opened. */
export interface SessionOptions {
  spec: AgentSpec;
  workspace: string;
  /** Directories beside the workspace that tools may use, e.g. the workbench. */
  additionalDirectories: readonly string[];
  /** Environment of the harness, credentials included; see `harnessEnvironment`. */
  env: Readonly<Record<string, string>>;
  /** The API key, handed over through a pipe so that tools cannot read it (0.3.332). */
  apiKey?: string;
  /** Secrets to remove from harness error texts. */
  redact: (text: string) => string;
  /** What the session is loaded from and kept in; a history may come out of it rewritten. */
  store: SessionStore;
  /** The same store as it keeps things: what really happened, for facts and reports. */
  originals: SessionStore;
  /** Under which name the store keeps this workspace's sessions. */
  projectKey: string;
  hooks: SessionHooks;
  /** Hears of what is made in the temp directory for this session; calls what it returns when that is gone. */
  onTemp?: (path: string) => () => void;
  onEvent(event: EventDraft): void;
  /** Called once, the moment the session id is known. */
  onSessionId(sessionId: string): void;
  /** Rules of the harness's own settings, a second net that beats every allow (0.3.332). */
  denyRules: readonly string[];
  /** No host settings are read (`settingSources: []`). */
  portable: boolean;
  resume?: string;
  /** With `resume`: continue as a new session with a copied history. */
  fork?: boolean;
  /** With `resume`: go on from this message uuid. */
  resumeAt?: string;
  copyMount?: CopyMount;
  /** Default: bubblewrap where it works, else the supervisor. */
  containment?: Containment;
  /** Silence after which a stream is taken for dead, ms. */
  silenceMs: number;
}

/** What a store holds of a session. */
export interface Transcript {
  main: readonly TranscriptEntry[];
  /** Each subagent's own. */
  subagents: ReadonlyArray<readonly TranscriptEntry[]>;
}

/** One live harness process. */
export interface HarnessSession {
  /** Known from the first message on. */
  readonly sessionId: string | undefined;
  readonly containment: Containment;
  /** A round is under way. */
  readonly working: boolean;
  /**
   * Pushes a prompt and waits for the end of its turn. One at a time.
   * Never rejects for what the API or the harness did: that is in `failure`.
   */
  round(prompt: string): Promise<RoundResult>;
  level(): Promise<ContextLevel>;
  /** The session as its store holds it; the last 150 ms may be missing (0.3.332). */
  transcript(): Promise<Transcript>;
  /** What the store holds of the subagent that an Agent call started; none when it is not known. */
  subagent(toolUseId: string): Promise<readonly TranscriptEntry[]>;
  /** Id of the subagent that an Agent call started; undefined when it is not known. */
  agentIdOf(toolUseId: string): string | undefined;
  /** Cost of this session so far, this process's part; undefined when the harness does not say. */
  spentUsd(): Promise<number | undefined>;
  /** Tokens of this session so far, this process's part, as far as its messages told; subagents included. */
  readonly spentTokens: TokenCounts;
  /** What the round under way comes to as far as its messages told; undefined between two rounds. */
  readonly underWay: Counted | undefined;
  /** Ends the running turn at once; an unfinished reply is dropped. */
  interrupt(): Promise<void>;
  /** Ends the processes of one Bash call; the call fails, whoever made it goes on to its batch boundary. */
  endCall(toolUseId: string): void;
  /** Ends input and waits for the process; safe to call twice. */
  close(): Promise<void>;
}
