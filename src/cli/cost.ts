import { join } from "node:path";
import { chooseLocale } from "../core/locale.ts";
import { readRun } from "../runtime/read-run.ts";
import { costLines } from "./cost-lines.ts";
import { EXIT } from "./exit.ts";
import { foldCosts } from "./run-view-costs.ts";
import { runPlace, type ViewOptions } from "./run-view-place.ts";
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
  const aside = besides.rows.length === 0 ? undefined : foldCosts(besides.rows).total;
  const problems = [...books.problems, ...besides.problems];
  if (options.json) printJson({ workspace, runDir, ...costs, aside: aside ?? null, problems });
  else {
    sayProblems(problems, locale);
    printResult(costLines(costs, aside, locale).join("\n"));
  }
  // Books that cannot be read are no answer to what was spent.
  return books.rows.length === 0 && problems.length > 0 ? EXIT.failed : EXIT.done;
}
