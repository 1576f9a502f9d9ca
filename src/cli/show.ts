import { join } from "node:path";
import { FlowerError } from "../core/errors.ts";
import { chooseLocale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { readRun } from "../runtime/read-run.ts";
import { EXIT } from "./exit.ts";
import { durationText } from "./figures.ts";
import { documentPlace, type ViewOptions } from "./run-view-place.ts";
import { printJson, printResult, sayProblems, tableLines } from "./run-view-print.ts";
import { RUN_VIEW_TEXTS } from "./run-view-texts.ts";
import { findDocuments, SHOWN, type FoundDocument, type Shown } from "./show-find.ts";
import { SHOW_TEXTS } from "./show-texts.ts";

/**
 * `flower show`: a document of the workbench, or which ones there are. Nothing is changed.
 * @throws FlowerError `workspace` when there is no such document, or no workspace.
 */
export async function show(kind: Shown | undefined, options: ViewOptions): Promise<number> {
  const { runDir, workbench } = documentPlace(options);
  const locale = chooseLocale(options.lang, process.env);
  const books = readRun(runDir);
  // All other documents are files of their own.
  const { rows, problems } = kind === undefined || kind === "verdict" ? books : { ...books, problems: [] };
  const places = { workbench, rows, locale, manifestPath: join(runDir, "manifest.json") };
  const found = (kind === undefined ? SHOWN : [kind]).flatMap((each) => findDocuments(each, places));
  if (!options.json) sayProblems(problems, locale);
  if (kind === undefined) {
    const age = (ms: number): string =>
      RUN_VIEW_TEXTS[locale].ago(durationText(Math.max(0, Date.now() - ms)));
    const rowsOf = found.map(({ kind: name, path, modifiedMs }) => [name, path, age(modifiedMs)]);
    if (options.json) printJson({ documents: found.map(described), problems });
    else
      printResult(
        found.length === 0 ? SHOW_TEXTS[locale].none(workbench.notes) : tableLines(rowsOf, []).join("\n"),
      );
    return EXIT.done;
  }
  const [newest] = found;
  if (newest === undefined)
    throw new FlowerError("workspace", `there is no ${kind} in ${places.workbench.root}`, {
      nextStep: "flower show lists the documents that are there; --workspace names another directory",
    });
  if (options.json) printJson({ ...described(newest), text: newest.text, problems });
  else {
    process.stderr.write(`${stripControl(newest.path)}\n\n`);
    printResult(newest.text);
  }
  return EXIT.done;
}

function described({ kind, path, modifiedMs }: FoundDocument): Record<string, unknown> {
  return { kind, path, modified: new Date(modifiedMs).toISOString() };
}
