import type { Locale } from "../core/locale.ts";

/** What `flower cost` says. */
export interface CostTexts {
  run: string;
  step: string;
  session: string;
  turns: string;
  /** Tokens of the main thread and of subagents, in and out. */
  main: string;
  subagents: string;
  cache: string;
  cost: string;
  generation(number: number): string;
  /** Tokens in and out of a generation, of which no part is told apart. */
  both(inOut: string): string;
  handedOver(context: string, reason: string): string;
  degraded: string;
  predecessor: string;
  aside: string;
  sum: string;
  total: string;
  estimate: string;
  none: string;
  /** Of books that cannot be read. */
  byEvents(cost: string): string;
}

/** By locale. */
export const COST_TEXTS: Readonly<Record<Locale, CostTexts>> = {
  en: {
    run: "run",
    step: "step",
    session: "session",
    turns: "turns",
    main: "main in/out",
    subagents: "subagents in/out",
    cache: "cached",
    cost: "cost",
    generation: (number) => `generation ${number}`,
    both: (inOut) => `both ${inOut}`,
    handedOver: (context, reason) => `handed over at ${context} (${reason})`,
    degraded: "degraded: its document was put together mechanically",
    predecessor: "questions to predecessors",
    aside: "questions aside",
    sum: "sum",
    total: "total",
    estimate: "~: an estimate, the harness has no price for the model",
    none: "nothing has been spent here yet",
    byEvents: (cost) => `the books cannot be read; by the events the runs here cost ${cost}`,
  },
  zh: {
    run: "运行",
    step: "步骤",
    session: "会话",
    turns: "轮次",
    main: "主线 入/出",
    subagents: "子代理 入/出",
    cache: "缓存",
    cost: "费用",
    generation: (number) => `第 ${number} 代`,
    both: (inOut) => `合计 ${inOut}`,
    handedOver: (context, reason) => `在 ${context} 处换代(${reason})`,
    degraded: "降级:交接文档由机械拼成",
    predecessor: "询问前任",
    aside: "旁问",
    sum: "小计",
    total: "合计",
    estimate: "~:估算,harness 没有该模型的价格",
    none: "这里还没有花费",
    byEvents: (cost) => `账目无法读取;按事件记录,这里的运行共花费 ${cost}`,
  },
  pt: {
    run: "execução",
    step: "etapa",
    session: "sessão",
    turns: "turnos",
    main: "principal ent/saí",
    subagents: "subagentes ent/saí",
    cache: "cache",
    cost: "custo",
    generation: (number) => `geração ${number}`,
    both: (inOut) => `ambos ${inOut}`,
    handedOver: (context, reason) => `passou adiante com ${context} (${reason})`,
    degraded: "degradada: o documento foi montado mecanicamente",
    predecessor: "perguntas a predecessores",
    aside: "perguntas à parte",
    sum: "soma",
    total: "total",
    estimate: "~: estimativa, o harness não tem preço para o modelo",
    none: "nada foi gasto aqui ainda",
    byEvents: (cost) => `os livros não podem ser lidos; pelos eventos, as execuções daqui custaram ${cost}`,
  },
  de: {
    run: "Lauf",
    step: "Schritt",
    session: "Sitzung",
    turns: "Züge",
    main: "Haupt ein/aus",
    subagents: "Subagenten ein/aus",
    cache: "Cache",
    cost: "Kosten",
    generation: (number) => `Generation ${number}`,
    both: (inOut) => `beide ${inOut}`,
    handedOver: (context, reason) => `übergeben bei ${context} (${reason})`,
    degraded: "degradiert: das Dokument wurde mechanisch zusammengestellt",
    predecessor: "Fragen an Vorgänger",
    aside: "Fragen nebenbei",
    sum: "Summe",
    total: "gesamt",
    estimate: "~: geschätzt, das Harness hat für das Modell keinen Preis",
    none: "hier wurde noch nichts ausgegeben",
    byEvents: (cost) => `die Bücher sind nicht lesbar; nach den Ereignissen kosteten die Läufe hier ${cost}`,
  },
};
