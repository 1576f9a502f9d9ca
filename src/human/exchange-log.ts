import { appendFileSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateDir, PRIVATE_FILE_MODE } from "../core/files.ts";
import type { Locale } from "../core/locale.ts";
import type { AskOutcome, Fallthrough } from "./outcome.ts";

/** A question and what became of it. */
export interface Exchange {
  question: string;
  options: readonly string[];
  outcome: AskOutcome;
  /** Epoch ms of the outcome. */
  timeMs: number;
}

interface LogWords extends Readonly<Record<Fallthrough, string>> {
  title: string;
  question: string;
  answer: string;
  none: string;
}

const WORDS: Readonly<Record<Locale, LogWords>> = {
  en: {
    title: "Questions and answers",
    question: "Question",
    answer: "Answer",
    none: "No answer",
    timeout: "time is up",
    quota: "no question left",
    skipped: "skipped",
    nobody: "nobody there",
  },
  zh: {
    title: "问答记录",
    question: "问",
    answer: "答",
    none: "没有回答",
    timeout: "超时",
    quota: "提问次数已用完",
    skipped: "已跳过",
    nobody: "无人应答",
  },
  pt: {
    title: "Perguntas e respostas",
    question: "Pergunta",
    answer: "Resposta",
    none: "Sem resposta",
    timeout: "tempo esgotado",
    quota: "não restam perguntas",
    skipped: "ignorada",
    nobody: "ninguém presente",
  },
  de: {
    title: "Fragen und Antworten",
    question: "Frage",
    answer: "Antwort",
    none: "Keine Antwort",
    timeout: "Zeit abgelaufen",
    quota: "keine Frage mehr übrig",
    skipped: "übersprungen",
    nobody: "niemand da",
  },
};

/**
 * Appends an exchange to a Markdown file (created private, with its directory).
 * @throws the file system's error.
 */
export function appendExchange(path: string, exchange: Exchange, locale: Locale): void {
  makePrivateDir(dirname(path));
  const title = existsSync(path) ? "" : `# ${WORDS[locale].title}\n`;
  appendFileSync(path, title + exchangeText(exchange, locale), { mode: PRIVATE_FILE_MODE });
}

/** An exchange as Markdown. Both texts are quoted, so that a heading in them does not look like another exchange. */
export function exchangeText({ question, options, outcome, timeMs }: Exchange, locale: Locale): string {
  const words = WORDS[locale];
  const numbered = options.map((option, i) => `${i + 1}. ${option}`);
  const asked = [question, ...(numbered.length === 0 ? [] : ["", ...numbered])].join("\n");
  const [head, said] =
    "answer" in outcome
      ? [`${words.answer}:`, `\n\n${quote(outcome.answer)}`]
      : [`${words.none}:`, ` ${words[outcome.fallthrough]}`];
  return `\n## ${localTime(timeMs)}\n\n${words.question}:\n\n${quote(asked)}\n\n${head}${said}\n`;
}

function quote(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** `YYYY-mm-dd HH:MM:SS`, local. */
function localTime(timeMs: number): string {
  const date = new Date(timeMs);
  const two = (n: number): string => String(n).padStart(2, "0");
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}
