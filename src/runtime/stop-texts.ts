import type { Locale } from "../core/locale.ts";

/** Why a step ended before it was done, and what became of its session, for the person and the books. Sizes in tokens; `failure`: as it came. */
export interface StopTexts {
  interrupted: string;
  /** A step that used up its turns or its budget. */
  limitReached: string;
  circles: string;
  /** A step whose new sessions start above the handoff line. */
  aboveLine(floor: number, at: number, window: number): string;
  /** A step whose new sessions do not even get their first request through. `what` says by how much. */
  startTooLarge(what: string, endpointTakes: number | undefined): string;
  /** A step that reached its last handoff. `floor`: what its sessions start with, when it is known. */
  tooManyHandoffs(most: number, at: number, window: number, floor?: number): string;
  contextFull(failure: string): string;
  notWaited(failure: string): string;
  givenUp(failure: string, attempts: number): string;
  /** The money of the whole run, as it is shown. */
  budgetUsedUp(budget: string): string;
  /** Of the last run. */
  sessionGone: string;
  replyDropped: string;
}

/** By locale. Options and their names stay as they are typed. */
export const STOP_TEXTS: Readonly<Record<Locale, StopTexts>> = {
  en: {
    interrupted: "interrupted by the person",
    limitReached:
      "the limit of this step (turns or budget) is used up: run again with a larger one, it goes on where it stopped",
    circles:
      "the session made the same calls again and again, with the same results, also after it was told so: look at what is in its way, then run again with a word about it",
    aboveLine: (floor, at, window) =>
      `a new session of this step starts with ${floor} tokens, and the handoff line is at ${at} of ${window}: it would hand over for ever. Give it a larger --window, or turn handoffs off with --no-handoff`,
    startTooLarge: (what, endpointTakes) =>
      `the first request of a new session does not fit (${what}${endpointTakes === undefined ? "" : `; the endpoint takes ${endpointTakes} tokens`}), and the next one would start with the same: use a model or a server setting with a larger window, or fewer tools and a shorter prompt`,
    tooManyHandoffs: (most, at, window, floor) =>
      `${most} handoffs in one step, the most it may make: its sessions kept reaching the line at ${at} of ${window} tokens${floor === undefined ? "" : `, from ${floor} at their start`}. Look at its handoff documents for work that goes in circles; for a longer step raise maxGenerations, for fewer handoffs give it a larger --window or none with --no-handoff`,
    contextFull: (failure) => `${failure}: the context is full, and handing over is off`,
    notWaited: (failure) => `${failure}: run again when it is over, it goes on where it stopped`,
    givenUp: (failure, attempts) => `${failure} (given up after ${attempts} attempts)`,
    budgetUsedUp: (budget) =>
      `the budget of ${budget} is used up: run again with a larger --budget, it goes on where it stopped`,
    sessionGone: "the session of the last run is gone from the store: starting this step in a new one",
    replyDropped: "no boundary within 12 s: the unfinished reply was dropped",
  },
  zh: {
    interrupted: "被本人中断",
    limitReached: "这一步的限额(轮次或预算)已用完:放宽后再次运行,会从停下的地方继续",
    circles: "会话一再发出相同的调用,结果也相同,提醒之后仍是如此:看看是什么挡住了它,再次运行时说明一下",
    aboveLine: (floor, at, window) =>
      `这一步的新会话起步就占 ${floor} 个 token,而交接线在 ${window} 中的 ${at}:会无休止地交接。请用更大的 --window,或用 --no-handoff 关闭交接`,
    startTooLarge: (what, endpointTakes) =>
      `新会话的第一个请求放不下(${what}${endpointTakes === undefined ? "" : `;端点最多接受 ${endpointTakes} 个 token`}),下一个会话也会同样开始:换用窗口更大的模型或服务器设置,或减少工具、缩短提示`,
    tooManyHandoffs: (most, at, window, floor) =>
      `一步之内已交接 ${most} 次,达到上限:它的会话一再到达 ${window} 个 token 中 ${at} 处的线${floor === undefined ? "" : `,起步为 ${floor}`}。看看交接文档里是否有原地打转的工作;步骤确实更长就提高 maxGenerations,想少交接就用更大的 --window,或用 --no-handoff 关闭`,
    contextFull: (failure) => `${failure}:上下文已满,而交接已关闭`,
    notWaited: (failure) => `${failure}:恢复之后再次运行,会从停下的地方继续`,
    givenUp: (failure, attempts) => `${failure}(尝试 ${attempts} 次后放弃)`,
    budgetUsedUp: (budget) => `预算 ${budget} 已用完:用更大的 --budget 再次运行,会从停下的地方继续`,
    sessionGone: "上次运行的会话已不在存储中:这一步在新会话中开始",
    replyDropped: "12 秒内没有到达边界:未完成的回答已丢弃",
  },
  pt: {
    interrupted: "interrompido pela pessoa",
    limitReached:
      "o limite desta etapa (turnos ou orçamento) acabou: rode de novo com um maior, e ela continua de onde parou",
    circles:
      "a sessão fez as mesmas chamadas repetidas vezes, com os mesmos resultados, mesmo depois de avisada: veja o que a impede e rode de novo com uma palavra sobre isso",
    aboveLine: (floor, at, window) =>
      `uma nova sessão desta etapa começa com ${floor} tokens, e a linha de handoff está em ${at} de ${window}: ela passaria adiante para sempre. Dê-lhe uma --window maior ou desligue os handoffs com --no-handoff`,
    startTooLarge: (what, endpointTakes) =>
      `a primeira requisição de uma nova sessão não cabe (${what}${endpointTakes === undefined ? "" : `; o endpoint aceita ${endpointTakes} tokens`}), e a seguinte começaria igual: use um modelo ou uma configuração do servidor com janela maior, ou menos ferramentas e um prompt mais curto`,
    tooManyHandoffs: (most, at, window, floor) =>
      `${most} handoffs numa etapa, o máximo que ela pode fazer: suas sessões chegavam sempre à linha em ${at} de ${window} tokens${floor === undefined ? "" : `, a partir de ${floor} no início`}. Veja nos documentos de handoff se o trabalho anda em círculos; para uma etapa mais longa aumente maxGenerations, para menos handoffs dê uma --window maior ou nenhum com --no-handoff`,
    contextFull: (failure) => `${failure}: o contexto está cheio, e o handoff está desligado`,
    notWaited: (failure) => `${failure}: rode de novo quando isso passar, e ela continua de onde parou`,
    givenUp: (failure, attempts) => `${failure} (desistiu depois de ${attempts} tentativas)`,
    budgetUsedUp: (budget) =>
      `o orçamento de ${budget} acabou: rode de novo com um --budget maior, e continua de onde parou`,
    sessionGone: "a sessão da última execução não está mais no armazenamento: esta etapa começa numa nova",
    replyDropped: "nenhum limite em 12 s: a resposta inacabada foi descartada",
  },
  de: {
    interrupted: "von der Person unterbrochen",
    limitReached:
      "die Grenze dieses Schritts (Runden oder Budget) ist erreicht: mit einer größeren noch einmal starten, er geht weiter, wo er stehen blieb",
    circles:
      "die Sitzung machte immer wieder dieselben Aufrufe mit denselben Ergebnissen, auch nachdem es ihr gesagt wurde: nachsehen, was ihr im Weg ist, und mit einem Wort dazu noch einmal starten",
    aboveLine: (floor, at, window) =>
      `eine neue Sitzung dieses Schritts beginnt mit ${floor} Token, und die Handoff-Linie liegt bei ${at} von ${window}: sie würde ewig übergeben. Ein größeres --window geben oder Handoffs mit --no-handoff abschalten`,
    startTooLarge: (what, endpointTakes) =>
      `die erste Anfrage einer neuen Sitzung passt nicht (${what}${endpointTakes === undefined ? "" : `; der Endpunkt nimmt ${endpointTakes} Token`}), und die nächste begänne genauso: ein Modell oder eine Einstellung des Servers mit größerem Fenster nehmen, oder weniger Werkzeuge und einen kürzeren Prompt`,
    tooManyHandoffs: (most, at, window, floor) =>
      `${most} Handoffs in einem Schritt, mehr darf er nicht: seine Sitzungen erreichten immer wieder die Linie bei ${at} von ${window} Token${floor === undefined ? "" : `, von ${floor} am Anfang`}. In den Handoffs nachsehen, ob die Arbeit im Kreis geht; für einen längeren Schritt maxGenerations erhöhen, für weniger Handoffs ein größeres --window geben oder mit --no-handoff keine`,
    contextFull: (failure) => `${failure}: der Kontext ist voll, und Handoffs sind abgeschaltet`,
    notWaited: (failure) =>
      `${failure}: noch einmal starten, wenn es vorbei ist; es geht weiter, wo es stehen blieb`,
    givenUp: (failure, attempts) => `${failure} (nach ${attempts} Versuchen aufgegeben)`,
    budgetUsedUp: (budget) =>
      `das Budget von ${budget} ist verbraucht: mit einem größeren --budget noch einmal starten, es geht weiter, wo es stehen blieb`,
    sessionGone:
      "die Sitzung des letzten Laufs ist nicht mehr gespeichert: dieser Schritt beginnt in einer neuen",
    replyDropped: "keine Grenze binnen 12 s: die unfertige Antwort wurde verworfen",
  },
};
