import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { eventLine, type EventLine, type EventLineListener } from "../core/event-line.ts";
import type { EventDraft, EventListener } from "../core/events.ts";
import { makePrivateDir, PRIVATE_FILE_MODE } from "../core/files.ts";

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
  listener: EventLineListener | undefined,
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
  const lineOf = (step: string, draft: EventDraft): EventLine => {
    seq += 1;
    return eventLine(redact({ ...draft, runId, step, timeMs: Date.now() }), seq);
  };
  let failed = false;
  /** A full disk must not stop what the events are about; a store that cannot write does that, with its reason. */
  const write = (line: EventLine): string | undefined => {
    try {
      // Opened with the first event, so that a runtime that never ran leaves no file.
      file ??= openSync(path, "a", PRIVATE_FILE_MODE);
      writeSync(file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      return `${path} cannot be written: ${errorText(error)}`;
    }
    return undefined;
  };
  return {
    path,
    emit(step, draft, own) {
      const line = lineOf(step, draft);
      const problem = write(line);
      tell(listener, line);
      tell(own, line);
      if (problem === undefined || failed) return;
      failed = true;
      tell(listener, lineOf("", { type: "system", level: "warning", message: problem }));
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** A listener may throw, reject or be slow: the run neither waits for it nor fails with it. */
function tell(listener: EventLineListener | undefined, line: EventLine): void {
  if (listener === undefined) return;
  try {
    void Promise.resolve(listener(line)).catch(() => undefined);
  } catch {
    // The listener's own trouble.
  }
}
