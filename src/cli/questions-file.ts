import { join } from "node:path";
import type { Locale } from "../core/locale.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** Where exchanges are noted: in the file of an earlier run, whatever language it was in; else in one of this language. */
export function questionsFile(bench: Workbench, locale: Locale): string {
  const found = bench.readDocument(documentFileCandidates("questions", locale));
  return found?.path ?? join(bench.paths.notes, documentFileName("questions", locale));
}
