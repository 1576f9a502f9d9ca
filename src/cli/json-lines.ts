import { errorText, FlowerError } from "../core/errors.ts";
import { EVENT_LINE_VERSION, type EndLine, type EventLine } from "../core/event-line.ts";
import { EXIT, exitCodeOf } from "./exit.ts";
import { JSON_VERSION, jsonText } from "./run-view-print.ts";

/** What is known of a run that has begun. */
export type RunFacts = Pick<EndLine, "costUsd" | "costIsEstimate" | "paths"> & { runId: string };

/** How a command that lets a model work has ended. */
export interface Ended {
  exitCode: number;
  /** Why it is not done. */
  reason?: string;
  /** The result. */
  text?: string;
  /** The command that goes on. */
  next?: string;
  run?: RunFacts;
  /** Of `once`. */
  sessionId?: string;
  /** What was thrown. */
  error?: unknown;
}

/** Commands whose `--json` is one object about a run; all else on a command line is a request. */
const OTHERS: ReadonlySet<string> = new Set(["status", "cost", "show", "log", "sessions", "setup", "doctor"]);

/** What a command line, also one that cannot be parsed, asks for: an event a line, one object, or no JSON. */
export function wantedJson(argv: readonly string[]): "lines" | "object" | undefined {
  const words = argv.indexOf("--");
  const options = words < 0 ? argv : argv.slice(0, words);
  if (!options.includes("--json")) return undefined;
  return OTHERS.has(options[0] ?? "") ? "object" : "lines";
}

/** Prints one line on standard output, with nothing in it that acts on a terminal. */
export function printLine(line: EventLine | EndLine): void {
  process.stdout.write(`${jsonText(line, 0)}\n`);
}

/** Prints what was thrown in place of the object that a command could not make, in one line. */
export function printError(error: unknown): void {
  process.stdout.write(`${jsonText({ v: JSON_VERSION, error: errorFacts(error) }, 0)}\n`);
}

/** What was thrown, as an end. */
export function endedBy(error: unknown, run?: RunFacts): Ended {
  return { exitCode: exitCodeOf(error), error, ...(run === undefined ? {} : { run }) };
}

/** The last line of `--json`. */
export function endLine({ exitCode, reason, text = "", next, run, sessionId, error }: Ended): EndLine {
  return {
    v: EVENT_LINE_VERSION,
    type: "end",
    timeMs: Date.now(),
    exitCode,
    status: statusOf(exitCode, error),
    reason: reason ?? (error === undefined ? null : errorText(error)),
    text: text === "" ? null : text,
    next: next ?? null,
    error: error === undefined ? null : errorFacts(error),
    runId: run?.runId ?? null,
    costUsd: run?.costUsd ?? null,
    costIsEstimate: run?.costIsEstimate ?? null,
    sessionId: sessionId ?? null,
    paths: run?.paths ?? null,
  };
}

function errorFacts(error: unknown): NonNullable<EndLine["error"]> {
  const { code, nextStep } = FlowerError.is(error) ? error : {};
  return { code: code ?? null, message: errorText(error), nextStep: nextStep ?? null };
}

function statusOf(exitCode: number, error: unknown): EndLine["status"] {
  if (exitCode === EXIT.done) return "done";
  // 128 + the number of a signal.
  if (exitCode > 128) return "interrupted";
  return error === undefined ? "stopped" : "failed";
}
