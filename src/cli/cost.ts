import { join } from "node:path";
import { chooseLocale } from "../core/locale.ts";
import { loggedRuns, readEvents } from "../runtime/read-events.ts";
import { readRun } from "../runtime/read-run.ts";
import { costLines, type CostByEvents } from "./cost-lines.ts";
import { EXIT } from "./exit.ts";
import { foldCosts } from "./run-view-costs.ts";
import { runPlace, type ViewOptions } from "./run-view-place.ts";
import { foldEvents } from "./run-view.ts";
import { printJson, printResult, sayProblems } from "./run-view-print.ts";

/** Where the runtime of questions aside keeps its books. */
const ASIDE = "aside";

/** `flower cost`: what each step and generation of a run directory cost; of all its runs. Nothing is changed. */
export async function cost(options: ViewOptions): Promise<number> {
  const { workspace, runDir } = runPlace(options);
  const locale = chooseLocale(options.lang, process.env);
  const books = readRun(runDir);
  const besides = readRun(join(runDir, ASIDE));
  const costs = foldCosts(books.rows);
  // Books that cannot be read are no answer to what was spent; the events are one, without tokens and generations.
  const isUnreadable = books.problems.some(({ path }) => path === join(runDir, "manifest.json"));
  const byEvents = books.rows.length === 0 && isUnreadable ? costByEvents(runDir) : undefined;
  const aside = besides.rows.length === 0 ? undefined : foldCosts(besides.rows).total;
  const problems = [...books.problems, ...besides.problems];
  if (options.json)
    printJson({ workspace, runDir, ...costs, aside: aside ?? null, byEvents: byEvents ?? null, problems });
  else {
    sayProblems(problems, locale);
    printResult(costLines(costs, { aside, byEvents, locale }).join("\n"));
  }
  return books.rows.length === 0 && problems.length > 0 ? EXIT.failed : EXIT.done;
}

/** What all runs cost that left events. */
function costByEvents(runDir: string): CostByEvents {
  const views = loggedRuns(runDir).map((run) => foldEvents(readEvents(runDir, run).events));
  return {
    costUsd: views.reduce((sum, { endedUsd, stepUsd }) => sum + endedUsd + stepUsd, 0),
    isEstimate: views.some(({ costIsEstimate }) => costIsEstimate),
  };
}
