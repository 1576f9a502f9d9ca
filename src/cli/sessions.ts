import { chooseLocale, type Locale } from "../core/locale.ts";
import { stepDisplayName } from "../documents/names.ts";
import { openTranscripts } from "../runtime/read-transcripts.ts";
import { readRun } from "../runtime/read-run.ts";
import { foldSessions, type SessionSummary } from "../runtime/sessions.ts";
import { EXIT } from "./exit.ts";
import { clockText, costText, tokensText, windowText } from "./figures.ts";
import { runPlace, type ViewOptions } from "./run-view-place.ts";
import { printJson, printResult, sayProblems, tableLines } from "./run-view-print.ts";
import { stateText } from "./state-texts.ts";
import { SESSIONS_TEXTS } from "./sessions-texts.ts";

/** Columns with figures: size, context, cost. */
const FIGURES = [3, 4, 5];

/**
 * `flower sessions`: all sessions of a run directory, the one used last at the end. Nothing is changed.
 * @throws FlowerError `store` or `format` when the database cannot be read.
 */
export async function sessions(options: ViewOptions): Promise<number> {
  const { workspace, runDir } = runPlace(options);
  const locale = chooseLocale(options.lang, process.env);
  const { rows, problems } = readRun(runDir);
  const store = openTranscripts({ workspace, runDir });
  const found = foldSessions(rows, store?.sizes());
  store?.close();
  if (options.json) printJson({ workspace, runDir, sessions: found, problems });
  else {
    sayProblems(problems, locale);
    printResult(sessionLines(found, locale).join("\n"));
  }
  return EXIT.done;
}

/** The list as text; what no book knows is a dash. */
export function sessionLines(found: readonly SessionSummary[], locale: Locale): string[] {
  const texts = SESSIONS_TEXTS[locale];
  if (found.length === 0) return [texts.none];
  const { step, status, begun, size, context, cost, session } = texts;
  const rows = found.map((each) => [
    each.step === null ? "-" : stepDisplayName(each.step, locale),
    each.status === null ? "-" : stateText(each.status, locale),
    each.startedAt === null ? "-" : clockText(Date.parse(each.startedAt)),
    bytesText(each.bytes),
    each.context === null
      ? "-"
      : `${tokensText(each.context)}/${each.window === null ? "-" : windowText(each.window)}`,
    each.costUsd === null ? "-" : costText(each.costUsd),
    each.sessionId,
  ]);
  return tableLines([[step, status, begun, size, context, cost, session], ...rows], FIGURES);
}

function bytesText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
