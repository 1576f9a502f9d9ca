import type { Event } from "../core/events.ts";
import { oneLine, stripControl } from "../core/terminal-text.ts";
import { callSubject } from "./lines.ts";

/** Characters that are shown of what was said or called. */
const SHOWN_CHARS = 160;

/** A step as its events tell. Times are epoch ms. */
export interface StepView {
  id: string;
  name: string;
  /** `started` as long as it has not ended. */
  phase: "started" | "skipped" | "done" | "failed" | "interrupted";
  index: number | null;
  total: number | null;
  startedMs: number;
  endedMs: number | null;
  /** Why it failed, as far as it was said. */
  note: string | null;
}

/** A question that nobody has answered yet. */
export interface QuestionView {
  id: string;
  question: string;
  options: readonly string[];
  askedMs: number;
  /** When it stops waiting; null = never. */
  untilMs: number | null;
}

/** A wait for the endpoint, or for an allowance to come back. */
export interface WaitView {
  kind: "fault" | "limit";
  reason: string;
  untilMs: number;
  attempt: number;
  maxAttempts: number;
}

/** A subagent, or background task, at work. */
export interface AgentView {
  id: string;
  description: string;
  startedMs: number;
  /** Its last call; null before the first. */
  doing: string | null;
}

/** Main-thread context against the window; tokens. */
export interface LevelView {
  context: number;
  window: number;
  /** The handoff line; null when handoff is off. */
  at: number | null;
}

/** What a run is doing, by its events. */
export interface RunView {
  startedMs: number | null;
  /** The last step that was begun or skipped. */
  step: StepView | null;
  level: LevelView | null;
  /** The main thread's last call or words in this step. */
  doing: string | null;
  writesHandoff: boolean;
  /** Handoffs so far. */
  handoffs: number;
  wait: WaitView | null;
  questions: readonly QuestionView[];
  agents: readonly AgentView[];
  lastEvent: { type: string; timeMs: number; text: string } | null;
  /** US dollars: all steps that ended, and the last one as far as it is known. */
  endedUsd: number;
  stepUsd: number;
  costIsEstimate: boolean;
}

/** Folds the events of one run, in order, into what it is doing at the last one. */
export function foldEvents(events: Iterable<Event>): RunView {
  const questions = new Map<string, QuestionView>();
  const agents = new Map<string, AgentView>();
  let view: RunView = {
    startedMs: null,
    step: null,
    level: null,
    doing: null,
    writesHandoff: false,
    handoffs: 0,
    wait: null,
    questions: [],
    agents: [],
    lastEvent: null,
    endedUsd: 0,
    stepUsd: 0,
    costIsEstimate: false,
  };
  for (const event of events) {
    followQuestion(questions, event);
    followAgent(agents, event);
    view = {
      ...view,
      ...changeBy(event, view),
      startedMs: view.startedMs ?? event.timeMs,
      lastEvent: { type: event.type, timeMs: event.timeMs, text: glimpse(event) },
    };
  }
  return { ...view, questions: [...questions.values()], agents: [...agents.values()] };
}

function changeBy(event: Event, view: RunView): Partial<RunView> {
  switch (event.type) {
    case "step":
      return stepChange(event, view);
    case "usage": {
      const { context, window, at, costUsd, costIsEstimate } = event;
      return {
        level: { context, window, at },
        stepUsd: costUsd,
        costIsEstimate: view.costIsEstimate || costIsEstimate,
      };
    }
    case "retry": {
      const { untilMs, waitMs, reason, attempt, maxAttempts, timeMs } = event;
      const kind = untilMs === undefined ? "fault" : "limit";
      return {
        wait: {
          kind,
          reason: oneLine(reason, SHOWN_CHARS),
          untilMs: untilMs ?? timeMs + waitMs,
          attempt,
          maxAttempts,
        },
      };
    }
    case "handoff":
      if (event.phase === "near") return {};
      return event.phase === "writing"
        ? { writesHandoff: true, wait: null }
        : { writesHandoff: false, handoffs: view.handoffs + 1 };
    // A prompt goes out when a wait is over.
    case "prompt":
      return event.kind === "task" ? {} : { wait: null };
    case "text":
    case "toolCall":
      return event.agentId === undefined ? { doing: glimpse(event), wait: null } : {};
    case "reset":
      return { doing: null, wait: null };
    default:
      return {};
  }
}

function stepChange(event: Extract<Event, { type: "step" }>, view: RunView): Partial<RunView> {
  const { phase, timeMs } = event;
  const quiet = { doing: null, wait: null, writesHandoff: false };
  if (phase === "started" || phase === "skipped") {
    const step: StepView = {
      id: event.step,
      name: oneLine(event.name, SHOWN_CHARS),
      phase,
      index: event.index ?? null,
      total: event.total ?? null,
      startedMs: timeMs,
      endedMs: phase === "skipped" ? timeMs : null,
      note: null,
    };
    return { ...quiet, step, level: null, endedUsd: view.endedUsd + view.stepUsd, stepUsd: 0 };
  }
  if (view.step === null) return quiet;
  const note = event.note === undefined ? null : oneLine(event.note, 1_000);
  const step = { ...view.step, phase, endedMs: timeMs, note };
  return { ...quiet, step, stepUsd: event.costUsd ?? view.stepUsd };
}

function followQuestion(open: Map<string, QuestionView>, event: Event): void {
  if (event.type !== "ask") return;
  if (event.phase !== "asked") {
    open.delete(event.id);
    return;
  }
  const { id, timeoutMs, timeMs } = event;
  open.set(id, {
    id,
    question: stripControl(event.question),
    options: event.options.map(stripControl),
    askedMs: timeMs,
    untilMs: timeoutMs === null ? null : timeMs + timeoutMs,
  });
}

function followAgent(atWork: Map<string, AgentView>, event: Event): void {
  // With its session, or its step, a subagent ends too.
  if (event.type === "reset" || event.type === "step") atWork.clear();
  if (event.type === "task" && event.phase === "started")
    atWork.set(event.taskId, {
      id: event.taskId,
      description: oneLine(event.description, SHOWN_CHARS),
      startedMs: event.timeMs,
      doing: null,
    });
  if (event.type === "task" && event.phase !== "started" && event.phase !== "progress")
    atWork.delete(event.taskId);
  const agent = event.type === "toolCall" ? atWork.get(event.agentId ?? "") : undefined;
  if (agent !== undefined) atWork.set(agent.id, { ...agent, doing: glimpse(event) });
}

/** What an event is about, in one line; "" when its type says it all. */
function glimpse(event: Event): string {
  switch (event.type) {
    case "text":
      return oneLine(event.text, SHOWN_CHARS);
    case "toolCall":
      return oneLine(`${event.name} ${callSubject(event.input)}`, SHOWN_CHARS);
    case "system":
    case "error":
      return oneLine(event.message, SHOWN_CHARS);
    case "step":
      return oneLine(`${event.name}: ${event.phase}`, SHOWN_CHARS);
    case "ask":
      return oneLine(event.question, SHOWN_CHARS);
    case "retry":
      return oneLine(event.reason, SHOWN_CHARS);
    case "task":
      return oneLine(
        event.description === "" ? event.phase : `${event.description}: ${event.phase}`,
        SHOWN_CHARS,
      );
    case "handoff":
      return event.phase;
    default:
      return "";
  }
}
