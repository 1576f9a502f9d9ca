import type { TokenCounts } from "./tokens.ts";

/** One line each of a handoff document, for the screen. */
export interface HandoffLines {
  doing: string;
  decided: string;
  deadEnds: string;
  next: string;
}

/** What every event carries. */
export interface EventBase {
  /** Id of the run (`YYYYmmdd-HHMMSS-<6 hex>`). */
  runId: string;
  /** English id of the step, e.g. `work#round2`. */
  step: string;
  /** Set on what a subagent did; absent on the main thread. */
  agentId?: string;
  /** Epoch milliseconds. */
  timeMs: number;
}

/** Payloads by type; the one place that says what an interface can see. */
export interface EventPayloads {
  /** Text that the model wrote. */
  text: { text: string };
  /** Thinking that the model showed. */
  thinking: { text: string };
  /**
   * A prompt that was sent. `start`: to a new session; `resume`: to one of an earlier process or run; `round`: a
   * further one in the same process; `handoff`: asks for the handoff document; `task`: to a subagent.
   */
  prompt: { text: string; kind: "start" | "resume" | "round" | "handoff" | "task" };
  /** A tool is about to run. `agentType` is the type of the calling subagent. */
  toolCall: { id: string; name: string; input: Readonly<Record<string, unknown>>; agentType?: string };
  /** What came back, as the model sees it (a pointer when it was spilled). `denied` = refused by the gate. */
  toolResult: { id: string; name: string; text: string; isError: boolean; denied: boolean };
  /** A round ended. `costUsd`, `numTurns`, `durationMs` are those of the step so far. */
  result: { ok: boolean; text: string; costUsd: number; numTurns: number; durationMs: number };
  /** Something failed; never enters the model's context. */
  error: {
    message: string;
    kind: "fatal" | "transient" | "limit" | "unknown" | "overflow" | "store" | "degraded";
  };
  /** The step starts over in a new session; what was shown of the old one is history. */
  reset: { reason: string };
  /** A word of flower or of the harness to the person. */
  system: { message: string; level: "info" | "warning" };
  /** Life of a subagent or background task. */
  task: {
    taskId: string;
    phase: "started" | "progress" | "done" | "failed" | "stopped";
    description: string;
  };
  /** A harness message that this version does not know. */
  unknown: { messageType: string };
  /** A question to the person: `asked` when it goes out, then exactly one of the others. */
  ask: {
    id: string;
    phase: "asked" | "answered" | "skipped" | "timeout" | "quota" | "nobody";
    question: string;
    options: readonly string[];
    answer?: string;
    /** Remaining time to answer in ms; null = no limit. */
    timeoutMs: number | null;
    /** It asks to allow one tool call, which is refused unless the answer allows it. Absent on all others. */
    permission?: true;
  };
  /**
   * Waiting, then resuming the same session: after a transient fault (`attempt` of `maxAttempts`), or until a used-up
   * allowance comes back (`untilMs`, epoch ms; not a failed attempt, the figures stay).
   */
  retry: { attempt: number; maxAttempts: number; waitMs: number; reason: string; untilMs?: number };
  /** A step starts, is skipped (its document exists) or ends. */
  step: {
    phase: "started" | "skipped" | "done" | "failed" | "interrupted";
    name: string;
    index?: number;
    total?: number;
    /** Of a step that ended. */
    costUsd?: number;
    numTurns?: number;
    durationMs?: number;
    note?: string;
  };
  /** A change of generation. `sections` and `path` only with `done`; `path` null without a workbench. */
  handoff: {
    phase: "near" | "writing" | "done";
    context: number;
    window: number;
    at: number;
    generation: number;
    degraded?: boolean;
    path?: string | null;
    sections?: HandoffLines;
  };
  /** The gauge: main-thread context against the window; cost of the step so far. */
  usage: {
    context: number;
    window: number;
    /** The handoff line; null when handoff is off. */
    at: number | null;
    costUsd: number;
    /** True when the harness has no price for the model. */
    costIsEstimate: boolean;
    tokens: TokenCounts;
  };
}

/** Names of all events. */
export type EventType = keyof EventPayloads;

/** One discriminated union over {@link EventPayloads}: switch on `type`, exhaustively. */
export type Event = { [T in EventType]: EventBase & { type: T } & EventPayloads[T] }[EventType];

/** An event before the run stamps it. */
export type EventDraft = {
  [T in EventType]: { type: T; agentId?: string } & EventPayloads[T];
}[EventType];

/** A listener may be slow or throw; neither harms the run. */
export type EventListener = (event: Event) => void | Promise<void>;
