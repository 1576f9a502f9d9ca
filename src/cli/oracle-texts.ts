import type { Locale } from "../core/locale.ts";

/** What is said around a side question. */
export interface OracleTexts {
  /** Said at once: an answer takes a while. */
  looking: string;
  /** Behind the answer; `cost` as `$0.03`. */
  cost(cost: string): string;
  /** Instead of an answer. */
  none(why: string): string;
}

/** By locale. */
export const ORACLE_TEXTS: Readonly<Record<Locale, OracleTexts>> = {
  en: {
    looking: "looking it up; the run goes on and hears nothing of this",
    cost: (cost) => `this answer cost ${cost}`,
    none: (why) => `no answer: ${why}`,
  },
  zh: {
    looking: "正在查看;任务照常进行,不会知道这次提问",
    cost: (cost) => `这次回答花费 ${cost}`,
    none: (why) => `没有回答:${why}`,
  },
  pt: {
    looking: "procurando a resposta; a execução continua e não fica sabendo disto",
    cost: (cost) => `esta resposta custou ${cost}`,
    none: (why) => `sem resposta: ${why}`,
  },
  de: {
    looking: "wird nachgesehen; der Lauf geht weiter und erfährt davon nichts",
    cost: (cost) => `diese Antwort hat ${cost} gekostet`,
    none: (why) => `keine Antwort: ${why}`,
  },
};
