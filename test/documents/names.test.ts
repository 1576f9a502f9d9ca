import { describe, expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import {
  documentFileCandidates,
  documentFileName,
  handoffFileCandidates,
  handoffFileName,
  stepDisplayName,
} from "../../src/documents/names.ts";
import {
  DEGRADED_MARKS,
  degradedError,
  EMPTY,
  HEADINGS,
  interruptedNote,
  staleNote,
  VERDICT_WORDS,
} from "../../src/documents/wording.ts";

const IDS = ["clarify", "goal", "work", "work·verdict#1", "work#round2"];
const row = (sections: Record<string, Record<string, string>>, locale: string): string =>
  Object.values(sections)
    .map((byLocale) => byLocale[locale])
    .join(" · ");

describe("step names", () => {
  it.each([
    ["en", "clarify | goal | work | work·verdict#1 | work#round2"],
    ["zh", "确认需求 | 设定目标 | 干活 | 干活·判定#1 | 干活#round2"],
    ["pt", "esclarecer | objetivo | trabalho | trabalho·veredito#1 | trabalho#rodada2"],
    ["de", "klären | ziel | arbeit | arbeit·urteil#1 | arbeit#runde2"],
  ] as const)("in %s", (locale, names) => {
    expect(IDS.map((id) => stepDisplayName(id, locale)).join(" | ")).toBe(names);
  });

  it("pass other ids through", () => {
    for (const id of ["deploy", "constructor", "fix #roundup", "workshop", ""])
      expect(LOCALES.map((locale) => stepDisplayName(id, locale))).toEqual([id, id, id, id]);
  });
});

describe("file names", () => {
  it("of frozen documents", () => {
    expect(documentFileName("brief", "de")).toBe("brief.md");
    expect((["brief", "goal", "questions"] as const).map((kind) => documentFileName(kind, "zh"))).toEqual([
      "需求.md",
      "目标.md",
      "问答记录.md",
    ]);
    expect(documentFileCandidates("goal", "zh")).toEqual(["目标.md", "goal.md"]);
    expect(documentFileCandidates("goal", "pt")).toEqual(["goal.md", "目标.md"]);
  });

  it.each([
    ["work", "en", "handoff-work.md"],
    ["work", "zh", "交接-干活.md"],
    ["work#round2", "pt", "handoff-trabalho#rodada2.md"],
    ["a/b: c?", "en", "handoff-a-b-c-ffa602.md"],
    ["../../etc", "en", "handoff-etc-74ccf3.md"],
    ["a\u0000b\nc", "en", "handoff-a-b-c-214df3.md"],
    ["..", "en", "handoff-step-5ec1f7.md"],
    ["a/b", "en", "handoff-a-b-c14cdd.md"],
    ["a-b", "en", "handoff-a-b.md"],
  ] as const)("of the handoff of %j in %s", (step, locale, name) => {
    expect(handoffFileName(step, locale)).toBe(name);
    expect(handoffFileCandidates(step)).toContain(name);
  });

  it.each(["x".repeat(300), "汉".repeat(100)])("stay short enough for file systems", (step) => {
    expect(Buffer.byteLength(handoffFileName(step, "zh"))).toBeLessThan(160);
    expect(handoffFileName(step, "en")).not.toBe(handoffFileName(`${step}y`, "en"));
  });
});

describe("exact wording", () => {
  it.each([
    ["en", "Doing now · Already decided · Dead ends · Next step · Scene"],
    ["zh", "现在在做什么 · 已经定下的 · 走不通的路 · 下一步 · 现场"],
    ["pt", "Fazendo agora · Já decidido · Sem saída · Próximo passo · Cena"],
    ["de", "Gerade in Arbeit · Schon entschieden · Sackgassen · Nächster Schritt · Schauplatz"],
  ])("of a handoff's headings in %s", (locale, expected) => {
    expect(row(HEADINGS.handoff, locale)).toBe(expected);
  });

  it.each([
    ["en", "Goal · Acceptance criteria · Boundaries · Unknowns and assumptions"],
    ["zh", "目标 · 验收标准 · 边界 · 未知与假设"],
    ["pt", "Objetivo · Critérios de aceite · Limites · Incógnitas e suposições"],
    ["de", "Ziel · Abnahmekriterien · Grenzen · Unbekanntes und Annahmen"],
  ])("of a brief's headings in %s", (locale, expected) => {
    expect(row(HEADINGS.brief, locale)).toBe(expected);
  });

  it.each([
    ["en", "Goal · Checks", "Conclusion · Reason · Failed", "achieved · not yet · unreachable"],
    ["zh", "目标 · 判定清单", "结论 · 理由 · 未通过", "达成 · 未达成 · 无法达成"],
    [
      "pt",
      "Objetivo · Verificações",
      "Conclusão · Motivo · Reprovados",
      "alcançado · ainda não · inalcançável",
    ],
    [
      "de",
      "Ziel · Prüfpunkte",
      "Ergebnis · Begründung · Nicht erfüllt",
      "erreicht · noch nicht · unerreichbar",
    ],
  ])("of goal and verdict in %s", (locale, goal, verdict, words) => {
    expect(row(HEADINGS.goal, locale)).toBe(goal);
    expect(row(HEADINGS.verdict, locale)).toBe(verdict);
    expect(row(VERDICT_WORDS, locale)).toBe(words);
  });

  it("of markers and notes", () => {
    expect(EMPTY).toEqual({ en: "(empty)", zh: "(空)", pt: "(vazio)", de: "(leer)" });
    expect(Object.values(DEGRADED_MARKS)).toEqual([
      "[degraded: the handoff was not written]",
      "[降级:交接没写成]",
      "[degradado: o handoff não foi escrito]",
      "[degradiert: der Handoff wurde nicht geschrieben]",
    ]);
    expect(LOCALES.map((locale) => degradedError("x", locale))).toEqual([
      "handoff degraded (x)",
      "交接降级(x)",
      "handoff degradado (x)",
      "Handoff degradiert (x)",
    ]);
    const stale =
      "[result of `ls` is stale (3 rounds ago); the state may have changed, run it again if needed]";
    expect(LOCALES.map((locale) => staleNote("ls", 3, locale))).toEqual([
      stale,
      "[`ls` 的结果已过期(第 3 轮前),当前状态可能已变。需要请重新执行]",
      stale,
      stale,
    ]);
    const cut = "[interrupted here last time; this result was never produced]";
    expect(LOCALES.map(interruptedNote)).toEqual([cut, "[上一轮在此处被中断,该工具结果未产生]", cut, cut]);
  });
});
