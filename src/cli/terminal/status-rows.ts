import stringWidth from "string-width";
import { stripControl } from "../../core/terminal-text.ts";
import { clockText, costText, durationText, tokensText, windowText } from "../figures.ts";
import type { AgentAtWork, Doing, Status, Waiting } from "./status.ts";
import type { TerminalTexts } from "./texts.ts";

/** How a row stands out. */
export type Tone = "rule" | "plain" | "quiet" | "warn" | "ask";

/** A row of the status area, no wider than the terminal. */
export interface StatusRow {
  readonly text: string;
  readonly tone: Tone;
}

/** What the rows are made for. */
export interface RowOptions {
  columns: number;
  /** Rows at most; agents beyond are counted. */
  rows: number;
  nowMs: number;
  texts: TerminalTexts;
  /** Rounds of work at most, for `round 2/3`. */
  rounds?: number;
  budgetUsd?: number;
}

/** From this width on, names and figures share a row. */
const WIDE_COLUMNS = 60;

/** The status area, from the top: where it is, how full it is, who is at what, and what is waited for. */
export function statusRows(status: Status, options: RowOptions): StatusRow[] {
  const { columns, rows, texts, nowMs } = options;
  const place = placeText(status, options);
  const figures = figuresText(status, options);
  const isIdle = status.waiting !== undefined && status.waiting.why !== "question";
  const above: StatusRow[] = [
    { text: "-".repeat(columns), tone: "rule" },
    ...(columns >= WIDE_COLUMNS ? [plain(apart(place, figures, columns))] : [plain(place), plain(figures)]),
    { text: gaugeText(status, options), tone: "quiet" },
    ...(isIdle ? [] : [plain(apart(`> ${mainText(status, texts)}`, since(status.main, nowMs), columns))]),
  ];
  const below = status.waiting === undefined ? [] : [waitingRow(status.waiting, options)];
  const agents = agentRows([...status.agents.values()], rows - above.length - below.length, options);
  // What is waited for goes before all else where there is no room.
  const room = Math.max(0, rows - below.length);
  return [...[...above, ...agents].slice(0, room), ...below].map(({ text, tone }) => ({
    text: cut(text, columns),
    tone,
  }));
}

/** Those that have no room are counted. */
function agentRows(
  agents: readonly AgentAtWork[],
  room: number,
  { columns, texts, nowMs }: RowOptions,
): StatusRow[] {
  const shown = agents.length <= room ? agents : agents.slice(0, Math.max(0, room - 1));
  return [
    ...shown.map(({ description, doing, startedMs }) =>
      plain(
        apart(
          `  * ${description}${doing.what === "" ? "" : `: ${doing.what}`}`,
          durationText(nowMs - startedMs),
          columns,
        ),
      ),
    ),
    ...(agents.length > shown.length ? [plain(`  * ${texts.more(agents.length - shown.length)}`)] : []),
  ];
}

const plain = (text: string): StatusRow => ({ text, tone: "plain" });

function placeText({ step }: Status, { texts, rounds }: RowOptions): string {
  if (step === undefined) return texts.startsSoon;
  const round = Number(/#(?:round)?(\d+)$/.exec(step.id)?.[1] ?? (step.id === "work" ? 1 : Number.NaN));
  const isRound = !Number.isNaN(round) && rounds !== undefined;
  return [
    isRound ? step.name.replace(/#[^#]*$/, "") : step.name,
    ...(step.index === undefined ? [] : [texts.step(`${step.index}/${step.total ?? "?"}`)]),
    ...(isRound ? [texts.round(round, rounds)] : []),
  ].join(" · ");
}

function figuresText(
  { endedUsd, stepUsd, costIsEstimate, startedMs }: Status,
  { nowMs, budgetUsd, texts }: RowOptions,
): string {
  const cost = costText(endedUsd + stepUsd, costIsEstimate);
  return [
    durationText(nowMs - startedMs),
    budgetUsd === undefined ? cost : `${cost} ${texts.of(costText(budgetUsd))}`,
  ].join(" · ");
}

/** `context [####--|-] 96.0K/200K · handoff at 150K`. */
function gaugeText({ context, window, at }: Status, { columns, texts }: RowOptions): string {
  // Known with the first reply.
  if (window === 0) return `${texts.context} -`;
  const level = `${tokensText(context)}/${windowText(window)}`;
  const line = at === null || columns < WIDE_COLUMNS ? "" : ` · ${texts.handoffAt(tokensText(at))}`;
  const room = Math.min(40, columns - stringWidth(`${texts.context} [] ${level}${line}`));
  if (room < 5) return `${texts.context} ${level}`;
  return `${texts.context} [${bar(context / window, at === null ? undefined : at / window, room)}] ${level}${line}`;
}

/** `####--|-`: how much is used, and where the line is. */
function bar(used: number, line: number | undefined, cells: number): string {
  const filled = Math.min(cells, Math.round(used * cells));
  const mark = line === undefined ? -1 : Math.min(cells - 1, Math.floor(line * cells));
  return Array.from({ length: cells }, (_, i) => (i === mark ? "|" : i < filled ? "#" : "-")).join("");
}

function mainText({ main, isWritingHandoff, step }: Status, texts: TerminalTexts): string {
  if (isWritingHandoff) return texts.writingHandoff;
  if (main.what !== "") return main.what;
  return step === undefined ? texts.startsSoon : texts.thinking;
}

const since = ({ sinceMs }: Doing, nowMs: number): string => durationText(nowMs - sinceMs);

function waitingRow(waiting: Waiting, { texts, nowMs }: RowOptions): StatusRow {
  const left = (untilMs: number): string => durationText(Math.max(0, untilMs - nowMs));
  switch (waiting.why) {
    case "fault": {
      const { attempt, maxAttempts, untilMs } = waiting;
      return { text: `~ ${texts.fault(attempt, maxAttempts, left(untilMs))}`, tone: "warn" };
    }
    case "limit": {
      const { untilMs } = waiting;
      return { text: `~ ${texts.limit(clockText(untilMs, nowMs), left(untilMs))}`, tone: "warn" };
    }
    case "question": {
      const { untilMs } = waiting;
      return {
        text: `? ${untilMs === null ? texts.questionForever : texts.question(left(untilMs))}`,
        tone: "ask",
      };
    }
    case "review":
      return { text: `? ${texts.review}`, tone: "ask" };
  }
}

/** The left text, shortened, and the right one at the edge. */
function apart(left: string, right: string, columns: number): string {
  const room = columns - stringWidth(right) - 1;
  if (room < 8) return left;
  const flat = cut(left, room);
  return flat + " ".repeat(columns - stringWidth(flat) - stringWidth(right)) + right;
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Longer than any row: a megabyte from a tool is not measured to its end. */
const LOOKED_AT_CHARS = 1_000;

/** One line of at most so many columns; what is left out is marked. */
export function cut(text: string, columns: number): string {
  const flat = stripControl(text.slice(0, LOOKED_AT_CHARS)).replace(/\s/g, " ");
  if (stringWidth(flat) <= columns) return flat;
  let kept = "";
  let width = 0;
  for (const { segment } of CHARACTERS.segment(flat)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}~`;
}
