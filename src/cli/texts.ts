import type { Locale } from "../core/locale.ts";
import { DE } from "./texts/de.ts";
import type { Texts } from "./texts/contract.ts";
import { EN } from "./texts/en.ts";
import { PT } from "./texts/pt.ts";
import { ZH } from "./texts/zh.ts";

const TEXTS: Readonly<Record<Locale, Texts>> = { en: EN, zh: ZH, pt: PT, de: DE };

/** Interface texts in a language. */
export function textsFor(locale: Locale): Texts {
  return TEXTS[locale];
}

/** All words that the interface says. */
export type { Texts };
