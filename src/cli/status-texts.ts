import type { Locale } from "../core/locale.ts";
import type { RunState } from "./run-view-status.ts";

/** What `flower status` says. */
export interface StatusTexts {
  states: Readonly<Record<RunState, string>>;
  run: string;
  process(pid: number, host: string): string;
  since(duration: string): string;
  step: string;
  context: string;
  handoffs(count: number): string;
  writesHandoff: string;
  now: string;
  agents: string;
  waiting: string;
  limitUntil(until: string, left: string): string;
  retryUntil(attempt: number, max: number, left: string): string;
  question: string;
  /** Where it can be answered. */
  answerThere(until: string | undefined): string;
  last: string;
  cost: string;
  costs(run: string, total: string): string;
  reason: string;
  verdict: string;
  notJudged: string;
  next: string;
  /** Behind the command: what may be added. */
  nextWords: string;
}

/** By locale. */
export const STATUS_TEXTS: Readonly<Record<Locale, StatusTexts>> = {
  en: {
    states: {
      fresh: "nothing has run here yet",
      running: "running",
      done: "done",
      stopped: "stopped short",
      interrupted: "interrupted",
      cut: "cut off: its process is gone",
    },
    run: "run",
    process: (pid, host) => `process ${pid} on ${host}`,
    since: (duration) => `for ${duration}`,
    step: "step",
    context: "context",
    handoffs: (count) => `handoffs: ${count}`,
    writesHandoff: "writing the handoff document",
    now: "now",
    agents: "agents",
    waiting: "waiting",
    limitUntil: (until, left) => `the allowance is used up, until ${until} (${left} left)`,
    retryUntil: (attempt, max, left) => `try ${attempt} of ${max} in ${left}`,
    question: "question",
    answerThere: (until) =>
      until === undefined
        ? "to be answered at its terminal"
        : `to be answered at its terminal until ${until}`,
    last: "last event",
    cost: "cost",
    costs: (run, total) => `${run} this run, ${total} in all`,
    reason: "reason",
    verdict: "verdict",
    notJudged: "the judge came to none",
    next: "go on with",
    nextWords: "what should change may follow in quotes",
  },
  zh: {
    states: {
      fresh: "这里还没有运行过",
      running: "正在运行",
      done: "已完成",
      stopped: "中途停下",
      interrupted: "已被中断",
      cut: "戛然而止:进程已不在",
    },
    run: "运行",
    process: (pid, host) => `${host} 上的进程 ${pid}`,
    since: (duration) => `已 ${duration}`,
    step: "步骤",
    context: "上下文",
    handoffs: (count) => `换代 ${count} 次`,
    writesHandoff: "正在写交接文档",
    now: "当前",
    agents: "子代理",
    waiting: "等待",
    limitUntil: (until, left) => `额度已用完,等到 ${until}(还剩 ${left})`,
    retryUntil: (attempt, max, left) => `${left} 后第 ${attempt}/${max} 次尝试`,
    question: "提问",
    answerThere: (until) => (until === undefined ? "请在它的终端里回答" : `请在 ${until} 前到它的终端里回答`),
    last: "最近事件",
    cost: "费用",
    costs: (run, total) => `本次 ${run},总计 ${total}`,
    reason: "原因",
    verdict: "判定",
    notJudged: "没有得出判定",
    next: "接着做",
    nextWords: "要改的话,可加引号写在后面",
  },
  pt: {
    states: {
      fresh: "nada foi executado aqui ainda",
      running: "em execução",
      done: "concluído",
      stopped: "parou antes do fim",
      interrupted: "interrompido",
      cut: "cortado: o processo não existe mais",
    },
    run: "execução",
    process: (pid, host) => `processo ${pid} em ${host}`,
    since: (duration) => `há ${duration}`,
    step: "etapa",
    context: "contexto",
    handoffs: (count) => `passagens: ${count}`,
    writesHandoff: "escrevendo o documento de handoff",
    now: "agora",
    agents: "agentes",
    waiting: "esperando",
    limitUntil: (until, left) => `a cota acabou, até ${until} (faltam ${left})`,
    retryUntil: (attempt, max, left) => `tentativa ${attempt} de ${max} em ${left}`,
    question: "pergunta",
    answerThere: (until) =>
      until === undefined ? "responda no terminal dela" : `responda no terminal dela até ${until}`,
    last: "último evento",
    cost: "custo",
    costs: (run, total) => `${run} nesta execução, ${total} no total`,
    reason: "motivo",
    verdict: "veredito",
    notJudged: "o juiz não chegou a nenhum",
    next: "continue com",
    nextWords: "o que deve mudar pode vir depois, entre aspas",
  },
  de: {
    states: {
      fresh: "hier ist noch nichts gelaufen",
      running: "läuft",
      done: "fertig",
      stopped: "vorzeitig beendet",
      interrupted: "unterbrochen",
      cut: "abgerissen: der Prozess ist weg",
    },
    run: "Lauf",
    process: (pid, host) => `Prozess ${pid} auf ${host}`,
    since: (duration) => `seit ${duration}`,
    step: "Schritt",
    context: "Kontext",
    handoffs: (count) => `Handoffs: ${count}`,
    writesHandoff: "schreibt das Handoff-Dokument",
    now: "jetzt",
    agents: "Agenten",
    waiting: "wartet",
    limitUntil: (until, left) => `das Kontingent ist verbraucht, bis ${until} (noch ${left})`,
    retryUntil: (attempt, max, left) => `Versuch ${attempt} von ${max} in ${left}`,
    question: "Frage",
    answerThere: (until) =>
      until === undefined
        ? "im Terminal des Laufs zu beantworten"
        : `im Terminal des Laufs zu beantworten, bis ${until}`,
    last: "zuletzt",
    cost: "Kosten",
    costs: (run, total) => `${run} in diesem Lauf, ${total} insgesamt`,
    reason: "Grund",
    verdict: "Urteil",
    notJudged: "es kam keines zustande",
    next: "weiter mit",
    nextWords: "was anders werden soll, kann in Anführungszeichen folgen",
  },
};
