import { stripControl } from "../core/terminal-text.ts";
import { stepDisplayName } from "../documents/names.ts";
import type { Verdict } from "../documents/verdict.ts";
import { DEFAULT_RUN_DIR } from "../runtime/options.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { FlowResult } from "../workflow/flow.ts";
import { EXIT } from "./exit.ts";
import { costText } from "./figures.ts";
import type { JobParts } from "./job-parts.ts";
import type { Ended, RunFacts } from "./json-lines.ts";
import type { JobOptions, OnceOptions } from "./program.ts";
import type { Screen } from "./screen.ts";
import { keptOptions } from "./kept-options.ts";
import { shellWord } from "./shell-word.ts";

/** A command that goes on where a run stopped. */
export interface NextCommand {
  command: string;
  /** Options that it should have as well, whose values are not for printing. */
  secret: readonly string[];
}

/**
 * The command that goes on in the same place under the same rules.
 * @param to `by`: the command that this run was; `begin`, `end`: what stands before and behind the options.
 */
export function nextCommand(
  { by, begin, end = [] }: { by: "go" | "run" | "once"; begin: string; end?: readonly string[] },
  options: JobOptions | OnceOptions,
  runtime: Runtime,
): NextCommand {
  const { budget, runDir } = options;
  const isUsedUp = budget !== undefined && runtime.spent().costUsd >= budget;
  const { words, secret } = keptOptions(by, options);
  const command = [
    begin,
    `-w ${shellWord(runtime.options.workspace)}`,
    ...(runDir === DEFAULT_RUN_DIR ? [] : [`-r ${shellWord(runDir)}`]),
    ...words,
    // With the same one that is used up it would stop at once.
    ...(budget === undefined ? [] : [`--budget ${isUsedUp ? 2 * budget : budget}`]),
    ...end,
  ].join(" ");
  return { command, secret };
}

/** Prints it, and what a person has to add. */
export function sayNext({ command, secret }: NextCommand, { say, texts }: Screen): void {
  say(`  ${texts.goOn}: ${command}`);
  if (secret.length > 0) say(`  ! ${texts.notPrinted(secret.join(", "))}`);
}

/** As it stands now: of a step that still runs, what was last heard of its cost. */
export function runFacts(runtime: Runtime, screen: Screen, { paths }: Pick<Workbench, "paths">): RunFacts {
  const { costUsd, costIsEstimate } = runtime.spent();
  const heard = screen.status();
  return {
    runId: runtime.runId,
    costUsd: Math.max(costUsd, heard.endedUsd + heard.stepUsd),
    costIsEstimate: costIsEstimate || heard.costIsEstimate,
    paths: {
      workspace: runtime.options.workspace,
      documents: paths.notes,
      manifest: runtime.manifestPath,
      events: runtime.eventsPath,
    },
  };
}

/**
 * Says how a workflow ended and what goes on from there, and tells it to whoever is notified.
 * @param job `next`: the command that goes on; `json`: the result is in the end line, and not printed here.
 */
export function endJob(result: FlowResult, job: JobParts & { json: boolean; next: NextCommand }): Ended {
  const { runtime, channel, screen, notifier, redact, next } = job;
  const { texts, locale } = screen;
  for (const { text } of channel.undelivered) screen.say(`  ! ${texts.notSeen}: ${stripControl(text)}`);
  const run = runFacts(runtime, screen, job.bench);
  const last = result.text ?? result.results.findLast((step) => step.text !== "")?.text;
  const said = last === undefined ? {} : { text: redact(last) };
  if (result.ok) {
    if (said.text !== undefined && !job.json) screen.result(stripControl(said.text));
    notifier.ended({ ok: true, text: said.text ?? "", run: runtime.runId });
    return { exitCode: EXIT.done, ...said, run };
  }
  const { step, reason } = result.stopped ?? { step: "", reason: "" };
  const stopped = redact(texts.stopped(stepDisplayName(step, locale), reason));
  screen.say(`flower: ${stripControl(stopped)}`);
  sayNext(next, screen);
  const ended = { ...said, reason: stopped, next: next.command, run };
  if (result.results.at(-1)?.status === "interrupted") return { exitCode: EXIT.interrupted, ...ended };
  notifier.ended({ ok: false, text: stopped, run: runtime.runId });
  return { exitCode: EXIT.failed, ...ended };
}

/** Where everything is, and what it cost; the last lines of a run. */
export function summary(
  { runtime, screen, bench }: Pick<JobParts, "runtime" | "screen" | "bench">,
  verdicts: readonly Verdict[],
): void {
  const { texts } = screen;
  const total = runtime.spent();
  const last = verdicts.at(-1);
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
