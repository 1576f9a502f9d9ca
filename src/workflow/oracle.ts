import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import type { Event, EventListener } from "../core/events.ts";
import { realPath } from "../core/files.ts";
import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { documentFileCandidates, handoffFileCandidates, type DocumentKind } from "../documents/names.ts";
import { oracle } from "../roles/roles.ts";
import { DEFAULT_RUN_DIR } from "../runtime/options.ts";
import { Runtime } from "../runtime/runtime.ts";
import { STOP_TEXTS } from "../runtime/stop-texts.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { lastEventsOf, newestEventFile, recentEvents } from "./oracle-events.ts";
import { oraclePrompt, type QuestionAndAnswer } from "./oracle-prompt.ts";

/** Run directory of the oracle's own runtime, below that of the run. */
const ASIDE = "aside";
/** A silent endpoint is given up after this, ms: the next question waits behind it. */
const SILENCE_MS = 120_000;
/** Questions with answers that the next one gets along. */
const REMEMBERED = 3;

/** A side question about a run. */
export interface OracleQuestion {
  /** As the person typed it. */
  question: string;
  workspace: string;
  /** Of the run that is asked about; relative to the workspace. Default `runs`. */
  runDir?: string;
  /** Where the run's documents are; it is only read. Default: no documents are named. */
  workbench?: Workbench | undefined;
  /** What the run did last. Default: the end of its newest event file. */
  events?: readonly Event[];
  /** Language of the answer when the question shows none. Default `en`. */
  locale?: Locale;
  /** Environment to take credentials and settings from. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default: what the environment says, else the harness's default. */
  model?: string;
  /** US dollars for this question. Default 0.50. */
  budgetUsd?: number;
  /** Default 12. */
  maxTurns?: number;
  /** Ends the answer at once, with its processes; a question that waits ends when its turn comes. */
  signal?: AbortSignal;
  /** Hears what the oracle does; nothing of it is an event of the run. */
  onEvent?: EventListener;
}

/** What came of a side question. */
export interface OracleAnswer {
  ok: boolean;
  /** Without control sequences. When not `ok`: why there is no answer, in one line. */
  answer: string;
  /** US dollars, also booked in `aside/manifest.json` and nowhere in the run. */
  costUsd: number;
  /** True when the harness has no price for the model. */
  costIsEstimate: boolean;
}

/** What this process knows of a run directory's oracle. */
interface Aside {
  /** Settles when the question before is done; never rejects. */
  last: Promise<unknown>;
  pairs: QuestionAndAnswer[];
}

const asides = new Map<string, Aside>();

/**
 * Answers a person's question while a run is going on, in a runtime of its own below the run directory (`aside/`, with
 * its own store, books and lock). It reads what is there and writes nothing outside of `aside/`. Each question is a
 * fresh session that gets the last three of this process along. A second question waits for the first.
 * What goes wrong is the outcome (`ok` false) and never thrown.
 */
export async function askOracle(asked: OracleQuestion): Promise<OracleAnswer> {
  const dir = join(realPath(resolve(asked.workspace, asked.runDir ?? DEFAULT_RUN_DIR)), ASIDE);
  const aside = asides.get(dir) ?? { last: Promise.resolve(), pairs: [] };
  asides.set(dir, aside);
  const answer = aside.last.then(async () => {
    try {
      return await answerNow(asked, dir, aside);
    } catch (error) {
      return noAnswer(FlowerError.is(error) ? [error.message, error.nextStep] : [errorText(error)]);
    }
  });
  aside.last = answer;
  return answer;
}

async function answerNow(asked: OracleQuestion, dir: string, aside: Aside): Promise<OracleAnswer> {
  const { question, locale = "en", env, signal, onEvent, model, maxTurns, budgetUsd } = asked;
  if (question.trim() === "") return noAnswer(["the question is empty"]);
  if (signal?.aborted === true) return noAnswer([ENDED]);
  const prompt = promptOf(asked, join(dir, ".."), aside.pairs);
  const runtime = new Runtime({
    workspace: asked.workspace,
    runDir: dir,
    locale,
    // A person waits for the answer: better told soon that there is none.
    resilience: { maxAttempts: 1, waitLimits: false, silenceMs: SILENCE_MS },
    handoff: false,
    ...(env === undefined ? {} : { env }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
  const end = (): void => runtime.interrupt(undefined, { atOnce: true });
  signal?.addEventListener("abort", end, { once: true });
  try {
    const spec = oracle({
      locale,
      ...(model === undefined ? {} : { model }),
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
    });
    const { ok, text, status, error, costUsd, costIsEstimate } = await runtime.run(spec, prompt, {
      lineageStep: null,
    });
    const cost = { costUsd, costIsEstimate };
    if (status === "interrupted") return { ...noAnswer([ENDED]), ...cost };
    const answer = stripControl(text).trim();
    if (!ok || answer === "") return { ...noAnswer([whyNone(error, locale)]), ...cost };
    aside.pairs = [...aside.pairs, { question, answer }].slice(-REMEMBERED);
    return { ok: true, answer, ...cost };
  } finally {
    signal?.removeEventListener("abort", end);
    await runtime.close();
  }
}

function whyNone(error: string | undefined, locale: Locale): string {
  // It is asked again, and does not go on.
  if (error === STOP_TEXTS[locale].limitReached)
    return "its turns or its budget were used up before it had an answer";
  return error ?? "the oracle said nothing";
}

const ENDED = "ended before there was an answer";

function noAnswer(why: readonly (string | undefined)[]): OracleAnswer {
  const line = why.filter((part) => part !== undefined).join(": ");
  const answer = stripControl(line).replace(/\s+/g, " ").trim();
  return { ok: false, answer, costUsd: 0, costIsEstimate: false };
}

function promptOf(
  { question, workspace, workbench, events }: OracleQuestion,
  runDir: string,
  earlier: readonly QuestionAndAnswer[],
): string {
  const file = newestEventFile(runDir);
  const last = events ?? (file === undefined ? [] : lastEventsOf(file));
  const notes = workbench?.paths.notes;
  const document = (kind: DocumentKind): string | undefined =>
    notes === undefined ? undefined : newestOf(notes, (name) => documentFileCandidates(kind).includes(name));
  return oraclePrompt({
    question,
    events: recentEvents(last),
    earlier,
    nowMs: Date.now(),
    places: {
      "the workspace": resolve(workspace),
      "all events of the run, one JSON object a line": file,
      "books of the run, one row a step": join(runDir, "manifest.json"),
      "index of the workbench": workbench?.paths.index,
      "the brief": document("brief"),
      "the goal": document("goal"),
      "questions to the person, and answers": document("questions"),
      "the newest handoff": notes === undefined ? undefined : newestOf(notes, isHandoff),
    },
  });
}

/** The name of a step stands between a prefix, by locale, and the ending. */
const HANDOFF_PREFIXES = handoffFileCandidates("x").map((name) => name.slice(0, -"x.md".length));
const isHandoff = (name: string): boolean =>
  name.endsWith(".md") && HANDOFF_PREFIXES.some((prefix) => name.startsWith(prefix));

/** Path of the file that was changed last; undefined when there is none. */
function newestOf(dir: string, isMeant: (name: string) => boolean): string | undefined {
  try {
    return readdirSync(dir)
      .filter(isMeant)
      .map((name) => ({ path: join(dir, name), changedMs: statSync(join(dir, name)).mtimeMs }))
      .sort((a, b) => a.changedMs - b.changedMs)
      .at(-1)?.path;
  } catch {
    // A document that is being replaced, or no notes at all.
    return undefined;
  }
}
