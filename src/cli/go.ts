import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { realPath } from "../core/files.ts";
import type { Event } from "../core/events.ts";
import { chooseLocale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { stepDisplayName } from "../documents/names.ts";
import { HEADINGS } from "../documents/wording.ts";
import { HumanChannel } from "../human/channel.ts";
import { appendExchange } from "../human/exchange-log.ts";
import type { Notifier } from "../notify/notifier.ts";
import { Runtime } from "../runtime/runtime.ts";
import { Secrets } from "../runtime/secrets.ts";
import { lastContext } from "../runtime/manifest.ts";
import { DEFAULT_RUN_DIR, type RuntimeOptions } from "../runtime/options.ts";
import { excludeFromGit } from "../workbench/git-exclude.ts";
import { Workbench } from "../workbench/workbench.ts";
import type { StarterContext } from "../workflow/context.ts";
import { starterFlow } from "../workflow/starter.ts";
import { addToBrief, wakeState, type WakeState } from "../workflow/wake.ts";
import { EXIT, exitCodeOf } from "./exit.ts";
import { costText, durationText, tokensText } from "./figures.ts";
import type { LineInput } from "./input.ts";
import { oracleAtTerminal } from "./oracle.ts";
import { configuredTargets, openNotifier } from "./notify.ts";
import { preflight } from "./preflight.ts";
import type { GoOptions } from "./program.ts";
import { questionsFile } from "./questions-file.ts";
import { reviewAtTerminal } from "./review.ts";
import { lineScreen, type Screen } from "./screen.ts";
import { shellWord } from "./shell-word.ts";
import { handleSignals } from "./signals.ts";
import { findCredentials, sayConfiguration, sayPermissions } from "./start.ts";
import { newRequest, sendMessage, takeLines, type TalkParts } from "./talk.ts";
import { openTerminal } from "./terminal/open.ts";

/** What the demo puts in place of a person and an account. */
export interface GoOverrides {
  env?: Readonly<Record<string, string | undefined>>;
  handoff?: RuntimeOptions["handoff"];
  /** Answers a question by itself. */
  answer?: (question: string, options: readonly string[]) => string;
  resilience?: RuntimeOptions["resilience"];
}

/** `flower go`: clarify, goal, work, verdicts; wakes what an earlier run left here. */
export async function go(
  request: string | undefined,
  options: GoOptions,
  overrides: GoOverrides = {},
): Promise<number> {
  const again = newRequest(request ?? "");
  if (again !== undefined) return go(again === "" ? undefined : again, { ...options, new: true }, overrides);
  const env = overrides.env ?? process.env;
  const workspace = resolve(options.workspace);
  const locale = chooseLocale(options.lang, env);
  const screen = lineScreen({
    locale,
    verbose: options.verbose,
    rounds: options.rounds,
    ...(options.budget === undefined ? {} : { budgetUsd: options.budget }),
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
  const bench = Workbench.open({ workspace: realPath(workspace), locale, isolated: options.isolate });

  const channel = new HumanChannel({
    timeoutMs: options.timeout * 1_000,
    quota: options.asks,
    // Looked up each time: `--new` moves the file of an earlier run away.
    log: (exchange) => appendExchange(questionsFile(bench, locale), exchange, locale),
    locale,
    unknownsHeading: HEADINGS.brief.unknowns[locale],
    onProblem: (message) => screen.say(`  ! ${message}`),
  });
  const secrets = new Secrets(credentials, workspace);
  const notifier = openNotifier({
    ...{ targets, locale, workspace: realPath(workspace), env },
    redaction: () => secrets.forDocuments(),
    onProblem: (message) => screen.say(`  ! ${message}`),
  });
  let lines: LineInput | undefined;
  let interruption = new AbortController();
  /** What was said behind `/new`; undefined = it was not said. */
  let anew: string | undefined;
  const runtime = new Runtime({
    workspace,
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
    locale,
    channel,
    env,
    reviewHandoff: async (review) => {
      const seconds = options.reviewHandoff;
      if (seconds !== undefined && lines !== undefined)
        await reviewAtTerminal(review, {
          seconds,
          screen,
          lines,
          message: (text) => sendMessage(text, talking),
          signal: interruption.signal,
        });
    },
    onEvent: (event) => {
      lines?.show(undefined);
      void screen.listener(event);
      notifier.listen(event);
      if (event.type === "retry") lines?.show(waitLeft(event, screen));
      // Said between two steps.
      if (event.type === "step" && event.phase === "started" && anew !== undefined) runtime.interrupt();
      if (event.type !== "ask" || event.phase !== "asked") return;
      if (overrides.answer === undefined) lines?.asked();
      else channel.answer(event.id, overrides.answer(event.question, event.options));
    },
  });
  if (options.new) for (const folder of runtime.startFresh()) screen.say(`  ! ${folder}`);
  const breakIn = (): void => {
    interruption.abort();
    interruption = new AbortController();
  };
  /** `/new` ends this run as an interruption without words does. */
  const startAnew = (request: string): void => {
    anew = request;
    screen.say(`  ! ${screen.texts.startingAnew}`);
    breakIn();
    runtime.interrupt();
  };
  const aside = new AbortController();
  let oracle: Promise<void> = Promise.resolve();
  const talking: TalkParts = {
    channel,
    screen,
    startAnew,
    addToBrief: (words) => {
      try {
        return addToBrief({ workbench: bench, locale }, words) !== undefined;
      } catch (error) {
        screen.say(`  ! ${errorText(error)}`);
        return false;
      }
    },
    askOracle: (question) => {
      const { runDir } = options;
      oracle = oracleAtTerminal({
        ...{ screen, locale, question, workspace, runDir, workbench: bench, env },
        signal: aside.signal,
      });
    },
  };
  const signals = handleSignals(runtime, {
    askWords: async () => {
      breakIn();
      screen.say(`  ! ${screen.texts.interruptPrompt}`);
      const line = await lines?.next();
      const request = newRequest(line ?? "");
      if (request !== undefined) startAnew(request);
      return request === undefined ? line : undefined;
    },
    deaf: () => lines?.lent === true,
  });
  let code: number;
  try {
    keepOutOfGit(workspace, options.runDir, screen);
    lines = await openTerminal({ screen, taker: takeLines(talking), onInterrupt: signals.interrupt, env });
    code = await work(request, options, { runtime, channel, bench, screen, lines, notifier });
  } catch (error) {
    if (exitCodeOf(error) === EXIT.failed)
      notifier.ended({ ok: false, text: errorText(error), run: runtime.runId });
    throw error;
  } finally {
    signals.off();
    aside.abort();
    await oracle;
    lines?.close();
    channel.close();
    await runtime.close();
    await notifier.settle();
  }
  if (anew === undefined) return code;
  return go(anew === "" ? undefined : anew, { ...options, new: true }, overrides);
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

async function work(
  request: string | undefined,
  options: GoOptions,
  parts: {
    runtime: Runtime;
    channel: HumanChannel;
    bench: Workbench;
    screen: Screen;
    lines: LineInput;
    notifier: Notifier;
  },
): Promise<number> {
  const { runtime, channel, screen, lines } = parts;
  const workbench = runtime.workbench ?? parts.bench;
  const { locale } = runtime.options;
  const woken = wakeState({ lineage: runtime.lineage, workbench, locale }, request);
  if (!woken.fresh) screen.say(banner(woken, runtime.options.runDir, screen));
  sayPermissions(screen, options.permissions);
  if (options.isolate) screen.say(screen.texts.isolated(join(workbench.paths.root, "worktrees")));
  // Of a run that was killed before it had a brief, or whose books are gone.
  const isKnown = woken.brief !== undefined || woken.request !== undefined;
  const asked = isKnown ? (woken.request ?? "") : (request ?? (await askRequest(screen, lines)));
  if (!isKnown) runtime.lineage.asked(asked);

  const starter = { host: runtime, workbench, channel, locale };
  const flow = starterFlow(starter, {
    rounds: options.rounds,
    run: options.judgeRun,
    runDir: runtime.options.runDir,
    goal: options.goal,
    clarifyOnly: options.clarifyOnly,
    isolate: options.isolate,
    ...(isKnown && woken.words !== undefined ? { words: woken.words } : {}),
  });
  const context: StarterContext = {
    request: asked,
    verdicts: [],
    ...(woken.brief === undefined ? {} : { brief: woken.brief }),
    ...(woken.goal === undefined ? {} : { goal: woken.goal }),
  };
  const result = await flow.run(runtime, context);
  for (const { text } of channel.undelivered)
    screen.say(`  ! ${screen.texts.notSeen}: ${stripControl(text)}`);
  summary(parts, context);
  const text = result.results.findLast((step) => step.text !== "")?.text;
  if (result.ok) {
    if (text !== undefined) process.stdout.write(`${stripControl(text)}\n`);
    parts.notifier.ended({ ok: true, text: text ?? "", run: runtime.runId });
    return EXIT.done;
  }
  const { step, reason } = result.stopped ?? { step: "", reason: "" };
  const stopped = screen.texts.stopped(stepDisplayName(step, locale), reason);
  screen.say(`flower: ${stripControl(stopped)}`);
  screen.say(`  ${screen.texts.goOn}: ${nextCommand(options, runtime)}`);
  if (result.results.at(-1)?.status === "interrupted") return EXIT.interrupted;
  parts.notifier.ended({ ok: false, text: stopped, run: runtime.runId });
  return EXIT.failed;
}

/** The command that goes on where this run stopped; with a larger budget when that is used up. */
function nextCommand(
  { budget, runDir, isolate, permissions, requireSandbox }: GoOptions,
  runtime: Runtime,
): string {
  return [
    `flower -w ${shellWord(runtime.options.workspace)}`,
    ...(runDir === DEFAULT_RUN_DIR ? [] : [`-r ${shellWord(runDir)}`]),
    ...(isolate ? ["--isolate"] : []),
    ...(permissions === "ask" ? ["--permissions ask"] : []),
    ...(requireSandbox ? ["--require-sandbox"] : []),
    ...(budget !== undefined && runtime.spent().costUsd >= budget ? [`--budget ${2 * budget}`] : []),
  ].join(" ");
}

async function askRequest(screen: Screen, lines: LineInput): Promise<string> {
  screen.say(screen.texts.request);
  const said = (await lines.next())?.trim() ?? "";
  const line = newRequest(said) ?? said;
  if (line === "")
    throw new FlowerError("usage", "no request", {
      nextStep: 'say what should be made: flower "make me a …"',
    });
  return line;
}

function banner({ brief, goal, workSessionId, woke }: WakeState, runDir: string, { texts }: Screen): string {
  const context = workSessionId === undefined ? 0 : lastContext(runDir, workSessionId);
  return [
    `${texts.wake}:`,
    [
      ...(brief === undefined ? [] : [texts.wakeBrief]),
      ...(goal === undefined ? [] : [texts.goal(goal.checks.length)]),
      ...(workSessionId === undefined ? [] : [texts.wakeSession]),
      ...(context === 0 ? [] : [texts.wakeContext(tokensText(context))]),
      texts.wakeCount(woke),
    ].join(" · "),
  ].join(" ");
}

/** Where everything is, and what it cost; the last lines of a run. */
function summary(
  { runtime, screen, bench }: { runtime: Runtime; screen: Screen; bench: Workbench },
  context: StarterContext,
): void {
  const { texts } = screen;
  const total = runtime.spent();
  const last = context.verdicts.at(-1);
  screen.say("");
  if (last !== undefined) screen.say(`${texts.verdict}: ${verdictWord(last.conclusion, screen)}`);
  screen.say(`${texts.total}: ${costText(total.costUsd, total.costIsEstimate)}`);
  screen.say(`${texts.resultIn}: ${runtime.options.workspace}`);
  screen.say(`${texts.documents}: ${bench.paths.notes}`);
  screen.say(`${texts.manifest}: ${runtime.manifestPath}`);
  screen.say(`${texts.events}: ${runtime.eventsPath}`);
}

function verdictWord(conclusion: "achieved" | "notYet" | "unreachable", { texts }: Screen): string {
  return {
    achieved: texts.verdictAchieved,
    notYet: texts.verdictNotYet,
    unreachable: texts.verdictUnreachable,
  }[conclusion];
}
