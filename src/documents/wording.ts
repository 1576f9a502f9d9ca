import type { Locale } from "../core/locale.ts";

/** Texts by locale. */
export type ByLocale<T = string> = Readonly<Record<Locale, T>>;

/** Canonical headings of every section, as the documents are written. */
export const HEADINGS = {
  handoff: {
    doing: { en: "Doing now", zh: "现在在做什么", pt: "Fazendo agora", de: "Gerade in Arbeit" },
    decided: { en: "Already decided", zh: "已经定下的", pt: "Já decidido", de: "Schon entschieden" },
    deadEnds: { en: "Dead ends", zh: "走不通的路", pt: "Sem saída", de: "Sackgassen" },
    next: { en: "Next step", zh: "下一步", pt: "Próximo passo", de: "Nächster Schritt" },
    scene: { en: "Scene", zh: "现场", pt: "Cena", de: "Schauplatz" },
  },
  brief: {
    goal: { en: "Goal", zh: "目标", pt: "Objetivo", de: "Ziel" },
    acceptance: {
      en: "Acceptance criteria",
      zh: "验收标准",
      pt: "Critérios de aceite",
      de: "Abnahmekriterien",
    },
    boundaries: { en: "Boundaries", zh: "边界", pt: "Limites", de: "Grenzen" },
    unknowns: {
      en: "Unknowns and assumptions",
      zh: "未知与假设",
      pt: "Incógnitas e suposições",
      de: "Unbekanntes und Annahmen",
    },
  },
  goal: {
    statement: { en: "Goal", zh: "目标", pt: "Objetivo", de: "Ziel" },
    checks: { en: "Checks", zh: "判定清单", pt: "Verificações", de: "Prüfpunkte" },
  },
  verdict: {
    conclusion: { en: "Conclusion", zh: "结论", pt: "Conclusão", de: "Ergebnis" },
    reason: { en: "Reason", zh: "理由", pt: "Motivo", de: "Begründung" },
    failed: { en: "Failed", zh: "未通过", pt: "Reprovados", de: "Nicht erfüllt" },
  },
  bequest: {
    about: { en: "What this is", zh: "这是什么", pt: "O que é isto", de: "Was das ist" },
    acceptance: { en: "Acceptance", zh: "验收", pt: "Aceite", de: "Abnahme" },
    generated: { en: "Generated files", zh: "生成的文件", pt: "Arquivos gerados", de: "Erzeugte Dateien" },
    deadEnds: { en: "Dead ends", zh: "走不通的路", pt: "Sem saída", de: "Sackgassen" },
    workbench: { en: "Workbench", zh: "工作台", pt: "Bancada", de: "Werkbank" },
  },
} as const satisfies Record<string, Record<string, ByLocale>>;

/** Heading of the part that flower puts at the end of a handoff; no section of what a session writes. */
export const FACTS_HEADING: ByLocale = { en: "Facts", zh: "事实", pt: "Fatos", de: "Fakten" };

/** Label of the Facts part's first line. */
export const FACTS_GENERATION: ByLocale = {
  en: "Generation",
  zh: "第几代",
  pt: "Geração",
  de: "Generation",
};

/** Pattern of the line with which the Facts part begins, in any locale. */
export const FACTS_LINE = `[-*] (?:${Object.values(FACTS_GENERATION).join("|")})[:\\uff1a] *\\d`;

/** Other headings that people and models write for the same sections, in all locales. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  doing: [
    ...["Doing", "In progress", "Current work", "Currently doing", "Current task"],
    ...["现在在做", "正在做", "正在做什么", "当前工作", "目前在做"],
    ...["Fazendo", "Em andamento", "O que está sendo feito"],
    ...["In Arbeit", "Gerade dabei", "Aktuelle Arbeit"],
  ],
  decided: [
    ...["Decided", "Decisions", "Decisions made", "What is decided"],
    ...["已定的事", "已定的", "已定", "已经定下的事", "已经决定的", "已决定", "决定"],
    ...["Decidido", "Decisões", "Decisões tomadas"],
    ...["Entschieden", "Entscheidungen", "Bereits entschieden"],
  ],
  deadEnds: [
    ...["Dead end", "Deadends", "What did not work", "What didn't work", "Tried and failed"],
    ...["试过不行的", "试过不行的路", "走不通的", "死路", "行不通的"],
    ...["Sem saídas", "Becos sem saída", "Beco sem saída", "O que não funcionou"],
    ...["Sackgasse", "Was nicht ging", "Was nicht funktioniert hat"],
  ],
  next: [
    ...["Next", "Next steps", "The next step"],
    ...["接下来", "下一步做什么", "下一步要做的"],
    ...["Próximo", "Próximos passos", "A seguir"],
    ...["Nächste Schritte", "Als Nächstes", "Weiter"],
  ],
  scene: [
    ...["The scene", "State", "Current state"],
    ...["场景", "现场情况", "当前状态"],
    ...["Cenário", "Situação"],
    ...["Lage", "Stand", "Szene"],
  ],
  goal: [...["Goals", "The goal", "Objective"], ...["目的"], ...["Objetivos", "Meta"], ...["Ziele"]],
  acceptance: [
    ...["Acceptance", "Acceptance criterion", "Criteria"],
    ...["验收", "验收条件"],
    ...["Aceite", "Critérios de aceitação", "Critério de aceite"],
    ...["Abnahme", "Akzeptanzkriterien", "Abnahmekriterium"],
  ],
  boundaries: [
    ...["Boundary", "Limits", "Constraints", "Out of scope"],
    ...["约束", "范围", "限制", "边界条件"],
    ...["Limite", "Fronteiras", "Restrições"],
    ...["Grenze", "Einschränkungen", "Abgrenzung"],
  ],
  unknowns: [
    ...["Unknowns", "Assumptions", "Unknowns & assumptions", "Assumptions and unknowns", "Open questions"],
    ...["未知", "假设", "未知和假设", "未知、假设"],
    ...["Incógnitas", "Suposições", "Desconhecidos e suposições"],
    ...["Annahmen", "Unbekanntes", "Unbekannte und Annahmen", "Offene Fragen"],
  ],
  statement: [
    ...["Goals", "The goal", "Goal statement", "Statement"],
    ...["目标陈述", "目的"],
    ...["Objetivos", "Meta"],
    ...["Ziele", "Zielsetzung"],
  ],
  checks: [
    ...["Check", "Checklist", "Check list"],
    ...["判定", "判定项", "检查项", "检查清单"],
    ...["Verificação", "Lista de verificação"],
    ...["Prüfpunkt", "Prüfungen", "Prüfliste"],
  ],
  conclusion: [...["Verdict"], ...["判定", "判定结论"], ...["Veredito"], ...["Urteil", "Fazit"]],
  reason: [
    ...["Reasons", "Reasoning", "Rationale"],
    ...["原因", "依据"],
    ...["Motivos", "Razão", "Justificativa"],
    ...["Grund", "Gründe"],
  ],
  failed: [
    ...["Failed checks", "Failures", "Not passed"],
    ...["未通过项", "未通过的", "不通过"],
    ...["Reprovado", "Reprovadas", "Não aprovados"],
    ...["Nicht bestanden", "Durchgefallen"],
  ],
};

/** What stands in an empty section. */
export const EMPTY: ByLocale = { en: "(empty)", zh: "(空)", pt: "(vazio)", de: "(leer)" };

const EMPTY_TEXTS: ReadonlySet<string> = new Set(Object.values(EMPTY));
const NONE_TEXTS: ReadonlySet<string> = new Set([
  ...["none", "nothing", "n/a", "无", "没有", "空", "nenhum", "nenhuma", "nada", "keine", "keiner", "nichts"],
  ...["empty", "vazio", "leer"],
]);

/** NFKC makes the full-width parentheses of Chinese input plain ones. */
function bare(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/<!--[^]*?-->/g, "")
    .trim()
    .replace(/^[-*+]\s+/, "")
    .replace(/^([*_]{1,3})(.+)\1$/, "$2")
    .replace(/[.。]$/, "")
    .toLowerCase();
}

/**
 * Whether a section has no text: nothing, rules or HTML comments only, or the empty-section text of any locale. "None" is an answer:
 * a brief may well have no boundaries.
 */
export function isEmptyText(text: string): boolean {
  const words = bare(text);
  return EMPTY_TEXTS.has(words) || /^[-–—*_\s]*$/.test(words);
}

/** Whether a list entry only says that there is none. */
export function saysNone(text: string): boolean {
  return isEmptyText(text) || NONE_TEXTS.has(bare(text).replace(/^\((.*)\)$/, "$1"));
}

/** Stands in `doing` of a handoff that the session did not write. */
export const DEGRADED_MARKS: ByLocale = {
  en: "[degraded: the handoff was not written]",
  zh: "[降级:交接没写成]",
  pt: "[degradado: o handoff não foi escrito]",
  de: "[degradiert: der Handoff wurde nicht geschrieben]",
};

const DEGRADED_ERRORS: ByLocale<(why: string) => string> = {
  en: (why) => `handoff degraded (${why})`,
  zh: (why) => `交接降级(${why})`,
  pt: (why) => `handoff degradado (${why})`,
  de: (why) => `Handoff degradiert (${why})`,
};

/** Entry in `errors` of a step whose handoff is degraded. */
export function degradedError(why: string, locale: Locale): string {
  return DEGRADED_ERRORS[locale](why);
}

/** Stands where the result of a glance command was. */
export function staleNote(command: string, rounds: number, locale: Locale): string {
  return locale === "zh"
    ? `[\`${command}\` 的结果已过期(第 ${rounds} 轮前),当前状态可能已变。需要请重新执行]`
    : `[result of \`${command}\` is stale (${rounds} rounds ago); the state may have changed, run it again if needed]`;
}

/** Stands where an interruption left no result. */
export function interruptedNote(locale: Locale): string {
  return locale === "zh"
    ? "[上一轮在此处被中断,该工具结果未产生]"
    : "[interrupted here last time; this result was never produced]";
}

/** The three words of a verdict. */
export const VERDICT_WORDS = {
  achieved: { en: "achieved", zh: "达成", pt: "alcançado", de: "erreicht" },
  notYet: { en: "not yet", zh: "未达成", pt: "ainda não", de: "noch nicht" },
  unreachable: { en: "unreachable", zh: "无法达成", pt: "inalcançável", de: "unerreichbar" },
} as const satisfies Record<string, ByLocale>;

/** The documents' language, for rules that are written in English. */
export const LANGUAGE_NAMES: ByLocale = { en: "English", zh: "Chinese", pt: "Portuguese", de: "German" };
