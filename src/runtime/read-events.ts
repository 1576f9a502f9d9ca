import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EVENT_LINE_VERSION } from "../core/event-line.ts";
import { eventLineSchema } from "../core/event-schema.ts";
import type { Event } from "../core/events.ts";

const CHUNK_BYTES = 1 << 16;
const NEWLINE = 0x0a;
const ENDING = ".jsonl";

const VERSIONED = z.object({ v: z.int() });
/** What every event has. Of a type that only a later version knows, this alone is taken. */
const BASE = VERSIONED.extend({
  type: z.string(),
  runId: z.string(),
  step: z.string(),
  timeMs: z.number(),
  agentId: z.string().exactOptional(),
});

/** The events of a run, and how many lines were none. */
export interface LoggedEvents {
  path: string;
  events: Iterable<Event>;
  /** Filled while `events` is gone through. */
  skipped: { damaged: number; newer: number };
}

/**
 * Ids of the runs that left events, oldest first.
 * @param runDir absolute.
 */
export function loggedRuns(runDir: string): string[] {
  try {
    const names = readdirSync(join(runDir, "events"));
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort();
  } catch {
    return [];
  }
}

/**
 * The events of a run, read as they are gone through, without a lock. A line that is no event, or of a newer version, is
 * left out and counted; the last line, if it is not whole yet, is left out. A file that is not there has none.
 */
export function readEvents(runDir: string, runId: string): LoggedEvents {
  const path = join(runDir, "events", `${runId}${ENDING}`);
  const skipped = { damaged: 0, newer: 0 };
  return { path, skipped, events: eventsIn(path, skipped) };
}

function* eventsIn(path: string, skipped: LoggedEvents["skipped"]): Generator<Event> {
  for (const line of linesOf(path)) {
    const found = eventInLine(line);
    if (typeof found === "string") skipped[found] += 1;
    else yield found;
  }
}

/** The event that a line of an event file is; of a type that only a later version knows, what every event has. */
export function eventInLine(line: string): Event | "damaged" | "newer" {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    return "damaged";
  }
  if ((VERSIONED.safeParse(raw).data?.v ?? 0) > EVENT_LINE_VERSION) return "newer";
  const base = BASE.safeParse(raw);
  if (!base.success) return "damaged";
  const schema = eventLineSchema(base.data.type);
  if (schema === undefined) return base.data as unknown as Event;
  return schema.safeParse(raw).data ?? "damaged";
}

/** Not by `readline`, which also breaks lines at U+2028, and JSON has that inside of strings. */
function* linesOf(path: string): Generator<string> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return;
  }
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let begun: Buffer[] = [];
    for (;;) {
      const bytes = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) return;
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytes; end = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8");
        begun = [];
        from = end + 1;
      }
      begun.push(Buffer.from(chunk.subarray(from, bytes)));
    }
  } finally {
    closeSync(file);
  }
}
