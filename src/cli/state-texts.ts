import type { EventType } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";

/** Words for what stands as an English word in books and events. */
export interface StateTexts {
  /** How a step, a session, a subagent, a question or a handoff stands. */
  states: Readonly<
    Record<
      | "running"
      | "done"
      | "failed"
      | "interrupted"
      | "killed-by-signal"
      | "retired"
      | "started"
      | "skipped"
      | "progress"
      | "stopped"
      | "asked"
      | "answered"
      | "timeout"
      | "quota"
      | "nobody"
      | "near"
      | "writing",
      string
    >
  >;
  events: Readonly<Record<EventType, string>>;
}

/** By locale. */
export const STATE_TEXTS: Readonly<Record<Locale, StateTexts>> = {
  en: {
    states: {
      running: "running",
      done: "done",
      failed: "failed",
      interrupted: "interrupted",
      "killed-by-signal": "killed by a signal",
      retired: "retired",
      started: "begun",
      skipped: "skipped",
      progress: "at work",
      stopped: "stopped",
      asked: "asked",
      answered: "answered",
      timeout: "time is up",
      quota: "no questions left",
      nobody: "nobody there",
      near: "soon",
      writing: "being written",
    },
    events: {
      text: "text",
      thinking: "thinking",
      prompt: "prompt",
      toolCall: "call",
      toolResult: "result of a call",
      result: "end of a turn",
      error: "error",
      reset: "new session",
      system: "notice",
      task: "agent",
      unknown: "unknown message",
      ask: "question",
      retry: "wait",
      step: "step",
      handoff: "handoff",
      usage: "usage",
    },
  },
  zh: {
    states: {
      running: "进行中",
      done: "完成",
      failed: "失败",
      interrupted: "被中断",
      "killed-by-signal": "被信号终止",
      retired: "已换代",
      started: "开始",
      skipped: "跳过",
      progress: "工作中",
      stopped: "已停下",
      asked: "已提出",
      answered: "已回答",
      timeout: "超时",
      quota: "提问次数已用完",
      nobody: "无人在场",
      near: "将近",
      writing: "书写中",
    },
    events: {
      text: "文字",
      thinking: "思考",
      prompt: "提示",
      toolCall: "调用",
      toolResult: "调用结果",
      result: "一轮结束",
      error: "错误",
      reset: "新会话",
      system: "通知",
      task: "子代理",
      unknown: "未知消息",
      ask: "提问",
      retry: "等待",
      step: "步骤",
      handoff: "换代",
      usage: "用量",
    },
  },
  pt: {
    states: {
      running: "em execução",
      done: "concluída",
      failed: "falhou",
      interrupted: "interrompida",
      "killed-by-signal": "encerrada por um sinal",
      retired: "substituída",
      started: "iniciada",
      skipped: "pulada",
      progress: "trabalhando",
      stopped: "parada",
      asked: "feita",
      answered: "respondida",
      timeout: "tempo esgotado",
      quota: "sem perguntas restantes",
      nobody: "ninguém presente",
      near: "próxima",
      writing: "sendo escrita",
    },
    events: {
      text: "texto",
      thinking: "pensamento",
      prompt: "instrução",
      toolCall: "chamada",
      toolResult: "resultado de chamada",
      result: "fim de turno",
      error: "erro",
      reset: "nova sessão",
      system: "aviso",
      task: "tarefa de agente",
      unknown: "mensagem desconhecida",
      ask: "pergunta",
      retry: "espera",
      step: "etapa",
      handoff: "passagem",
      usage: "consumo",
    },
  },
  de: {
    states: {
      running: "läuft",
      done: "fertig",
      failed: "gescheitert",
      interrupted: "unterbrochen",
      "killed-by-signal": "durch ein Signal beendet",
      retired: "abgelöst",
      started: "begonnen",
      skipped: "übersprungen",
      progress: "in Arbeit",
      stopped: "angehalten",
      asked: "gestellt",
      answered: "beantwortet",
      timeout: "Zeit abgelaufen",
      quota: "keine Fragen mehr übrig",
      nobody: "niemand da",
      near: "steht bevor",
      writing: "wird geschrieben",
    },
    events: {
      text: "Text",
      thinking: "Gedanke",
      prompt: "Auftrag",
      toolCall: "Aufruf",
      toolResult: "Ergebnis eines Aufrufs",
      result: "Ende eines Zugs",
      error: "Fehler",
      reset: "neue Sitzung",
      system: "Hinweis",
      task: "Agent",
      unknown: "unbekannte Nachricht",
      ask: "Frage",
      retry: "Wartezeit",
      step: "Schritt",
      handoff: "Handoff",
      usage: "Verbrauch",
    },
  },
};

/** A state in the person's language; one that is not known stays as it is. */
export function stateText(state: string, locale: Locale): string {
  return wordIn(STATE_TEXTS[locale].states, state);
}

/** A type of event in the person's language; one that is not known stays as it is. */
export function eventText(type: string, locale: Locale): string {
  return wordIn(STATE_TEXTS[locale].events, type);
}

const wordIn = (words: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key;
