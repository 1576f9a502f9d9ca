import { chooseLocale } from "../core/locale.ts";
import { loggedRuns, readEvents } from "../runtime/read-events.ts";
import { readRun, type FileProblem } from "../runtime/read-run.ts";
import { EXIT } from "./exit.ts";
import { runPlace, type ViewOptions } from "./run-view-place.ts";
import { printJson, printResult, sayProblems } from "./run-view-print.ts";
import { statusOf } from "./run-view-status.ts";
import { foldEvents } from "./run-view.ts";
import { statusLines } from "./status-lines.ts";

/** `flower status`: what the run in a directory is doing, or how the last one ended; nothing is changed. */
export async function status(options: ViewOptions): Promise<number> {
  const place = runPlace(options);
  const locale = chooseLocale(options.lang, process.env);
  const { rows, holder, problems } = readRun(place.runDir);
  const run = holder?.run ?? newest([...loggedRuns(place.runDir), ...rows.map((row) => row.run)]);
  const log = readEvents(place.runDir, run ?? "");
  const view = foldEvents(run === undefined ? [] : log.events);
  const { workspace, givenRunDir: runDir, isolated } = place;
  const found = statusOf({ run, rows, holder, view, place: { workspace, runDir, isolated } });
  const all = [...problems, ...skippedLines(log)];
  if (options.json) printJson({ workspace, runDir: place.runDir, ...found, ...view, problems: all });
  else {
    sayProblems(all, locale);
    printResult(statusLines(found, view, { locale, nowMs: Date.now() }).join("\n"));
  }
  return EXIT.done;
}

/** Run ids begin with their time. */
const newest = (runs: readonly string[]): string | undefined => [...runs].sort().at(-1);

/** Lines that could not be read, as problems of their file. */
function skippedLines({ path, skipped }: ReturnType<typeof readEvents>): FileProblem[] {
  return (["damaged", "newer"] as const).flatMap((kind) =>
    skipped[kind] === 0 ? [] : [{ path, kind, detail: `lines left out: ${skipped[kind]}` }],
  );
}
