import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import type { Event, EventDraft, EventListener } from "../core/events.ts";
import { makePrivateDir, PRIVATE_FILE_MODE } from "../core/files.ts";

/** Version of a line in `events/<run>.jsonl`. 1: first. */
export const EVENT_LINE_VERSION = 1;

/** Stamps events, writes each as one JSON line (`v`, `seq`, then the event), and tells the listeners. */
export interface EventLog {
  readonly path: string;
  emit(step: string, draft: EventDraft, listener?: EventListener): void;
  close(): void;
}

/** Opens `<runDir>/events/<run>.jsonl`. Secrets are removed before an event goes anywhere. */
export function openEventLog(
  runDir: string,
  runId: string,
  redact: <T>(value: T) => T,
  listener: EventListener | undefined,
): EventLog {
  const dir = join(runDir, "events");
  try {
    makePrivateDir(dir);
  } catch (error) {
    throw new FlowerError("workspace", `the directory ${dir} cannot be made: ${errorText(error)}`, {
      nextStep: "move away what is in its place, or use another --run-dir",
      cause: error,
    });
  }
  const path = join(dir, `${runId}.jsonl`);
  let file: number | undefined;
  let seq = 0;
  let failed = false;
  /** A full disk must not stop what the events are about; a store that cannot write does that, with its reason. */
  const write = (line: string): void => {
    try {
      // Opened with the first event, so that a runtime that never ran leaves no file.
      file ??= openSync(path, "a", PRIVATE_FILE_MODE);
      writeSync(file, line);
    } catch (error) {
      if (failed) return;
      failed = true;
      const message = `${path} cannot be written: ${errorText(error)}`;
      tell(listener, { type: "system", level: "warning", message, runId, step: "", timeMs: Date.now() });
    }
  };
  return {
    path,
    emit(step, draft, own) {
      const event = redact<Event>({ ...draft, runId, step, timeMs: Date.now() });
      seq += 1;
      write(`${JSON.stringify({ v: EVENT_LINE_VERSION, seq, ...event })}\n`);
      tell(listener, event);
      tell(own, event);
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** A listener may throw, reject or be slow: the run neither waits for it nor fails with it. */
function tell(listener: EventListener | undefined, event: Event): void {
  if (listener === undefined) return;
  try {
    void Promise.resolve(listener(event)).catch(() => undefined);
  } catch {
    // The listener's own trouble.
  }
}
