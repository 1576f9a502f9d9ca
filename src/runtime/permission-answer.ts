import { LOCALES } from "../core/locale.ts";
import { PERMISSION_TEXTS } from "./permission-texts.ts";

/** What the person decided; their own words go to the model. */
export type PermissionAnswer = { allow: "once" | "run" } | { allow: false; words?: string };

const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[.!。]+$/, "");

const TEXTS = LOCALES.map((locale) => PERMISSION_TEXTS[locale]);
const ONCE = new Set([...TEXTS.map(({ once }) => folded(once)), ..."y yes s sim j ja 是 好".split(" ")]);
const RUN = new Set(TEXTS.map(({ run }) => folded(run)));
const LEADING_NO = /^(?:no|n|não|nao|nein|不允许|不|否)(?:$|[\s.,;:!,。:;]+)/iu;

/**
 * Reads an answer to a permission, in the option's words of any locale. Only a plain yes is one: whatever else is said
 * is a no with words, for "once, but without --force" does not allow what was asked.
 */
export function readPermission(answer: string): PermissionAnswer {
  const said = folded(answer);
  if (ONCE.has(said)) return { allow: "once" };
  if (RUN.has(said)) return { allow: "run" };
  const words = answer.trim().replace(LEADING_NO, "").trim();
  return words === "" ? { allow: false } : { allow: false, words };
}
