import type { Event } from "../../core/events.ts";
import { callSubject } from "../lines.ts";

/** What somebody is at. */
export interface Doing {
  /** Tool and subject, or "" while the model thinks or writes. */
  readonly what: string;
  readonly sinceMs: number;
}

/** A subagent at work. */
export interface AgentAtWork {
  readonly description: string;
  readonly startedMs: number;
  readonly doing: Doing;
}

/** Why nothing goes on. */
export type Waiting =
  | {
      readonly why: "fault";
      readonly untilMs: number;
      readonly attempt: number;
      readonly maxAttempts: number;
    }
  | { readonly why: "limit"; readonly untilMs: number }
  | { readonly why: "question"; readonly id: string; readonly untilMs: number | null }
  /** A handoff document, for its person; the input line counts down. */
  | { readonly why: "review" };

/** The step that runs, and its place in the workflow. */
export interface StepPlace {
  /** English id, e.g. `work#round2`. */
  readonly id: string;
  readonly name: string;
  readonly index: number | undefined;
  readonly total: number | undefined;
}

/** What the status area shows; times in epoch ms. */
export interface Status {
  readonly startedMs: number;
  readonly step: StepPlace | undefined;
  readonly context: number;
  readonly window: number;
  /** The handoff line; null when handoff is off. */
  readonly at: number | null;
  /** Of the steps that ended. */
  readonly endedUsd: number;
  /** Of the step that runs. */
  readonly stepUsd: number;
  readonly costIsEstimate: boolean;
  readonly isWritingHandoff: boolean;
  readonly main: Doing;
  /** By id, in the order of their start. */
  readonly agents: ReadonlyMap<string, AgentAtWork>;
  readonly waiting: Waiting | undefined;
}

/** Nothing happened yet. */
export function emptyStatus(startedMs: number): Status {
  return {
    startedMs,
    step: undefined,
    waiting: undefined,
    context: 0,
    window: 0,
    at: null,
    endedUsd: 0,
    stepUsd: 0,
    costIsEstimate: false,
    isWritingHandoff: false,
    main: { what: "", sinceMs: startedMs },
    agents: new Map(),
  };
}

/** The status after an event. */
export function withEvent(status: Status, event: Event): Status {
  switch (event.type) {
    case "step":
      return withStep(status, event);
    case "usage":
      return {
        ...status,
        // A judge or a subagent of a fresh process starts at nothing: the gauge keeps what it knows.
        ...(event.context === 0 ? {} : { context: event.context }),
        window: event.window,
        at: event.at,
        stepUsd: event.costUsd,
        costIsEstimate: status.costIsEstimate || event.costIsEstimate,
      };
    case "handoff":
      return event.phase === "done"
        ? { ...status, context: 0, isWritingHandoff: false }
        : { ...status, context: event.context, isWritingHandoff: event.phase === "writing" };
    case "task":
      return withTask(status, event);
    case "ask":
      return withAsk(status, event);
    case "retry": {
      const { attempt, maxAttempts, untilMs } = event;
      const waiting: Waiting =
        untilMs === undefined
          ? { why: "fault", untilMs: event.timeMs + event.waitMs, attempt, maxAttempts }
          : { why: "limit", untilMs };
      return { ...status, waiting };
    }
    case "prompt":
    case "text":
    case "thinking":
    case "toolResult":
      return doing(status, event, "");
    case "toolCall":
      return doing(status, event, `${event.name} ${callSubject(event.input)}`.trim());
    default:
      return status;
  }
}

/** A question that ends leaves another one open. */
function withAsk(status: Status, { id, phase, timeMs, timeoutMs }: Extract<Event, { type: "ask" }>): Status {
  if (phase === "asked") {
    const untilMs = timeoutMs === null ? null : timeMs + timeoutMs;
    return { ...status, waiting: { why: "question", id, untilMs } };
  }
  const isOther = status.waiting?.why === "question" && status.waiting.id !== id;
  return isOther ? status : { ...status, waiting: undefined };
}

function withStep(status: Status, event: Extract<Event, { type: "step" }>): Status {
  if (event.phase === "skipped") return status;
  const main: Doing = { what: "", sinceMs: event.timeMs };
  const idle = {
    ...status,
    main,
    agents: new Map(),
    waiting: undefined,
    stepUsd: 0,
    isWritingHandoff: false,
  };
  if (event.phase !== "started")
    return { ...idle, step: undefined, endedUsd: status.endedUsd + (event.costUsd ?? 0) };
  const { step: id, name, index, total } = event;
  return { ...idle, step: { id, name, index, total }, context: 0 };
}

function withTask(status: Status, event: Extract<Event, { type: "task" }>): Status {
  const agents = new Map(status.agents);
  const { taskId, phase, description, timeMs } = event;
  if (phase === "started")
    agents.set(taskId, { description, startedMs: timeMs, doing: { what: "", sinceMs: timeMs } });
  else if (phase !== "progress") agents.delete(taskId);
  return { ...status, agents };
}

/** Something moves, so nothing is waited for any more; a question is, beside the others' work. */
function doing(status: Status, event: Event, what: string): Status {
  const waiting = status.waiting?.why === "question" ? status.waiting : undefined;
  const now: Doing = { what, sinceMs: event.timeMs };
  if (event.agentId === undefined) return { ...status, waiting, main: now };
  const agent = status.agents.get(event.agentId);
  if (agent === undefined) return { ...status, waiting };
  return { ...status, waiting, agents: new Map(status.agents).set(event.agentId, { ...agent, doing: now }) };
}
