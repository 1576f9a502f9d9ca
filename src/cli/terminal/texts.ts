import type { Locale } from "../../core/locale.ts";

/** Words of the live terminal. */
export interface TerminalTexts {
  step(index: string): string;
  round(round: number, rounds: number): string;
  context: string;
  handoffAt(tokens: string): string;
  of(budget: string): string;
  thinking: string;
  writingHandoff: string;
  more(agents: number): string;
  fault(attempt: number, max: number): string;
  limit(until: string): string;
  question: string;
  /** Of a wait. */
  left(time: string): string;
  /** Of a line that was begun before a question, or under another one. */
  keptForQuestion: string;
  /** Of a line whose question is over. */
  keptForMessage: string;
  review: string;
  startsSoon: string;
  inBrief: string;
  /** Of words after `/new`. */
  forNew: string;
  /** Of a pipe, at the end. */
  unusedLines(count: number): string;
  cost(total: string, step: string): string;
  help: readonly string[];
  unknownCommand(command: string): string;
}

/** By locale. */
export const TERMINAL_TEXTS: Readonly<Record<Locale, TerminalTexts>> = {
  en: {
    step: (index) => `step ${index}`,
    round: (round, rounds) => `round ${round}/${rounds}`,
    context: "context",
    handoffAt: (tokens) => `handoff at ${tokens}`,
    of: (budget) => `of ${budget}`,
    thinking: "thinking",
    writingHandoff: "writing the handoff document",
    more: (agents) => `and ${agents} more`,
    fault: (attempt, max) => `waiting for the endpoint: try ${attempt} of ${max}`,
    limit: (until) => `usage limit until ${until}`,
    question: "a question waits for you",
    left: (time) => `${time} left`,
    keptForQuestion: "a question is open now: Enter answers it with your line",
    keptForMessage: "that question is over: Enter sends your line as a message",
    review: "the handoff document waits for you",
    startsSoon: "starting",
    inBrief: "It was added to the brief.",
    forNew: "It goes into the request of the new job.",
    unusedLines: (count) =>
      `lines of standard input that nothing asked for: ${count} (as a request or as words they are read with: flower -)`,
    cost: (total, step) => `${total} so far, ${step} of it in this step`,
    help: [
      "text            a message to the run; with a question open, its answer (a number picks an option, Enter skips)",
      "? text          ask about the run, beside it; nothing of it enters the run",
      "/status  /cost  what it is doing, what it has cost",
      "/new [text]     archive this job and start a new one",
      "Ctrl-C          break in with words; twice: leave",
      "Alt-Enter, Up   a new line; earlier lines",
    ],
    unknownCommand: (command) => `${command} is no command; put a blank in front to send it as a message`,
  },
  zh: {
    step: (index) => `步骤 ${index}`,
    round: (round, rounds) => `第 ${round}/${rounds} 轮`,
    context: "上下文",
    handoffAt: (tokens) => `换代线 ${tokens}`,
    of: (budget) => `预算 ${budget}`,
    thinking: "思考中",
    writingHandoff: "正在写交接文档",
    more: (agents) => `另有 ${agents} 个`,
    fault: (attempt, max) => `等待端点:第 ${attempt}/${max} 次尝试`,
    limit: (until) => `额度已用完,等到 ${until}`,
    question: "有问题等你回答",
    left: (time) => `还剩 ${time}`,
    keptForQuestion: "现在有一个提问:再按回车,这行就作为它的回答",
    keptForMessage: "那个提问已经结束:再按回车,这行就作为消息发送",
    review: "交接文档等你过目",
    startsSoon: "正在启动",
    inBrief: "已追加到需求文档。",
    forNew: "已写入新任务的需求。",
    unusedLines: (count) => `标准输入中没有被用到的行:${count}(要作为需求或补充的话,请用:flower -)`,
    cost: (total, step) => `目前共 ${total},其中本步骤 ${step}`,
    help: [
      "文字            给运行的消息;有提问时即为回答(序号选择选项,回车跳过)",
      "? 文字          旁边问一句;内容不会进入运行",
      "/status  /cost  正在做什么,花了多少",
      "/new [文字]     归档这个任务,重新开始",
      "Ctrl-C          带话打断;按两次:离开",
      "Alt-Enter, 上   换行;之前的输入",
    ],
    unknownCommand: (command) => `没有 ${command} 这个命令;前面加一个空格可作为消息发送`,
  },
  pt: {
    step: (index) => `etapa ${index}`,
    round: (round, rounds) => `rodada ${round}/${rounds}`,
    context: "contexto",
    handoffAt: (tokens) => `handoff em ${tokens}`,
    of: (budget) => `de ${budget}`,
    thinking: "pensando",
    writingHandoff: "escrevendo o documento de handoff",
    more: (agents) => `e mais ${agents}`,
    fault: (attempt, max) => `esperando o endpoint: tentativa ${attempt} de ${max}`,
    limit: (until) => `cota esgotada até ${until}`,
    question: "uma pergunta espera por você",
    left: (time) => `faltam ${time}`,
    keptForQuestion: "há uma pergunta aberta agora: Enter responde a ela com a sua linha",
    keptForMessage: "aquela pergunta acabou: Enter envia a sua linha como mensagem",
    review: "o documento de handoff espera por você",
    startsSoon: "iniciando",
    inBrief: "Foi acrescentada ao brief.",
    forNew: "Entra no pedido do novo trabalho.",
    unusedLines: (count) =>
      `linhas da entrada padrão que nada pediu: ${count} (como pedido ou como palavras são lidas com: flower -)`,
    cost: (total, step) => `${total} até agora, ${step} nesta etapa`,
    help: [
      "texto           mensagem para a execução; com uma pergunta aberta, a resposta (número escolhe, Enter pula)",
      "? texto         pergunta à parte; nada dela entra na execução",
      "/status  /cost  o que está fazendo, quanto custou",
      "/new [texto]    arquiva este trabalho e começa outro",
      "Ctrl-C          interrompe com palavras; duas vezes: sair",
      "Alt-Enter, Cima nova linha; linhas anteriores",
    ],
    unknownCommand: (command) => `${command} não é um comando; com um espaço na frente vai como mensagem`,
  },
  de: {
    step: (index) => `Schritt ${index}`,
    round: (round, rounds) => `Runde ${round}/${rounds}`,
    context: "Kontext",
    handoffAt: (tokens) => `Handoff bei ${tokens}`,
    of: (budget) => `von ${budget}`,
    thinking: "denkt nach",
    writingHandoff: "schreibt das Handoff-Dokument",
    more: (agents) => `und ${agents} weitere`,
    fault: (attempt, max) => `wartet auf den Endpunkt: Versuch ${attempt} von ${max}`,
    limit: (until) => `Kontingent verbraucht bis ${until}`,
    question: "eine Frage wartet auf dich",
    left: (time) => `noch ${time}`,
    keptForQuestion: "jetzt ist eine Frage offen: Enter beantwortet sie mit deiner Zeile",
    keptForMessage: "jene Frage ist vorbei: Enter schickt deine Zeile als Nachricht",
    review: "das Handoff-Dokument wartet auf dich",
    startsSoon: "startet",
    inBrief: "Sie wurde dem Auftrag angefügt.",
    forNew: "Das kommt in den Auftrag der neuen Arbeit.",
    unusedLines: (count) =>
      `Zeilen der Standardeingabe, nach denen nichts gefragt hat: ${count} (als Auftrag oder als Worte werden sie gelesen mit: flower -)`,
    cost: (total, step) => `bisher ${total}, davon ${step} in diesem Schritt`,
    help: [
      "Text            Nachricht an den Lauf; bei offener Frage deren Antwort (Zahl wählt, Enter überspringt)",
      "? Text          Frage nebenher; nichts davon kommt in den Lauf",
      "/status  /cost  was gerade geschieht, was es gekostet hat",
      "/new [Text]     diese Arbeit archivieren und neu beginnen",
      "Strg-C          mit Worten unterbrechen; zweimal: gehen",
      "Alt-Enter, Auf  neue Zeile; frühere Zeilen",
    ],
    unknownCommand: (command) =>
      `${command} ist kein Befehl; mit einem Leerzeichen davor geht es als Nachricht`,
  },
};
