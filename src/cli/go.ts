import { text as wholeText } from "node:stream/consumers";
import { FlowerError } from "../core/errors.ts";
import { leaveBequest } from "../workflow/bequest.ts";
import type { StarterContext } from "../workflow/context.ts";
import { starterFlow } from "../workflow/starter.ts";
import { wakeState } from "../workflow/wake.ts";
import type { WorkflowResult } from "../workflow/workflow.ts";
import { finish } from "./finish.ts";
import { restOf, type LineInput } from "./input.ts";
import { runJob, type JobOverrides } from "./job.ts";
import { endJob, nextCommand, summary } from "./job-end.ts";
import type { JobParts } from "./job-parts.ts";
import type { Ended } from "./json-lines.ts";
import type { GoOptions } from "./program.ts";
import type { Screen } from "./screen.ts";
import { sayPlaces, sayWake } from "./start.ts";
import { newRequest } from "./talk.ts";

/** `flower go`: clarify, goal, work, verdicts; wakes what an earlier run left here. */
export async function go(request: string | undefined, options: GoOptions): Promise<number> {
  return finish(await runGo(request, options), options);
}

/**
 * The same without its last words, for {@link finish}. What goes wrong once the run has begun is in what it returns.
 * @throws FlowerError what was wrong before.
 */
export async function runGo(
  request: string | undefined,
  options: GoOptions,
  overrides: JobOverrides = {},
): Promise<Ended> {
  // All of it would be read as the request anyway; now it can still be refused before anything is put away.
  const said = options.new && !process.stdin.isTTY ? (request ?? (await wholeText(process.stdin))) : request;
  return runJob(said, options, { work, ...(options.goal ? { rounds: options.rounds } : {}), overrides });
}

async function work(request: string | undefined, options: GoOptions, parts: JobParts): Promise<Ended> {
  const { runtime, channel, screen, lines, bench: workbench } = parts;
  const { locale } = runtime.options;
  const woken = wakeState({ lineage: runtime.lineage, workbench, locale }, request);
  if (!woken.fresh) sayWake(woken, runtime.options.runDir, screen);
  sayPlaces(screen, options, workbench);
  // Of a run that was killed before it had a brief, or whose books are gone.
  const isKnown = woken.brief !== undefined || woken.request !== undefined;
  const asked = isKnown
    ? (woken.request ?? "")
    : (request ?? (await parts.asking(async () => askRequest(screen, lines))));
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
  /** Words that came too late for the flow are kept first: the session that is asked could not act on them. */
  const leave = async (ended?: WorkflowResult): Promise<void> => {
    if (!options.bequest) return;
    await runtime.keepWords();
    await leaveBequest(starter, context, { flow, ended });
  };
  const result = await flow.run(runtime, context).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  await leave(result);
  await runtime.keepWords();
  if (!options.json) summary(parts, context.verdicts);
  const next = nextCommand({ by: "go", begin: "flower" }, options, runtime);
  return endJob(result, { ...parts, json: options.json, next });
}

/** A line at a terminal; all there is from a pipe or a file, where a request may have many lines. */
async function askRequest(screen: Screen, lines: LineInput): Promise<string> {
  let line = "";
  for (let said: string | undefined = ""; line === "" && said !== undefined;) {
    if (process.stdin.isTTY) screen.say(screen.texts.request);
    said = process.stdin.isTTY ? await lines.next() : await restOf(lines);
    line = (newRequest(said ?? "") ?? said ?? "").trim();
    // At a terminal an Enter too much is no request, and no reason to leave.
    if (!process.stdin.isTTY) break;
  }
  if (line === "")
    throw new FlowerError("usage", "no request", {
      nextStep: 'say what should be made: flower "make me a …"',
    });
  return line;
}
