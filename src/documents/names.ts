import { createHash } from "node:crypto";
import { LOCALES, type Locale } from "../core/locale.ts";
import type { ByLocale } from "./wording.ts";

/** Id of the step in which a session is asked for its part of a bequest; it comes behind the workflow. */
export const BEQUEST_STEP = "bequest";

const STEP_WORDS: Readonly<Record<string, ByLocale>> = {
  clarify: { en: "clarify", zh: "确认需求", pt: "esclarecer", de: "klären" },
  goal: { en: "goal", zh: "设定目标", pt: "objetivo", de: "ziel" },
  work: { en: "work", zh: "干活", pt: "trabalho", de: "arbeit" },
  [BEQUEST_STEP]: { en: "bequest", zh: "遗留说明", pt: "legado", de: "vermächtnis" },
};
const VERDICT: ByLocale = { en: "verdict", zh: "判定", pt: "veredito", de: "urteil" };
const ROUND: ByLocale = { en: "round", zh: "round", pt: "rodada", de: "runde" };

/** A step's name for the eye and for file names; its id stays English everywhere else. */
export function stepDisplayName(id: string, locale: Locale): string {
  const [, base = id, rest = ""] = /^([^·#]+)(.*)$/.exec(id) ?? [];
  const word = STEP_WORDS[base]?.[locale] ?? base;
  return (
    word +
    rest.replace(/·verdict#(?=\d+)/, `·${VERDICT[locale]}#`).replace(/#round(?=\d+$)/, `#${ROUND[locale]}`)
  );
}

const FILES = {
  brief: { en: "brief.md", zh: "需求.md", pt: "brief.md", de: "brief.md" },
  goal: { en: "goal.md", zh: "目标.md", pt: "goal.md", de: "goal.md" },
  questions: { en: "questions.md", zh: "问答记录.md", pt: "questions.md", de: "questions.md" },
} as const satisfies Record<string, ByLocale>;

/** Documents with a fixed file name in `notes/`. */
export type DocumentKind = keyof typeof FILES;

/** The name that a new document gets. */
export function documentFileName(kind: DocumentKind, locale: Locale): string {
  return FILES[kind][locale];
}

/** Names of every locale, the given one's first: an existing file wins, whatever language wrote it. */
export function documentFileCandidates(kind: DocumentKind, locale: Locale = "en"): string[] {
  return [...new Set([FILES[kind][locale], ...LOCALES.map((each) => FILES[kind][each])])];
}

const HANDOFF_PREFIX: ByLocale = { en: "handoff-", zh: "交接-", pt: "handoff-", de: "handoff-" };

/** File systems take 255 bytes; a prefix, a time and an ending come to it. */
const STEM_BYTES = 120;

/**
 * A step's name in the locale's words as a part of file names: what file systems refuse is replaced and a long name is
 * cut. A mark of the whole name stands behind what was changed, so that no two steps share a file.
 */
export function stepFileStem(step: string, locale: Locale): string {
  const name = stepDisplayName(step, locale);
  const safe = name.replace(/[\\/:*?"<>|\s\u0000-\u001f\u007f]+/g, "-").replace(/^[.-]+/, "");
  const short = cutBytes(safe, STEM_BYTES);
  if (short === name && short !== "") return short;
  const begin = short.replace(/-+$/, "");
  return `${begin === "" ? "step" : begin}-${createHash("sha256").update(name).digest("hex").slice(0, 6)}`;
}

function cutBytes(text: string, bytes: number): string {
  let kept = "";
  for (const char of text) {
    if (Buffer.byteLength(kept + char) > bytes) break;
    kept += char;
  }
  return kept;
}

/** `handoff-<step>.md`, in the locale's words. */
export function handoffFileName(step: string, locale: Locale): string {
  return `${HANDOFF_PREFIX[locale]}${stepFileStem(step, locale)}.md`;
}

/** Handoff file names of every locale. */
export function handoffFileCandidates(step: string): string[] {
  return [...new Set(LOCALES.map((locale) => handoffFileName(step, locale)))];
}

/** Folder below `notes/archive/` for earlier handoffs. */
export function handoffArchiveFolder(locale: Locale): string {
  return locale === "zh" ? "交接" : "handoff";
}
