import { join } from "node:path";
import type { Locale } from "../core/locale.ts";
import { redactDeep } from "../context/redact.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import type { Exchange } from "../human/channel.ts";
import { appendExchange } from "../human/exchange-log.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** Where exchanges are noted: in the file of an earlier run, whatever language it was in; else in one of this language. */
export function questionsFile(bench: Workbench, locale: Locale): string {
  const found = bench.readDocument(documentFileCandidates("questions", locale));
  return found?.path ?? join(bench.paths.notes, documentFileName("questions", locale));
}

/**
 * Notes each exchange there, without secrets.
 * @param redaction takes them out; asked for each exchange, as the file is: `--new` moves that of an earlier run away.
 */
export function logQuestions(
  bench: () => Workbench,
  locale: Locale,
  redaction: () => (text: string) => string,
): (exchange: Exchange) => void {
  return (exchange) =>
    appendExchange(questionsFile(bench(), locale), redactDeep(exchange, redaction()), locale);
}
