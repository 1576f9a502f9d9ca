import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "../core/events.ts";
import { oneLine } from "../core/terminal-text.ts";
import { eventInLine } from "../runtime/read-events.ts";

/** Lines of what happened last that an oracle is given. */
const LINES = 60;
/** Characters of one of them. */
const LINE_CHARS = 240;
/** As much of an event file's end is read, bytes; one event may hold a long text. */
const TAIL_BYTES = 2 ** 20;

/**
 * What happened last, oldest first, each event as one short line with its time (UTC). Of the gauge only the last
 * reading is kept: it comes with every batch.
 * @param limit lines at most. Default 60.
 */
export function recentEvents(events: readonly Event[], limit = LINES): string[] {
  const gauge = events.findLast((event) => event.type === "usage");
  const shown: string[] = [];
  for (let i = events.length - 1; i >= 0 && shown.length < limit; i -= 1) {
    const event = events[i];
    if (event === undefined || (event.type === "usage" && event !== gauge)) continue;
    const said = whatHappened(event);
    if (said === undefined) continue;
    const who = event.agentId === undefined ? event.step : `${event.step}/agent ${event.agentId}`;
    shown.unshift(
      oneLine(
        `${new Date(event.timeMs).toISOString().slice(11, 19)} ${who === "" ? "run" : who}: ${said}`,
        LINE_CHARS,
      ),
    );
  }
  return shown;
}

/** One event in words; undefined when it tells a bystander nothing. */
function whatHappened(event: Event): string | undefined {
  switch (event.type) {
    case "text":
      return `says: ${event.text}`;
    case "thinking":
      return `thinks: ${event.text}`;
    case "prompt":
      return `is told (${event.kind}): ${event.text}`;
    case "toolCall":
      return `calls ${event.name} ${JSON.stringify(event.input)}`;
    case "toolResult": {
      const how = event.denied ? "was refused" : event.isError ? "failed" : "gave";
      return `${event.name} ${how}: ${event.text}`;
    }
    case "result":
      return `the round ended ${event.ok ? "well" : "with a failure"} (${usd(event.costUsd)} so far): ${event.text}`;
    case "error":
      return `error (${event.kind}): ${event.message}`;
    case "reset":
      return `starts over in a new session: ${event.reason}`;
    case "system":
      return `${event.level}: ${event.message}`;
    case "task":
      return `subagent "${event.description}" ${event.phase}`;
    case "unknown":
      return undefined;
    case "ask": {
      const options = event.options.length === 0 ? "" : ` [${event.options.join(" | ")}]`;
      return `question to the person, ${event.phase}: ${event.question}${options}${event.answer === undefined ? "" : ` -> ${event.answer}`}`;
    }
    case "retry":
      return event.untilMs === undefined
        ? `waits ${event.waitMs} ms before try ${event.attempt} of ${event.maxAttempts}: ${event.reason}`
        : `waits until ${new Date(event.untilMs).toISOString()}: ${event.reason}`;
    case "step": {
      const place = event.index === undefined ? "" : ` (${event.index} of ${event.total ?? "?"})`;
      const cost = event.costUsd === undefined ? "" : `, ${usd(event.costUsd)}`;
      return `step ${event.name}${place} ${event.phase}${cost}${event.note === undefined ? "" : `: ${event.note}`}`;
    }
    case "handoff":
      return `handoff ${event.phase} at ${event.context} of ${event.window} tokens${typeof event.path === "string" ? `: ${event.path}` : ""}`;
    case "usage":
      return `context ${event.context} of ${event.window} tokens, handoff ${event.at === null ? "off" : `at ${event.at}`}, this step has cost ${usd(event.costUsd)}`;
  }
}

const usd = (costUsd: number): string => `${costUsd.toFixed(2)} USD`;

/** Path of the event file that was written last; undefined when there is none. */
export function newestEventFile(runDir: string): string | undefined {
  const dir = join(runDir, "events");
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return undefined;
  }
  const written = (name: string): number =>
    statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = names.sort((a, b) => written(a) - written(b) || (a < b ? -1 : 1)).at(-1);
  return newest === undefined ? undefined : join(dir, newest);
}

/**
 * Events at the end of a file that may be written to meanwhile. Lines that are cut, damaged or of a newer version are
 * left out.
 * @throws the file system's error when the file cannot be read.
 */
export function lastEventsOf(path: string): Event[] {
  return readTail(path)
    .split("\n")
    .flatMap((line): Event[] => {
      const found = eventInLine(line);
      return typeof found === "string" ? [] : [found];
    });
}

function readTail(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = statSync(path);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}
