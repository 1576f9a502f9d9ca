import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { askOracle, type OracleQuestion } from "../workflow/oracle.ts";
import { costText } from "./figures.ts";
import { ORACLE_TEXTS } from "./oracle-texts.ts";
import type { Screen } from "./screen.ts";

/**
 * The side question in a typed line: what follows a `?`, also a full-width one as Chinese input methods send it, at its
 * beginning. Undefined for other lines, and for a `?` alone.
 */
export function oracleQuestion(line: string): string | undefined {
  const question = /^\s*[?？]([^]*)$/.exec(line)?.[1]?.trim();
  // `??` asks nothing either.
  return question === undefined || /^[?？\s]*$/.test(question) ? undefined : question;
}

/** What {@link oracleAtTerminal} works with. */
export interface TerminalOracle extends OracleQuestion {
  screen: Pick<Screen, "say">;
  locale: Locale;
  /** Asks. Default {@link askOracle}. */
  ask?: typeof askOracle;
}

/** Asks the oracle and shows its answer with what it cost, or in one line why there is none. Never rejects. */
export async function oracleAtTerminal({ screen, ask = askOracle, ...asked }: TerminalOracle): Promise<void> {
  const texts = ORACLE_TEXTS[asked.locale];
  screen.say(`  ? ${stripControl(asked.question)}`);
  screen.say(`  ~ ${texts.looking}`);
  const { ok, answer, costUsd, costIsEstimate } = await ask(asked);
  for (const line of stripControl(ok ? answer : texts.none(answer)).split("\n"))
    screen.say(`  ${ok ? ">" : "!"} ${line}`);
  if (ok || costUsd > 0) screen.say(`  # ${texts.cost(costText(costUsd, costIsEstimate))}`);
}
