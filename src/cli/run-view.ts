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
  /** Its call under way; null while the model thinks or writes. */
  call: string | null;
  /** Since when it is at that; epoch ms. */
  callMs: number | null;
  writesHandoff: boolean;
  /** Handoffs so far. */
  handoffs: number;
  wait: WaitView | null;
  /** Oldest first, like `agents`. */
  questions: readonly QuestionView[];
  agents: readonly AgentView[];
  /** `phase`: of a step, agent, question or handoff; else null. */
  lastEvent: { type: string; phase: string | null; timeMs: number; text: string } | null;
  /** US dollars: all steps that ended, and the last one as far as it is known. */
  endedUsd: number;
  stepUsd: number;
  costIsEstimate: boolean;
}

/** Nothing happened yet. */
export const EMPTY_VIEW: RunView = {
  startedMs: null,
  step: null,
  level: null,
  doing: null,
  call: null,
  callMs: null,
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

/** Folds the events of one run, in order, into what it is doing at the last one. */
export function foldEvents(events: Iterable<Event>): RunView {
  let view = EMPTY_VIEW;
  for (const event of events) view = withEvent(view, event);
  return view;
}

/** The view after one more event; also what a screen follows a run by. */
export function withEvent(view: RunView, event: Event): RunView {
  const { type, timeMs } = event;
  return {
    ...view,
    ...changeBy(event, view),
    startedMs: view.startedMs ?? timeMs,
    lastEvent: { type, phase: "phase" in event ? event.phase : null, timeMs, text: glimpse(event) },
  };
}

function changeBy(event: Event, view: RunView): Partial<RunView> {
  switch (event.type) {
    case "step":
      return stepChange(event, view);
    case "usage": {
      // The step is booked already.
      if (view.step !== null && view.step.endedMs !== null) return {};
      const { context, window, at, costUsd, costIsEstimate } = event;
      return {
        // A judge or a subagent of a fresh process starts at nothing: what is known is kept.
        level: { context: context === 0 ? (view.level?.context ?? 0) : context, window, at },
        stepUsd: costUsd,
        costIsEstimate: view.costIsEstimate || costIsEstimate,
      };
    }
    case "retry": {
      const { untilMs, waitMs, attempt, maxAttempts, timeMs } = event;
      const kind = untilMs === undefined ? "fault" : "limit";
      return {
        wait: { kind, reason: glimpse(event), untilMs: untilMs ?? timeMs + waitMs, attempt, maxAttempts },
      };
    }
    case "handoff": {
      const { phase, context, window, at } = event;
      if (phase === "done")
        return { writesHandoff: false, handoffs: view.handoffs + 1, level: { context: 0, window, at } };
      const level = { context, window, at };
      return phase === "writing" ? { level, writesHandoff: true, wait: null } : { level };
    }
    case "ask":
      return { questions: questionsAfter(event, view.questions) };
    case "task":
      return { agents: agentsAfter(event, view.agents) };
    // With its session a subagent ends too.
    case "reset":
      return { doing: null, wait: null, agents: [] };
    // One goes out when a wait is over.
    case "prompt":
      return event.kind === "task" ? {} : { ...thinks(event), wait: null };
    case "thinking":
    case "toolResult":
      return event.agentId === undefined ? thinks(event) : {};
    case "text":
      return event.agentId === undefined ? { ...thinks(event), doing: glimpse(event), wait: null } : {};
    case "toolCall": {
      const doing = glimpse(event);
      if (event.agentId === undefined) return { doing, call: doing, callMs: event.timeMs, wait: null };
      const agents = view.agents.map((agent) => (agent.id === event.agentId ? { ...agent, doing } : agent));
      return { agents };
    }
    default:
      return {};
  }
}

const thinks = ({ timeMs }: Event): Partial<RunView> => ({ call: null, callMs: timeMs });

function stepChange(event: Extract<Event, { type: "step" }>, view: RunView): Partial<RunView> {
  const { phase, timeMs } = event;
  const quiet = { ...thinks(event), doing: null, wait: null, writesHandoff: false, agents: [] };
  if (phase === "started" || phase === "skipped") {
    const step: StepView = {
      id: event.step,
      name: glimpse(event),
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

function questionsAfter(
  event: Extract<Event, { type: "ask" }>,
  open: readonly QuestionView[],
): QuestionView[] {
  const { id, phase, question, options, timeoutMs, timeMs: askedMs } = event;
  const others = open.filter((each) => each.id !== id);
  if (phase !== "asked") return others;
  const untilMs = timeoutMs === null ? null : askedMs + timeoutMs;
  const said = { question: stripControl(question), options: options.map(stripControl) };
  return [...others, { id, ...said, askedMs, untilMs }];
}

function agentsAfter(event: Extract<Event, { type: "task" }>, atWork: readonly AgentView[]): AgentView[] {
  const { taskId: id, phase, timeMs: startedMs } = event;
  if (phase === "progress") return [...atWork];
  const others = atWork.filter((each) => each.id !== id);
  if (phase !== "started") return others;
  return [...others, { id, description: oneLine(event.description, SHOWN_CHARS), startedMs, doing: null }];
}

/** What an event is about, in one line; "" when its type and phase say it all. */
function glimpse(event: Event): string {
  const line = (text: string): string => oneLine(text, SHOWN_CHARS);
  switch (event.type) {
    case "text":
      return line(event.text);
    case "toolCall":
      return line(`${event.name} ${callSubject(event.input)}`);
    case "system":
    case "error":
      return line(event.message);
    case "step":
      return line(event.name);
    case "ask":
      return line(event.question);
    case "retry":
      return line(event.reason);
    case "task":
      return line(event.description);
    default:
      return "";
  }
}
