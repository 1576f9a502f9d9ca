import { FlowerError } from "../core/errors.ts";
import type { StarterContext } from "../workflow/context.ts";
import { runFlow } from "../workflow/flow.ts";
import { wakeState } from "../workflow/wake.ts";
import { finish } from "./finish.ts";
import { runJob } from "./job.ts";
import { endJob, nextCommand, summary } from "./job-end.ts";
import type { JobParts } from "./job-parts.ts";
import type { Ended } from "./json-lines.ts";
import { loadFlow, placed, type LoadedFlow } from "./load-workflow.ts";
import type { JobOptions } from "./program.ts";
import { shellWord } from "./shell-word.ts";
import { sayPlaces, sayWake } from "./start.ts";
import { catchStrayErrors, type StrayErrors } from "./stray-errors.ts";

/** `flower run file:export`: somebody's own workflow, under the same roof as the one of `go`. */
export async function run(
  reference: string,
  request: string | undefined,
  options: JobOptions,
): Promise<number> {
  if (request !== undefined && request.trim() === "")
    throw new FlowerError("usage", "the request is empty", {
      nextStep: "leave it out, or say what the workflow is to work on",
    });
  const strays = catchStrayErrors();
  try {
    const loaded = await placing(strays.or(loadFlow(reference, process.cwd())));
    const ended = await runJob(request, options, {
      work: async (said, rules, parts) => work(loaded, said, rules, { ...parts, strays }),
    });
    return finish(ended, options);
  } finally {
    strays.off();
  }
}

async function work(
  { flow, name, reference }: LoadedFlow,
  request: string | undefined,
  options: JobOptions,
  parts: JobParts & { strays: StrayErrors },
): Promise<Ended> {
  const { runtime, channel, screen, bench: workbench } = parts;
  const { lineage } = runtime;
  const { locale, workspace } = runtime.options;
  const woken = wakeState({ lineage, workbench, locale }, request);
  if (!woken.fresh) sayWake(woken, runtime.options.runDir, screen);
  sayPlaces(screen, options, workbench);
  if (woken.request === undefined) lineage.asked(request ?? "");

  // A step that begins only now has to know all of it.
  const all = [lineage.request ?? "", ...lineage.words].filter((text) => text !== "").join("\n\n");
  const context: StarterContext = {
    request: all,
    verdicts: [],
    ...(woken.brief === undefined ? {} : { brief: woken.brief }),
    ...(woken.goal === undefined ? {} : { goal: woken.goal }),
  };
  const given = { request: all, workspace, runtime, workbench, channel, locale };
  const result = await placing(parts.strays.or(runFlow(flow, given, { context, name })));
  // Only now: whoever is killed before says it again.
  if (result.ok) lineage.heard();
  if (!options.json) summary(parts, context.verdicts);
  const next = nextCommand({ by: "run", begin: `flower run ${shellWord(reference)}` }, options, runtime);
  return endJob(result, { ...parts, json: options.json, next });
}

/** What is thrown says where in somebody else's code it came from. */
async function placing<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw placed(error);
  });
}
