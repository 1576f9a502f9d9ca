import { transcriptText } from "../context/transcript-text.ts";
import { FlowerError } from "../core/errors.ts";
import { chooseLocale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { stepDisplayName } from "../documents/names.ts";
import { openTranscripts, type Transcripts } from "../runtime/read-transcripts.ts";
import { readRun } from "../runtime/read-run.ts";
import { foldSessions } from "../runtime/sessions.ts";
import { EXIT } from "./exit.ts";
import { LOG_TEXTS } from "./log-texts.ts";
import { lastWorkSession, pickId, tailOf } from "./log-view.ts";
import { runPlace, type ViewOptions } from "./run-view-place.ts";
import { printJson, printResult, sayProblems } from "./run-view-print.ts";

/** Options of `flower log`. */
export interface LogOptions extends ViewOptions {
  /** A subagent's id instead of the main thread, or what it begins with. */
  agent?: string;
  /** Of what was said and called, the last so many; undefined = all. */
  tail?: number;
}

/**
 * `flower log`: a session's transcript to read, also of a running one. Nothing is changed.
 * @param wanted a session id or what it begins with; undefined = the last work session.
 * @throws FlowerError `workspace` for an id that nobody knows, and when there is no session; `store` or `format` when
 * the database cannot be read.
 */
export async function log(wanted: string | undefined, options: LogOptions): Promise<number> {
  const place = runPlace(options);
  const { rows, lineage, problems } = readRun(place.runDir);
  const store = openTranscripts(place);
  if (store === undefined) throw nothingIn(place.runDir);
  try {
    const sessions = foldSessions(rows, store.sizes());
    const ids = sessions.map(({ sessionId }) => sessionId);
    const sessionId =
      wanted === undefined
        ? lastWorkSession(sessions, lineage)
        : pickId(ids, wanted, { what: "session", nextStep: "flower sessions lists them" });
    if (sessionId === undefined) throw nothingIn(place.runDir);
    const agents = store.agents(sessionId);
    const agentId = options.agent === undefined ? undefined : agentOf(agents, options.agent, sessionId);
    const step = sessions.find((each) => each.sessionId === sessionId)?.step ?? null;
    const entries = tailOf(store.thread(sessionId, agentId), options.tail);
    if (options.json) printJson({ sessionId, step, agentId: agentId ?? null, agents, entries, problems });
    else {
      const locale = chooseLocale(options.lang, process.env);
      const texts = LOG_TEXTS[locale];
      sayProblems(problems, locale);
      const about = [
        `${texts.session} ${sessionId}`,
        ...(step === null ? [] : [`${texts.step} ${stepDisplayName(step, locale)}`]),
        ...(agentId === undefined ? [] : [`${texts.agent} ${agentId}`]),
        ...(agentId !== undefined || agents.length === 0 ? [] : [`${texts.agents} ${agents.join(" ")}`]),
      ].join(" · ");
      process.stderr.write(`${stripControl(about)}\n\n`);
      const text = transcriptText(entries);
      printResult(text.trim() === "" ? texts.nothing : text);
    }
    return EXIT.done;
  } finally {
    store.close();
  }
}

function agentOf(agents: ReturnType<Transcripts["agents"]>, wanted: string, sessionId: string): string {
  const known = agents.length === 0 ? "has none" : `has ${agents.join(", ")}`;
  return pickId(agents, wanted, { what: "subagent", nextStep: `session ${sessionId} ${known}` });
}

function nothingIn(runDir: string): FlowerError {
  return new FlowerError("workspace", `no session is stored in ${runDir} yet`, {
    nextStep: "flower status says what the run is doing; another run directory is named with --run-dir",
  });
}
