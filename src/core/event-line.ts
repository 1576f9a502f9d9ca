import type { Event } from "./events.ts";

/** Version of a line in `events/<run>.jsonl` and of `--json`; rises when a field changes its meaning or goes. 1: first. */
export const EVENT_LINE_VERSION = 1;

/** What stands in front of the event in its line. */
export interface EventLineHead {
  /** {@link EVENT_LINE_VERSION}. */
  v: number;
  /** From 1, in the order of the run. */
  seq: number;
}

/** An event as it is written, one JSON object a line. */
export type EventLine = EventLineHead & Event;

/** A listener that is also told version and number. */
export type EventLineListener = (line: EventLine) => void | Promise<void>;

/** The last line of `--json`: how the command ended. It belongs to the command, so it is in no event file. */
export interface EndLine {
  /** {@link EVENT_LINE_VERSION}. */
  v: number;
  type: "end";
  /** Epoch milliseconds. */
  timeMs: number;
  /** That of the process. */
  exitCode: number;
  /**
   * `done`; `stopped`: a step or the goal failed, or a bound was reached; `failed`: an error ended it, also before a run
   * began; `interrupted`: by a person or a signal.
   */
  status: "done" | "stopped" | "failed" | "interrupted";
  /** Why it is not done. */
  reason: string | null;
  /** The last words of the run; when it is done, the result that is otherwise printed. */
  text: string | null;
  /** The command that goes on, when it is not done. */
  next: string | null;
  /** Set when the status is `failed`. `code` is one of FlowerErrorCode; null = not foreseen. */
  error: { code: string | null; message: string; nextStep: string | null } | null;
  /** Null when no run began. */
  runId: string | null;
  /** Of the whole run, US dollars. */
  costUsd: number | null;
  /** True when the harness has no price for the model. */
  costIsEstimate: boolean | null;
  /** Of `once`: what `--resume` takes. */
  sessionId: string | null;
  /** Absolute. */
  paths: { workspace: string; documents: string; manifest: string; events: string } | null;
}

/** The line of an event; the one place that decides its form. */
export function eventLine(event: Event, seq: number): EventLine {
  return { v: EVENT_LINE_VERSION, seq, ...event };
}
