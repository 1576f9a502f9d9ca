import stringWidth from "string-width";
import { stripControl } from "../../core/terminal-text.ts";
import { clockText, costText, durationText, tokensText, windowText } from "../figures.ts";
import type { AgentView, RunView, WaitView } from "../run-view.ts";
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
  /** A handoff document waits for its person. Default false. */
  isReviewing?: boolean;
}

/** From this width on, names and figures share a row. */
const WIDE_COLUMNS = 60;

/** The status area, from the top: where it is, how full it is, who is at what, and what is waited for. */
export function statusRows(view: RunView, options: RowOptions): StatusRow[] {
  const { columns, rows, texts, isReviewing = false } = options;
  const place = placeText(view, options);
  const figures = figuresText(view, options);
  const isIdle = isReviewing || view.wait !== null;
  const above: StatusRow[] = [
    { text: "-".repeat(columns), tone: "rule" },
    ...(columns >= WIDE_COLUMNS ? [plain(apart(place, figures, columns))] : [plain(place), plain(figures)]),
    { text: gaugeText(view, options), tone: "quiet" },
    ...(isIdle ? [] : [plain(apart(`> ${mainText(view, texts)}`, sinceText(view, options), columns))]),
  ];
  // What is waited for goes before all else where there is no room, and a person before an endpoint.
  const below = waitingRows(view, options).slice(-Math.max(1, rows));
  const agents = agentRows(view.agents, rows - above.length - below.length, options);
  const room = Math.max(0, rows - below.length);
  return [...[...above, ...agents].slice(0, room), ...below].map(({ text, tone }) => ({
    text: cut(text, columns),
    tone,
  }));
}

/** Those that have no room are counted. */
function agentRows(
  agents: readonly AgentView[],
  room: number,
  { columns, texts, nowMs }: RowOptions,
): StatusRow[] {
  const shown = agents.length <= room ? agents : agents.slice(0, Math.max(0, room - 1));
  return [
    ...shown.map(({ description, doing, startedMs }) =>
      plain(
        apart(
          `  * ${description}${doing === null ? "" : `: ${doing}`}`,
          durationText(nowMs - startedMs),
          columns,
        ),
      ),
    ),
    ...(agents.length > shown.length ? [plain(`  * ${texts.more(agents.length - shown.length)}`)] : []),
  ];
}

const plain = (text: string): StatusRow => ({ text, tone: "plain" });

function placeText({ step }: RunView, { texts, rounds }: RowOptions): string {
  if (step?.phase !== "started") return texts.startsSoon;
  const round = Number(/#(?:round)?(\d+)$/.exec(step.id)?.[1] ?? (step.id === "work" ? 1 : Number.NaN));
  const isRound = !Number.isNaN(round) && rounds !== undefined;
  return [
    isRound ? step.name.replace(/#[^#]*$/, "") : step.name,
    ...(step.index === null ? [] : [texts.step(`${step.index}/${step.total ?? "?"}`)]),
    ...(isRound ? [texts.round(round, rounds)] : []),
  ].join(" · ");
}

function figuresText(
  { endedUsd, stepUsd, costIsEstimate, startedMs }: RunView,
  { nowMs, budgetUsd, texts }: RowOptions,
): string {
  const cost = costText(endedUsd + stepUsd, costIsEstimate);
  return [
    durationText(nowMs - (startedMs ?? nowMs)),
    budgetUsd === undefined ? cost : `${cost} ${texts.of(costText(budgetUsd))}`,
  ].join(" · ");
}

/** `context [####--|-] 96.0K/200K · handoff at 150K`. */
function gaugeText({ level }: RunView, { columns, texts }: RowOptions): string {
  // Known with the first reply.
  if (level === null) return `${texts.context} -`;
  const { context, window, at } = level;
  const used = `${tokensText(context)}/${windowText(window)}`;
  const line = at === null || columns < WIDE_COLUMNS ? "" : ` · ${texts.handoffAt(tokensText(at))}`;
  const room = Math.min(40, columns - stringWidth(`${texts.context} [] ${used}${line}`));
  if (room < 5) return `${texts.context} ${used}`;
  return `${texts.context} [${bar(context / window, at === null ? undefined : at / window, room)}] ${used}${line}`;
}

/** `####--|-`: how much is used, and where the line is. */
function bar(used: number, line: number | undefined, cells: number): string {
  const filled = Math.min(cells, Math.round(used * cells));
  const mark = line === undefined ? -1 : Math.min(cells - 1, Math.floor(line * cells));
  return Array.from({ length: cells }, (_, i) => (i === mark ? "|" : i < filled ? "#" : "-")).join("");
}

function mainText({ call, writesHandoff, step }: RunView, texts: TerminalTexts): string {
  if (writesHandoff) return texts.writingHandoff;
  return call ?? (step?.phase === "started" ? texts.thinking : texts.startsSoon);
}

const sinceText = ({ callMs }: RunView, { nowMs }: RowOptions): string =>
  durationText(nowMs - (callMs ?? nowMs));

/** What is waited for; the oldest question, as it is the one that a typed line answers. */
function waitingRows({ wait, questions: [question] }: RunView, options: RowOptions): StatusRow[] {
  const { texts, isReviewing = false } = options;
  return [
    ...(wait === null ? [] : [waitRow(wait, options)]),
    ...(isReviewing ? [plainAsk(texts.review)] : []),
    ...(question === undefined ? [] : [askRow(question.untilMs, options)]),
  ];
}

const plainAsk = (text: string): StatusRow => ({ text: `? ${text}`, tone: "ask" });

function askRow(untilMs: number | null, options: RowOptions): StatusRow {
  const ask = plainAsk(options.texts.question);
  return untilMs === null ? ask : { ...ask, text: counted(ask.text, untilMs, options) };
}

function waitRow({ kind, untilMs, attempt, maxAttempts }: WaitView, options: RowOptions): StatusRow {
  const { texts, nowMs } = options;
  const text = kind === "fault" ? texts.fault(attempt, maxAttempts) : texts.limit(clockText(untilMs, nowMs));
  return { text: counted(`~ ${text}`, untilMs, options), tone: "warn" };
}

/** With the time that is left; in a narrow terminal the reason gives way. */
function counted(reason: string, untilMs: number, { texts, nowMs, columns }: RowOptions): string {
  return apart(reason, texts.left(durationText(Math.max(0, untilMs - nowMs))), columns);
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
