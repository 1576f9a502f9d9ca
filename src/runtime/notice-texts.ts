import type { Locale } from "../core/locale.ts";

/** What a run says to the person about its figures. Money as it is shown, sizes in tokens. */
export interface NoticeTexts {
  budgetUsed(percent: number, budget: string, spent: string): string;
  windowAssumed(window: number): string;
  /** `floor`: what a session starts with; undefined = not seen yet. */
  windowNotBelieved(stated: number, floor: number | undefined): string;
  windowStated(window: number): string;
  windowByLastRequest(window: number): string;
  learnedDropped(window: number, floor: number): string;
  handoffPutOff: string;
  ownWorkbench(root: string): string;
}

/** By locale. */
export const NOTICE_TEXTS: Readonly<Record<Locale, NoticeTexts>> = {
  en: {
    budgetUsed: (percent, budget, spent) => `${percent} % of the budget of ${budget} are used (${spent})`,
    windowAssumed: (window) =>
      `the window of this model is not known: assuming ${window} tokens (set it with --window or FLOWER_WINDOW)`,
    windowNotBelieved: (stated, floor) =>
      `the endpoint states a window of ${stated} tokens, less than ${floor === undefined ? "any session can work in" : `the ${floor} that a session starts with`}: not believed`,
    windowStated: (window) =>
      `the window is taken for ${window} tokens from now on, by the endpoint's own words`,
    windowByLastRequest: (window) =>
      `the window is taken for ${window} tokens from now on, by the last request that fitted`,
    learnedDropped: (window, floor) =>
      `the learned window of ${window} tokens is less than the ${floor} that a session starts with: not believed any more`,
    handoffPutOff:
      "interrupted: the handoff document is put off; the session goes on and writes it at its next boundary above the line",
    ownWorkbench: (root) =>
      `another run works in this workspace; the documents of this one are in ${root}, and both change the same files`,
  },
  zh: {
    budgetUsed: (percent, budget, spent) => `预算 ${budget} 已用 ${percent} %(${spent})`,
    windowAssumed: (window) =>
      `不知道这个模型的窗口:按 ${window} 个 token 计(用 --window 或 FLOWER_WINDOW 设定)`,
    windowNotBelieved: (stated, floor) =>
      `端点声称窗口为 ${stated} 个 token,${floor === undefined ? "小到任何会话都无法工作" : `比会话起步就占用的 ${floor} 还小`}:不予采信`,
    windowStated: (window) => `从现在起窗口按 ${window} 个 token 计,依据是端点自己的说法`,
    windowByLastRequest: (window) => `从现在起窗口按 ${window} 个 token 计,依据是最后一次放得下的请求`,
    learnedDropped: (window, floor) =>
      `学到的窗口 ${window} 个 token 比会话起步就占用的 ${floor} 还小:不再采信`,
    handoffPutOff: "已中断:交接文档推迟;会话继续,到线以上的下一个边界再写",
    ownWorkbench: (root) =>
      `这个工作区里还有另一个运行在进行;本次运行的文档放在 ${root},两者会改动同样的文件`,
  },
  pt: {
    budgetUsed: (percent, budget, spent) => `${percent} % do orçamento de ${budget} foram usados (${spent})`,
    windowAssumed: (window) =>
      `a janela deste modelo não é conhecida: supondo ${window} tokens (defina com --window ou FLOWER_WINDOW)`,
    windowNotBelieved: (stated, floor) =>
      `o endpoint declara uma janela de ${stated} tokens, menos do que ${floor === undefined ? "qualquer sessão precisa" : `os ${floor} com que uma sessão começa`}: não aceita`,
    windowStated: (window) => `a janela passa a ser de ${window} tokens, pelas palavras do próprio endpoint`,
    windowByLastRequest: (window) =>
      `a janela passa a ser de ${window} tokens, pela última requisição que coube`,
    learnedDropped: (window, floor) =>
      `a janela aprendida de ${window} tokens é menor que os ${floor} com que uma sessão começa: não vale mais`,
    handoffPutOff:
      "interrompido: o documento de handoff fica para depois; a sessão continua e o escreve no próximo limite acima da linha",
    ownWorkbench: (root) =>
      `outra execução trabalha neste espaço de trabalho; os documentos desta ficam em ${root}, e as duas mudam os mesmos arquivos`,
  },
  de: {
    budgetUsed: (percent, budget, spent) =>
      `${percent} % des Budgets von ${budget} sind verbraucht (${spent})`,
    windowAssumed: (window) =>
      `das Fenster dieses Modells ist nicht bekannt: angenommen werden ${window} Token (festlegen mit --window oder FLOWER_WINDOW)`,
    windowNotBelieved: (stated, floor) =>
      `der Endpunkt nennt ein Fenster von ${stated} Token, weniger als ${floor === undefined ? "jede Sitzung braucht" : `die ${floor}, mit denen eine Sitzung beginnt`}: nicht geglaubt`,
    windowStated: (window) =>
      `das Fenster gilt ab jetzt als ${window} Token groß, so sagt es der Endpunkt selbst`,
    windowByLastRequest: (window) =>
      `das Fenster gilt ab jetzt als ${window} Token groß, nach der letzten Anfrage, die hineinpasste`,
    learnedDropped: (window, floor) =>
      `das gelernte Fenster von ${window} Token ist kleiner als die ${floor}, mit denen eine Sitzung beginnt: nicht mehr geglaubt`,
    handoffPutOff:
      "unterbrochen: der Handoff wird aufgeschoben; die Sitzung geht weiter und schreibt ihn an der nächsten Grenze über der Linie",
    ownWorkbench: (root) =>
      `in diesem Arbeitsbereich arbeitet noch ein Lauf; die Dokumente dieses Laufs liegen in ${root}, und beide ändern dieselben Dateien`,
  },
};
