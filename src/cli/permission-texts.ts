import type { Locale } from "../core/locale.ts";

/** What the start line says of the mode `ask`. */
export const ASK_MODE: Readonly<Record<Locale, string>> = {
  en: "permissions ask: what changes something waits for your word (once, for this run, no), what auto refuses stays refused",
  zh: "权限 ask:凡有改动的操作都等你答复(仅此一次、本次运行都允许、不允许),auto 拒绝的仍然拒绝",
  pt: "permissões ask: o que muda algo espera pela sua palavra (uma vez, nesta execução, não); o que auto recusa continua recusado",
  de: "Berechtigungen ask: was etwas ändert, wartet auf dein Wort (einmal, für diesen Lauf, nein); was auto ablehnt, bleibt abgelehnt",
};
