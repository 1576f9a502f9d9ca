import type { Event } from "../core/events.ts";
import { oneLine, stripControl } from "../core/terminal-text.ts";
import { clockText, costText, durationText, tokensText, windowText } from "./figures.ts";
import type { Texts } from "./texts.ts";

/** Columns of a step rule and of a tool line. */
const RULE_COLUMNS = 72;
const LINE_CHARS = 140;
/** Of a subagent's name in front of its lines. */
const AGENT_CHARS = 60;
/** Of a line that a model wrote. */
const TEXT_LINE_CHARS = 2_000;

/** What the lines need to know from before. */
export interface LineState {
  startedMs: number;
  /** Agent types by agent id, for the mark in front of a subagent's lines. */
  agents: Map<string, string>;
  /** Context level that was last shown, so that the gauge is not repeated without news. */
  shownContext: number | undefined;
  verbose: boolean;
  /** The level is always in sight, so no line says it. */
  hasGauge: boolean;
}

/** A fresh state. */
export function lineState(startedMs: number, verbose: boolean): LineState {
  return { startedMs, agents: new Map(), shownContext: undefined, verbose, hasGauge: false };
}

/** One event as plain lines, in ASCII marks; none when there is nothing to say. Everything is made safe to print. */
export function eventLines(event: Event, state: LineState, texts: Texts): string[] {
  // Once more, at the one way out: a name or a path may come from a model as well.
  return linesOf(event, state, texts).map(indented);
}

/** Safe to print, further lines below the first: what stands at the edge would look like flower's own words. */
export function indented(text: string): string {
  return stripControl(text).replaceAll("\n", "\n    ");
}

function linesOf(event: Event, state: LineState, texts: Texts): string[] {
  const who = event.agentId === undefined ? "" : `[${state.agents.get(event.agentId) ?? texts.agent}] `;
  const indent = event.agentId === undefined ? "  " : "    ";
  switch (event.type) {
    case "step":
      return stepLines(event, texts);
    case "text":
      return event.agentId !== undefined && !state.verbose
        ? []
        : stripControl(event.text)
            .split("\n")
            .map((line) => `${indent}${who}${bounded(line)}`);
    case "thinking":
    case "prompt":
    case "result":
      return [];
    case "toolCall": {
      return [`${indent}* ${who}${event.name} ${short(callSubject(event.input))}`];
    }
    case "toolResult":
      if (event.denied) return [`${indent}! ${who}${texts.refused}: ${short(event.text)}`];
      if (event.isError) return [`${indent}x ${who}${event.name}: ${short(event.text)}`];
      return spillLine(event.text).map((line) => `${indent}= ${who}${line}`);
    case "task":
      if (event.phase === "started") {
        state.agents.set(event.taskId, short(event.description, AGENT_CHARS));
        return [];
      }
      return event.phase === "progress" || event.phase === "done"
        ? []
        : [
            `${indent}! ${who}${texts.agentEnded(texts.agentPhase[event.phase])}: ${short(event.description)}`,
          ];
    case "error":
      // What ends the step is said by whoever ran it, once and with what to do.
      if (event.kind === "fatal") return [];
      return [`  x ${texts.error}: ${short(event.message)}`];
    case "system":
      return [`  ! ${event.level === "info" ? "" : `${texts.warning}: `}${short(event.message, 400)}`];
    case "retry":
      if (event.untilMs !== undefined)
        return [`  ~ ${texts.limit(clockText(event.untilMs), durationText(event.waitMs))}`];
      return [`  ~ ${texts.retry(event.attempt, event.maxAttempts, Math.ceil(event.waitMs / 1_000))}`];
    case "ask":
      return askLines(event, texts);
    case "handoff":
      return handoffLinesOf(event, state, texts);
    case "usage":
      return usageLines(event, state, texts);
    case "reset":
      return [];
    case "unknown":
      return state.verbose ? [`  ? ${texts.unknown(short(event.messageType))}`] : [];
  }
}

function stepLines(event: Extract<Event, { type: "step" }>, texts: Texts): string[] {
  const name = stripControl(event.name);
  switch (event.phase) {
    case "started": {
      const place = event.index === undefined ? "" : ` ${event.index}/${event.total ?? "?"}`;
      return [
        "",
        `-- ${name}${place} ${"-".repeat(Math.max(3, RULE_COLUMNS - name.length - place.length - 4))}`,
      ];
    }
    case "skipped":
      return ["", `-- ${name}: ${texts.skipped}${event.note === undefined ? "" : ` (${short(event.note)})`}`];
    default: {
      const turns = event.numTurns ?? 0;
      const said = { done: texts.done, failed: texts.failed, interrupted: texts.interrupted }[event.phase](
        turns,
      );
      const figures = [said, costText(event.costUsd ?? 0), durationText(event.durationMs ?? 0)].join(" · ");
      return [`${event.phase === "done" ? "+" : "x"} ${figures}`];
    }
  }
}

function askLines(event: Extract<Event, { type: "ask" }>, texts: Texts): string[] {
  switch (event.phase) {
    case "asked":
      return [
        `  ? ${event.question}`,
        ...event.options.map((option, i) => `    ${i + 1}) ${option}`),
        ...(event.timeoutMs === null || event.timeoutMs > 0
          ? [`    (${event.permission === true ? texts.permissionHint : texts.answerHint})`]
          : []),
      ];
    case "answered":
      return [`  > ${event.answer ?? ""}`];
    case "skipped":
    case "timeout":
    case "quota":
    case "nobody":
      return [
        `  > ${event.permission === true ? texts.refused : texts.nobody} (${texts.unanswered[event.phase]})`,
      ];
  }
}

function handoffLinesOf(
  event: Extract<Event, { type: "handoff" }>,
  state: LineState,
  texts: Texts,
): string[] {
  const level = `# ${texts.context(tokensText(event.context), windowText(event.window))}`;
  switch (event.phase) {
    case "near":
      // The gauge has just said it.
      if (event.context === state.shownContext) return [];
      return [`${level} · ${texts.toHandoff(tokensText(Math.max(0, event.at - event.context)))}`];
    case "writing":
      return [`${level} -- ${texts.writingHandoff}`];
    case "done": {
      const { sections } = event;
      const rows =
        sections === undefined
          ? []
          : ([
              [texts.doing, sections.doing],
              [texts.decided, sections.decided],
              [texts.deadEnds, sections.deadEnds],
              [texts.next, sections.next],
            ] as const);
      return [
        ...rows.map(([name, line]) => `  - ${name.padEnd(15)} ${short(line)}`),
        ...(event.degraded === true ? [`  ! ${texts.degraded}`] : []),
        `<- ${typeof event.path === "string" ? texts.handoffAt(event.path) : texts.handoffNowhere}`,
        `<- ${texts.takesOver(tokensText(event.context))}`,
      ];
    }
  }
}

function usageLines(event: Extract<Event, { type: "usage" }>, state: LineState, texts: Texts): string[] {
  if (state.hasGauge || event.context === 0 || event.context === state.shownContext) return [];
  state.shownContext = event.context;
  const parts = [
    texts.context(tokensText(event.context), windowText(event.window)),
    ...(event.at === null ? [] : [texts.toHandoff(tokensText(Math.max(0, event.at - event.context)))]),
    costText(event.costUsd, event.costIsEstimate),
    durationText(event.timeMs - state.startedMs),
  ];
  return [`# ${parts.join(" · ")}`];
}

/** The one field of a tool call that says what it is about. */
export function callSubject(input: Readonly<Record<string, unknown>>): string {
  const type = input["subagent_type"];
  for (const name of ["description", "command", "file_path", "pattern", "question", "query", "url", "path"]) {
    const value = input[name];
    if (typeof value === "string") return typeof type === "string" ? `${type}: ${value}` : value;
  }
  return "";
}

/** The pointer of a spilled result, which a person may want to follow. */
function spillLine(text: string): string[] {
  const pointer = text.split("\n").find((line) => line.includes("/spill/"));
  return pointer === undefined ? [] : [short(pointer, 200)];
}

/** A line of a megabyte would fill the screen a hundred times over; the event file has it whole. */
function bounded(line: string): string {
  const rest = line.length - TEXT_LINE_CHARS;
  return rest <= 0 ? line : `${line.slice(0, TEXT_LINE_CHARS)}… (+${rest})`;
}

function short(text: string, maxChars = LINE_CHARS): string {
  return oneLine(text, maxChars);
}
