import type { Locale } from "../core/locale.ts";

/** What `flower show` says. */
export interface ShowTexts {
  none(notes: string): string;
}

/** By locale. */
export const SHOW_TEXTS: Readonly<Record<Locale, ShowTexts>> = {
  en: { none: (notes) => `no documents yet in ${notes}` },
  zh: { none: (notes) => `${notes} 里还没有文档` },
  pt: { none: (notes) => `nenhum documento ainda em ${notes}` },
  de: { none: (notes) => `noch keine Dokumente in ${notes}` },
};
