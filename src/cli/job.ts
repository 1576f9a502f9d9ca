import { homedir } from "node:os";
import { resolve } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { errorText, FlowerError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { realPath } from "../core/files.ts";
import { chooseLocale } from "../core/locale.ts";
import { HEADINGS } from "../documents/wording.ts";
import { HumanChannel } from "../human/channel.ts";
import type { RuntimeOptions } from "../runtime/options.ts";
import { Runtime } from "../runtime/runtime.ts";
import { Secrets } from "../runtime/secrets.ts";
import { excludeFromGit } from "../workbench/git-exclude.ts";
import { Workbench } from "../workbench/workbench.ts";
import { openConversation } from "./conversation.ts";
import { EXIT, exitCodeOf } from "./exit.ts";
import { durationText } from "./figures.ts";
import type { LineInput } from "./input.ts";
import { runFacts } from "./job-end.ts";
import type { JobParts } from "./job-parts.ts";
import { endedBy, endLine, printLine, type Ended } from "./json-lines.ts";
import { configuredTargets, openNotifier } from "./notify.ts";
import { preflight } from "./preflight.ts";
import type { JobOptions } from "./program.ts";
import { logQuestions } from "./questions-file.ts";
import { forTypist, lineScreen, type Screen } from "./screen.ts";
import { handleSignals } from "./signals.ts";
import { findCredentials, sayConfiguration } from "./start.ts";
import { newRequest, takeLines } from "./talk.ts";
import { openTerminal } from "./terminal/open.ts";
import { TERMINAL_TEXTS } from "./terminal/texts.ts";

/** What the demo puts in place of a person and an account. */
export interface JobOverrides {
  env?: Readonly<Record<string, string | undefined>>;
  handoff?: RuntimeOptions["handoff"];
  /** Answers a question by itself. */
  answer?: (question: string, options: readonly string[]) => string;
  resilience?: RuntimeOptions["resilience"];
}

/** What a job does, and where it differs from another. */
export interface Job<Options extends JobOptions> {
  work(request: string | undefined, options: Options, parts: JobParts): Promise<Ended>;
  /** Rounds of work at most, for the screen. Default: not shown. */
  rounds?: number;
  overrides?: JobOverrides;
  /** What stands in the input line already. Default: nothing. */
  typed?: string;
}

/**
 * Opens the runtime with a screen, a person and signals around it, has the work done, and closes all. `/new` begins it
 * again. What goes wrong once the run has begun is in what it returns.
 * @throws FlowerError what was wrong before.
 */
export async function runJob<Options extends JobOptions>(
  request: string | undefined,
  options: Options,
  job: Job<Options>,
): Promise<Ended> {
  if (request?.trim() === "-") return runJob(await wholeText(process.stdin), options, job);
  const again = newRequest(request ?? "");
  if (again !== undefined) return runJob(again === "" ? undefined : again, { ...options, new: true }, job);
  const { overrides = {} } = job;
  const env = overrides.env ?? process.env;
  const workspace = resolve(options.workspace);
  const locale = chooseLocale(options.lang, env);
  const screen = lineScreen({
    locale,
    verbose: options.verbose,
    ...(job.rounds === undefined ? {} : { rounds: job.rounds }),
    ...(options.budget === undefined ? {} : { budgetUsd: options.budget }),
    ...(options.json ? { shows: forTypist } : {}),
  });
  if (request !== undefined && request.trim() === "")
    throw new FlowerError("usage", "the request is empty", {
      nextStep: 'say what should be made: flower "make me a …"',
    });
  preflight({ ...options, workspace, env });
  const home = env["HOME"] ?? homedir();
  const targets = configuredTargets(options.notify, { env, home });

  const credentials = await findCredentials({ env, workspace, home }, screen);
  if (options.verbose) sayConfiguration(credentials, options.window, screen);
  // Opened first: it refuses a workspace that is no directory or cannot be written, before anything is moved.
  let bench = Workbench.open({ workspace: realPath(workspace), locale, isolated: options.isolate });
  const secrets = new Secrets(credentials, workspace, env);
  const warn = (message: string): void => screen.say(`  ! ${message}`);

  const channel = new HumanChannel({
    timeoutMs: options.timeout * 1_000,
    quota: options.asks,
    log: logQuestions(
      () => bench,
      locale,
      () => secrets.forDocuments(),
    ),
    locale,
    unknownsHeading: HEADINGS.brief.unknowns[locale],
    onProblem: warn,
  });
  const notifier = openNotifier({
    ...{ targets, locale, workspace: realPath(workspace), env },
    redaction: () => secrets.forDocuments(),
    onProblem: warn,
  });
  let lines: LineInput | undefined;
  const conversation = openConversation({
    ...{ channel, screen },
    bench: () => bench,
    oracle: { workspace, runDir: options.runDir, env },
    // At a terminal somebody is, whatever becomes of the questions.
    isAttended: options.timeout > 0 || process.stdin.isTTY,
    redact: (text) => secrets.forDocuments()(text),
    interrupt: () => runtime.interrupt(),
  });
  const runtime = new Runtime({
    ...runtimeOptions(options, overrides),
    ...{ workspace, locale, channel, env },
    reviewHandoff: async (review) => {
      const { reviewHandoff: seconds } = options;
      if (seconds !== undefined && lines !== undefined) await conversation.review(review, { seconds, lines });
    },
    onEvent: (event) => {
      if (options.json) printLine(event);
      lines?.show(undefined);
      void screen.listener(event);
      notifier.listen(event);
      if (event.type === "retry" && !options.json) lines?.show(waitLeft(event, screen));
      const { anew } = conversation;
      // Said between two steps.
      if (event.type === "step" && event.phase === "started" && anew !== undefined) runtime.interrupt();
      if (event.type !== "ask" || event.phase !== "asked") return;
      if (overrides.answer === undefined) lines?.asked();
      else channel.answer(event.id, overrides.answer(event.question, event.options));
    },
  });
  // Its own, while another run works in the workspace.
  bench = runtime.workbench ?? bench;
  if (options.new) for (const folder of runtime.startFresh()) warn(folder);
  const signals = handleSignals(runtime, {
    askWords: async () => conversation.interruptionWords(lines),
    deaf: () => lines?.lent === true,
    // Nothing runs yet that could be told to do something else.
    idle: () => conversation.isAsking,
    leaving: (exitCode, reason) => {
      if (options.json) printLine(endLine({ exitCode, reason, run: runFacts(runtime, screen, bench) }));
    },
  });
  let ended: Ended;
  let typed = "";
  try {
    keepOutOfGit(workspace, options.runDir, screen);
    lines = await openTerminal({
      ...{ screen, taker: takeLines(conversation.talk), env, plain: options.json, typed: job.typed ?? "" },
      onInterrupt: signals.interrupt,
    });
    const { redact } = secrets;
    const { asking } = conversation;
    ended = await job.work(request, options, {
      ...{ runtime, channel, bench, screen, lines, notifier, redact, asking },
    });
  } catch (error) {
    if (exitCodeOf(error) === EXIT.failed)
      notifier.ended({ ok: false, text: errorText(error), run: runtime.runId });
    ended = endedBy(error, runFacts(runtime, screen, bench));
  } finally {
    signals.off();
    await conversation.close();
    // What is typed while a run ends after `/new` is for the next one.
    if (conversation.anew === undefined) lines?.close();
    channel.close();
    await runtime.close();
    await notifier.settle();
    typed = lines?.typed() ?? "";
    const unused = lines?.unused() ?? 0;
    if (unused > 0) warn(TERMINAL_TEXTS[locale].unusedLines(unused));
    lines?.close();
  }
  const { anew } = conversation;
  if (anew === undefined) return ended;
  return runJob(anew === "" ? undefined : anew, { ...options, new: true }, { ...job, typed });
}

/** What the command line says of a run itself. */
function runtimeOptions(options: JobOptions, overrides: JobOverrides): Omit<RuntimeOptions, "workspace"> {
  return {
    runDir: options.runDir,
    workbench: true,
    isolate: options.isolate,
    permissions: options.permissions,
    sandbox: options.requireSandbox ? "require" : "auto",
    trim: options.trim,
    ...(options.budget === undefined ? {} : { budgetUsd: options.budget }),
    handoff: overrides.handoff ?? {
      enabled: options.handoff,
      ...(options.window === undefined ? {} : { window: options.window }),
    },
    resilience: overrides.resilience ?? { waitLimits: options.waitLimits },
  };
}

/** How long a wait still lasts. */
function waitLeft(
  { waitMs, untilMs = Date.now() + waitMs }: Extract<Event, { type: "retry" }>,
  { texts }: Screen,
): () => string {
  return () => `  ~ ${texts.waitLeft(durationText(Math.max(0, untilMs - Date.now())))} > `;
}

/** A git directory that cannot be written is no reason not to work. */
function keepOutOfGit(workspace: string, runDir: string, screen: Screen): void {
  try {
    excludeFromGit(workspace, [".flower/", `${runDir}/`]);
  } catch (error) {
    screen.say(`  ! ${screen.texts.notExcluded}: ${errorText(error)}`);
  }
}
