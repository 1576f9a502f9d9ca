import { join } from "node:path";
import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
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
 * Notes each exchange there, without control sequences and secrets.
 * @param redaction takes them out; asked for each exchange, as the file is: `--new` moves that of an earlier run away.
 */
export function logQuestions(
  bench: () => Workbench,
  locale: Locale,
  redaction: () => (text: string) => string,
): (exchange: Exchange) => void {
  return (said) => {
    // The file is read in terminals, too, and a secret is whole only without what splits it.
    const exchange = redactDeep(said, stripControl);
    appendExchange(questionsFile(bench(), locale), redactDeep(exchange, redaction()), locale);
  };
}
