import { reportWithin } from "./report-frame.ts";
import { isSpillPointer } from "./spill-text.ts";
import { exchangesOf, isRecord, resultText, type Entry, type Exchange } from "./transcript.ts";

/** What a session did, by its transcript; lists are oldest first. */
export interface TranscriptFacts {
  /** Paths as the calls named them, each once, at its last writing. */
  filesWritten: string[];
  /** Calls of subagents; `report` is the report's first line that says something, empty while there is none. */
  dispatches: Array<{ task: string; report: string }>;
  /** What the last to-do list left open. */
  todos: string[];
  /** The last command that failed by itself, and its exit code. */
  lastFailure?: { command: string; exit: string };
}

/** The field that names the file, by tool. */
const WRITERS: Readonly<Record<string, string>> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

/** A call of any thread; `at` is when its thread last said the time. */
interface TimedExchange extends Exchange {
  at: string;
}

/**
 * Reads the facts of a handoff out of a session: the main thread and its subagents, each as it was stored (0.3.332).
 * Refused calls count for nothing. Never throws; what has an unknown shape is left out.
 */
export function factsFromTranscript(
  main: readonly Entry[],
  subagents: ReadonlyArray<readonly Entry[]>,
): TranscriptFacts {
  const inMain = timedExchanges(main);
  const inAll = [inMain, ...subagents.map(timedExchanges)].flat().sort((a, b) => compare(a.at, b.at));
  const lastFailure = inAll.map(failureOf).findLast((failure) => failure !== undefined);
  return {
    filesWritten: filesWritten(inAll),
    dispatches: inMain.flatMap(dispatchOf),
    todos: openTodos(inMain),
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}

/** The time is that of the answer: of two calls at once the one that ended later is the later one. */
function timedExchanges(thread: readonly Entry[]): TimedExchange[] {
  const entries = thread.filter((entry: unknown): entry is Entry => isRecord(entry));
  let last = "";
  return exchangesOf(entries).map((exchange) => {
    const answered = exchange.answer?.entry["timestamp"] ?? entries[exchange.callAt]?.["timestamp"];
    if (typeof answered === "string") last = answered;
    return { ...exchange, at: last };
  });
}

/** ISO times sort as text. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function failed({ answer }: Exchange): boolean {
  return answer?.block["is_error"] === true;
}

function succeeded(exchange: Exchange): boolean {
  return exchange.answer !== undefined && exchange.answer.denial === undefined && !failed(exchange);
}

function filesWritten(exchanges: readonly Exchange[]): string[] {
  const paths = new Set<string>();
  for (const exchange of exchanges.filter(succeeded)) {
    const field = Object.hasOwn(WRITERS, exchange.name) ? WRITERS[exchange.name] : undefined;
    const path = field === undefined ? undefined : exchange.input[field];
    if (typeof path !== "string" || path === "") continue;
    paths.delete(path);
    paths.add(path);
  }
  return [...paths];
}

function dispatchOf({ name, input, answer }: Exchange): TranscriptFacts["dispatches"] {
  if ((name !== "Agent" && name !== "Task") || answer?.denial !== undefined) return [];
  const task = [input["description"], input["prompt"]].find(
    (said): said is string => typeof said === "string" && said.trim() !== "",
  );
  if (task === undefined) return [];
  const report = answer === undefined ? "" : reportLine(resultText(answer.block) ?? "");
  return [{ task: firstLine(task, () => true), report }];
}

/** Lines that only announce what follows: headings, labels, rules, and the pointer of a report that was spilled. */
function announces(line: string): boolean {
  return (
    /^#|^[-=*_]{3,}$|^(\*\*|__)[^*_]+\1\s*[:\uff1a]?$|^[^:\uff1a]{1,40}[:\uff1a]$/.test(line) ||
    isSpillPointer(line)
  );
}

function reportLine(text: string): string {
  const report = reportWithin(text);
  return firstLine(report, (line) => !announces(line)) || firstLine(report, () => true);
}

function firstLine(text: string, wanted: (line: string) => boolean): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  return lines.find((line) => line !== "" && wanted(line)) ?? "";
}

function openTodos(exchanges: readonly Exchange[]): string[] {
  const list = exchanges.findLast((exchange) => exchange.name === "TodoWrite" && succeeded(exchange));
  const todos: unknown = list?.input["todos"];
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo: unknown) => {
    if (!isRecord(todo) || todo["status"] === "completed") return [];
    const content = todo["content"];
    return typeof content === "string" && content.trim() !== "" ? [content.trim()] : [];
  });
}

/** Only a command that ran has an exit code in front of its output (0.3.332); what was refused or stopped has none. */
function failureOf(exchange: Exchange): TranscriptFacts["lastFailure"] {
  const { name, input, answer } = exchange;
  const command = input["command"];
  if (name !== "Bash" || typeof command !== "string" || !failed(exchange) || answer?.denial !== undefined)
    return undefined;
  const exit = /^(?:Error: )?Exit code (\d+)/.exec(answer?.text ?? "")?.[1];
  return exit === undefined ? undefined : { command: command.trim(), exit };
}
