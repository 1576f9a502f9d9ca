import type { Locale } from "../core/locale.ts";

/** What the workflow says to a person, or asks, and why it stopped; models are spoken to in English. */
export interface WorkflowTexts {
  /** Why clarifying, or setting the goal, is skipped. */
  documentComplete: string;
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
  /** The clarifier's last answer was no brief; `headings`: sections without text. */
  noBrief(headings: string): string;
  /** The judge's last answer was no goal. */
  noGoal: string;
  notJudged(why: string): string;
  noConclusion: string;
  changedMeanwhile(paths: string): string;
  notYet(rounds: number, missing: string): string;
  /** Nobody answered {@link unreachable}. */
  stayedUnreachable(reason: string): string;
  /** Nobody answered {@link circling}. */
  stayedCircling(missing: string): string;
  changedTooLate(rounds: number): string;
}

/** By locale. */
export const WORKFLOW_TEXTS: Readonly<Record<Locale, WorkflowTexts>> = {
  en: {
    documentComplete: "its document is complete",
    unreachable: (reason) => `The judge says the goal cannot be reached: ${reason}`,
    choices: ["accept the work as it is", "change the goal", "the judge is wrong"],
    circling: (missing) => `Two rounds changed nothing and were judged the same:\n${missing}`,
    newGoal: "What should the goal say instead?",
    whatIsWrong: "What does the judge get wrong?",
    unverifiable: (check) =>
      `this check cannot be verified here, change it in the goal file while it is free: ${check}`,
    tooLarge: (megabytes) => `the workspace has ${megabytes} MB, too much to copy: the judge only reads`,
    notCopied: (paths) => `not in the copy that the judge works in: ${paths}`,
    noBrief: (headings) =>
      `the last answer was no complete brief, without text: ${headings}. Run again, and say more about what you want`,
    noGoal:
      "the last answer was no goal: it needs a statement and at least one check. Run again, or go on with --no-goal",
    notJudged: (why) => `not judged: ${why}`,
    noConclusion: "the judge's answer has no conclusion",
    changedMeanwhile: (paths) =>
      `the workspace changed while the judge worked beside it (${paths}), so its verdict does not count`,
    notYet: (rounds, missing) => `not yet after ${rounds} rounds: ${missing}`,
    stayedUnreachable: (reason) => `unreachable: ${reason}`,
    stayedCircling: (missing) => `judged the same twice with nothing changed in between: ${missing}`,
    changedTooLate: (rounds) =>
      `the goal was changed after the last of ${rounds} rounds: run again to go on with it`,
  },
  zh: {
    documentComplete: "文档已经齐全",
    unreachable: (reason) => `判定认为目标无法达成:${reason}`,
    choices: ["就这样接受", "修改目标", "判定错了"],
    circling: (missing) => `连续两轮没有任何改动,判定也相同:\n${missing}`,
    newGoal: "目标应当改成什么?",
    whatIsWrong: "判定错在哪里?",
    unverifiable: (check) => `这一项在此处无法验证,趁现在改目标文件不花代价:${check}`,
    tooLarge: (megabytes) => `工作目录有 ${megabytes} MB,太大无法复制:判定只读不运行`,
    notCopied: (paths) => `判定所用的副本里没有:${paths}`,
    noBrief: (headings) =>
      `最后的回答不是完整的需求说明,缺少内容:${headings}。请再次运行,并多说明一些你的要求`,
    noGoal: "最后的回答不是目标:需要一句陈述和至少一项检查。请再次运行,或用 --no-goal 继续",
    notJudged: (why) => `没有判定:${why}`,
    noConclusion: "判定的回答里没有结论",
    changedMeanwhile: (paths) => `判定在一旁进行时工作目录发生了变化(${paths}),因此这次判定不算数`,
    notYet: (rounds, missing) => `${rounds} 轮之后仍未达成:${missing}`,
    stayedUnreachable: (reason) => `无法达成:${reason}`,
    stayedCircling: (missing) => `其间没有任何改动,两次判定相同:${missing}`,
    changedTooLate: (rounds) => `目标是在全部 ${rounds} 轮的最后一轮之后修改的:再次运行即可按它继续`,
  },
  pt: {
    documentComplete: "o documento já está completo",
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
    noBrief: (headings) =>
      `a última resposta não foi uma especificação completa, sem texto: ${headings}. Rode de novo e diga mais sobre o que você quer`,
    noGoal:
      "a última resposta não foi um objetivo: faltam uma afirmação e ao menos uma verificação. Rode de novo ou siga com --no-goal",
    notJudged: (why) => `sem veredito: ${why}`,
    noConclusion: "a resposta do juiz não tem conclusão",
    changedMeanwhile: (paths) =>
      `o diretório mudou enquanto o juiz trabalhava ao lado dele (${paths}); por isso o veredito não vale`,
    notYet: (rounds, missing) => `ainda não, depois de ${rounds} rodadas: ${missing}`,
    stayedUnreachable: (reason) => `inalcançável: ${reason}`,
    stayedCircling: (missing) => `mesmo veredito duas vezes, sem nada mudar entre eles: ${missing}`,
    changedTooLate: (rounds) =>
      `o objetivo foi mudado depois da última de ${rounds} rodadas: rode de novo para continuar com ele`,
  },
  de: {
    documentComplete: "das Dokument ist vollständig",
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
    noBrief: (headings) =>
      `die letzte Antwort war kein vollständiger Auftrag, ohne Text: ${headings}. Noch einmal starten und mehr dazu sagen, was du willst`,
    noGoal:
      "die letzte Antwort war kein Ziel: es braucht eine Aussage und mindestens einen Prüfpunkt. Noch einmal starten oder mit --no-goal weitermachen",
    notJudged: (why) => `nicht beurteilt: ${why}`,
    noConclusion: "die Antwort des Urteils hat kein Ergebnis",
    changedMeanwhile: (paths) =>
      `das Verzeichnis änderte sich, während daneben geurteilt wurde (${paths}); das Urteil zählt deshalb nicht`,
    notYet: (rounds, missing) => `nach ${rounds} Runden noch nicht erreicht: ${missing}`,
    stayedUnreachable: (reason) => `unerreichbar: ${reason}`,
    stayedCircling: (missing) => `zweimal gleich beurteilt, und dazwischen änderte sich nichts: ${missing}`,
    changedTooLate: (rounds) =>
      `das Ziel wurde nach der letzten von ${rounds} Runden geändert: noch einmal starten, um damit weiterzumachen`,
  },
};
