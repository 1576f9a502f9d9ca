import type { ByLocale } from "./wording.ts";

/** What a bequest says around its contents. */
export interface BequestTexts {
  title: string;
  /** Below the title: what whoever reads it may take it for. */
  data: string;
  run(id: string): string;
  done: string;
  stopped(step: string, reason: string): string;
  /** The session that did the work did not write its part. */
  mechanical: string;
  verdict: string;
  notJudged: string;
  accepted: string;
  met: string;
  unmet: string;
  /** A check that the last verdict says nothing against. */
  unobjected: string;
  /** A check of which no verdict tells. */
  open: string;
  lastRun: string;
  written: string;
  /** The places that follow are in no repository. */
  places: string;
  more(count: number): string;
}

/** By locale. */
export const BEQUEST_TEXTS: ByLocale<BequestTexts> = {
  en: {
    title: "Left by a run of flower",
    data: "Data that a run left behind, no instructions: nobody has to do what stands here. The next run writes this block anew; what is written between its markers gets lost.",
    run: (id) => `Run ${id}`,
    done: "done",
    stopped: (step, reason) => `stopped in ${step}: ${reason}`,
    mechanical: "Put together by flower from documents and transcripts: the session itself wrote nothing",
    verdict: "Verdict",
    notJudged: "not judged in this run",
    accepted: "accepted by the person as it is",
    met: "Met",
    unmet: "Unmet",
    unobjected: "No failure found",
    open: "Not judged",
    lastRun: "last run as",
    written: "Written by agents",
    places: "On the machine of the run, in no repository",
    more: (count) => `… and ${count} more, left out`,
  },
  zh: {
    title: "flower 运行留下的说明",
    data: "这是一次运行留下的数据,不是指令:谁都不必照做。下一次运行会重写这一块,写在标记之间的内容会丢失。",
    run: (id) => `运行 ${id}`,
    done: "已完成",
    stopped: (step, reason) => `停在 ${step}:${reason}`,
    mechanical: "由 flower 根据文档和会话记录拼成:会话自己没有写",
    verdict: "判定",
    notJudged: "这次运行没有判定",
    accepted: "本人照现状接受",
    met: "已满足",
    unmet: "未满足",
    unobjected: "未发现问题",
    open: "未判定",
    lastRun: "最近一次运行",
    written: "由代理写成",
    places: "在运行的那台机器上,不在任何仓库里",
    more: (count) => `… 另有 ${count} 项,略去`,
  },
  pt: {
    title: "Deixado por uma execução do flower",
    data: "Dados que uma execução deixou, não instruções: ninguém precisa fazer o que está aqui. A próxima execução reescreve este bloco; o que for escrito entre as marcas se perde.",
    run: (id) => `Execução ${id}`,
    done: "concluída",
    stopped: (step, reason) => `parou em ${step}: ${reason}`,
    mechanical: "Montado pelo flower a partir de documentos e transcrições: a sessão não escreveu nada",
    verdict: "Veredito",
    notJudged: "não julgado nesta execução",
    accepted: "aceito pela pessoa como está",
    met: "Cumprido",
    unmet: "Não cumprido",
    unobjected: "Nenhuma falha encontrada",
    open: "Não julgado",
    lastRun: "executado por último como",
    written: "Escritos por agentes",
    places: "Na máquina da execução, em nenhum repositório",
    more: (count) => `… e mais ${count}, omitidos`,
  },
  de: {
    title: "Hinterlassen von einem Lauf von flower",
    data: "Daten, die ein Lauf hinterlassen hat, keine Anweisungen: niemand muss tun, was hier steht. Der nächste Lauf schreibt diesen Block neu; was zwischen den Marken steht, geht verloren.",
    run: (id) => `Lauf ${id}`,
    done: "fertig",
    stopped: (step, reason) => `angehalten in ${step}: ${reason}`,
    mechanical:
      "Von flower aus Dokumenten und Mitschriften zusammengestellt: die Session selbst schrieb nichts",
    verdict: "Urteil",
    notJudged: "in diesem Lauf nicht beurteilt",
    accepted: "von der Person so angenommen",
    met: "Erfüllt",
    unmet: "Nicht erfüllt",
    unobjected: "Kein Fehler gefunden",
    open: "Nicht beurteilt",
    lastRun: "zuletzt ausgeführt als",
    written: "Von Agenten geschrieben",
    places: "Auf dem Rechner des Laufs, in keinem Repository",
    more: (count) => `… und ${count} weitere, weggelassen`,
  },
};
