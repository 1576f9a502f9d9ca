import type { Locale } from "../core/locale.ts";

/** What the workflow says to a person, or asks; models are spoken to in English. */
export interface WorkflowTexts {
  unreachable(reason: string): string;
  /** Answers to {@link unreachable}, in this order: accept, change the goal, the judge is wrong. */
  choices: readonly [accept: string, change: string, wrong: string];
  /** Asked with the same choices when two rounds came to the same and changed nothing. */
  circling(missing: string): string;
  newGoal: string;
  whatIsWrong: string;
  unverifiable(check: string): string;
  tooLarge(megabytes: number): string;
  notCopied(paths: string): string;
}

/** By locale. */
export const WORKFLOW_TEXTS: Readonly<Record<Locale, WorkflowTexts>> = {
  en: {
    unreachable: (reason) => `The judge says the goal cannot be reached: ${reason}`,
    choices: ["accept the work as it is", "change the goal", "the judge is wrong"],
    circling: (missing) => `Two rounds changed nothing and were judged the same:\n${missing}`,
    newGoal: "What should the goal say instead?",
    whatIsWrong: "What does the judge get wrong?",
    unverifiable: (check) =>
      `this check cannot be verified here, change it in the goal file while it is free: ${check}`,
    tooLarge: (megabytes) => `the workspace has ${megabytes} MB, too much to copy: the judge only reads`,
    notCopied: (paths) => `not in the copy that the judge works in: ${paths}`,
  },
  zh: {
    unreachable: (reason) => `判定认为目标无法达成:${reason}`,
    choices: ["就这样接受", "修改目标", "判定错了"],
    circling: (missing) => `连续两轮没有任何改动,判定也相同:\n${missing}`,
    newGoal: "目标应当改成什么?",
    whatIsWrong: "判定错在哪里?",
    unverifiable: (check) => `这一项在此处无法验证,趁现在改目标文件不花代价:${check}`,
    tooLarge: (megabytes) => `工作目录有 ${megabytes} MB,太大无法复制:判定只读不运行`,
    notCopied: (paths) => `判定所用的副本里没有:${paths}`,
  },
  pt: {
    unreachable: (reason) => `O juiz diz que o objetivo não pode ser alcançado: ${reason}`,
    choices: ["aceitar o trabalho como está", "mudar o objetivo", "o juiz está errado"],
    circling: (missing) => `Duas rodadas não mudaram nada e tiveram o mesmo veredito:\n${missing}`,
    newGoal: "O que o objetivo deve dizer?",
    whatIsWrong: "Em que o juiz se engana?",
    unverifiable: (check) =>
      `esta verificação não pode ser feita aqui; mude-a no arquivo do objetivo enquanto é de graça: ${check}`,
    tooLarge: (megabytes) =>
      `o diretório tem ${megabytes} MB, demais para copiar: o juiz apenas lê, sem executar`,
    notCopied: (paths) => `fora da cópia em que o juiz trabalha: ${paths}`,
  },
  de: {
    unreachable: (reason) => `Das Urteil lautet, dass das Ziel nicht erreichbar ist: ${reason}`,
    choices: ["die Arbeit so annehmen", "das Ziel ändern", "das Urteil ist falsch"],
    circling: (missing) => `Zwei Runden haben nichts geändert und wurden gleich beurteilt:\n${missing}`,
    newGoal: "Wie soll das Ziel stattdessen lauten?",
    whatIsWrong: "Was ist an dem Urteil falsch?",
    unverifiable: (check) =>
      `dieser Prüfpunkt ist hier nicht prüfbar; noch kostet es nichts, ihn in der Zieldatei zu ändern: ${check}`,
    tooLarge: (megabytes) =>
      `das Verzeichnis hat ${megabytes} MB, zu viel zum Kopieren: geurteilt wird nur durch Lesen`,
    notCopied: (paths) => `fehlt in der Kopie, in der geurteilt wird: ${paths}`,
  },
};
