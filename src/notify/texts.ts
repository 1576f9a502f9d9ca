import type { Locale } from "../core/locale.ts";

/** What a person wants to hear of. */
export type NotifyEvent = "question" | "limit" | "degraded" | "finished" | "failed";

/** What notifications say, and what is said about them. */
export interface NotifyTexts {
  /** What happened, in front of the workspace's name. */
  happened: Readonly<Record<NotifyEvent, string>>;
  limitUntil(moment: string): string;
  degraded(step: string): string;
  /** One target does not work; it is said once. */
  failed(target: string, why: string): string;
  noAnswer: string;
  missing(command: string): string;
}

/** By locale. */
export const NOTIFY_TEXTS: Readonly<Record<Locale, NotifyTexts>> = {
  en: {
    happened: {
      question: "a question is waiting",
      limit: "waiting for the usage limit",
      degraded: "a handoff is degraded",
      finished: "done",
      failed: "stopped short",
    },
    limitUntil: (moment) => `The allowance is used up. It goes on at ${moment}.`,
    degraded: (step) =>
      `The session of ${step} could not write its handoff; it was put together mechanically.`,
    failed: (target, why) => `notification by ${target} failed: ${why}`,
    noAnswer: "no answer in time",
    missing: (command) => `${command} is not installed`,
  },
  zh: {
    happened: {
      question: "有问题等你回答",
      limit: "正在等额度恢复",
      degraded: "交接已降级",
      finished: "完成",
      failed: "提前停下",
    },
    limitUntil: (moment) => `额度已用完,${moment} 继续。`,
    degraded: (step) => `${step} 的会话没能写出交接:已按现有信息机械拼成。`,
    failed: (target, why) => `通过 ${target} 发通知失败:${why}`,
    noAnswer: "没有及时应答",
    missing: (command) => `没有安装 ${command}`,
  },
  pt: {
    happened: {
      question: "há uma pergunta à espera",
      limit: "esperando a cota voltar",
      degraded: "um handoff ficou degradado",
      finished: "concluído",
      failed: "parou antes do fim",
    },
    limitUntil: (moment) => `A cota acabou. Continua em ${moment}.`,
    degraded: (step) => `A sessão de ${step} não conseguiu escrever o handoff; foi montado mecanicamente.`,
    failed: (target, why) => `a notificação por ${target} falhou: ${why}`,
    noAnswer: "sem resposta a tempo",
    missing: (command) => `${command} não está instalado`,
  },
  de: {
    happened: {
      question: "eine Frage wartet",
      limit: "wartet auf das Kontingent",
      degraded: "ein Handoff ist degradiert",
      finished: "fertig",
      failed: "vorzeitig angehalten",
    },
    limitUntil: (moment) => `Das Kontingent ist verbraucht. Es geht weiter: ${moment}.`,
    degraded: (step) =>
      `Die Sitzung von ${step} konnte ihren Handoff nicht schreiben; er wurde mechanisch zusammengestellt.`,
    failed: (target, why) => `Benachrichtigung durch ${target} gescheitert: ${why}`,
    noAnswer: "keine Antwort in der Zeit",
    missing: (command) => `${command} ist nicht installiert`,
  },
};
