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
} as const satisfies Record<string, Record<string, ByLocale>>;

/** Other headings that people and models write for the same sections. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  doing: ["Doing", "In progress", "Current work", "现在在做", "正在做", "Fazendo", "In Arbeit"],
  decided: [
    "Decided",
    "Decisions",
    "已定的事",
    "已定的",
    "已经决定的",
    "Decidido",
    "Decisões",
    "Entschieden",
    "Entscheidungen",
  ],
  deadEnds: ["Dead end", "What did not work", "试过不行的", "走不通的", "Becos sem saída", "Sackgasse"],
  next: ["Next", "Next steps", "接下来", "Próximo", "Próximos passos", "Nächste Schritte", "Weiter"],
  scene: ["The scene", "State", "场景", "Cenário", "Lage"],
  goal: ["Goals", "Objective"],
  acceptance: ["Acceptance", "Acceptance criterion", "验收", "Aceite", "Critérios de aceitação", "Abnahme"],
  boundaries: ["Boundary", "Limits", "Constraints", "约束", "Fronteiras", "Einschränkungen"],
  unknowns: [
    "Unknowns",
    "Assumptions",
    "Unknowns & assumptions",
    "未知",
    "假设",
    "Suposições",
    "Annahmen",
    "Unbekanntes",
  ],
  statement: ["Goal statement", "Statement"],
  checks: ["Check", "Checklist", "判定", "检查项", "Verificação", "Prüfungen"],
  conclusion: ["Verdict", "判定结论", "Veredito", "Urteil", "Fazit"],
  reason: ["Reasons", "Reasoning", "原因", "Razão", "Grund"],
  failed: ["Failed checks", "Not passed", "未通过项", "Reprovado", "Nicht bestanden"],
};

/** What stands in an empty section. */
export const EMPTY: ByLocale = { en: "(empty)", zh: "(空)", pt: "(vazio)", de: "(leer)" };

/** Texts that mean "nothing here", of every locale. */
const EMPTY_TEXTS = new Set(
  [
    ...Object.values(EMPTY),
    "empty",
    "none",
    "(none)",
    "n/a",
    "-",
    "—",
    "无",
    "(无)",
    "空",
    "(空)",
    "nenhum",
    "(nenhum)",
    "keine",
    "(keine)",
  ].map((text) => text.toLowerCase()),
);

/** Whether a section's text says nothing. */
export function isEmptyText(text: string): boolean {
  const bare = text
    .trim()
    .replace(/^[-*]\s+/, "")
    .replace(/[.。]$/, "")
    .toLowerCase();
  return bare === "" || EMPTY_TEXTS.has(bare);
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
