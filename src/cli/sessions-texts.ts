import type { Locale } from "../core/locale.ts";

/** What `flower sessions` says. */
export interface SessionsTexts {
  step: string;
  status: string;
  begun: string;
  size: string;
  context: string;
  cost: string;
  session: string;
  none: string;
}

/** By locale. */
export const SESSIONS_TEXTS: Readonly<Record<Locale, SessionsTexts>> = {
  en: {
    step: "step",
    status: "status",
    begun: "begun",
    size: "size",
    context: "context",
    cost: "cost",
    session: "session",
    none: "no sessions yet",
  },
  zh: {
    step: "步骤",
    status: "状态",
    begun: "开始",
    size: "大小",
    context: "上下文",
    cost: "费用",
    session: "会话",
    none: "还没有会话",
  },
  pt: {
    step: "etapa",
    status: "estado",
    begun: "início",
    size: "tamanho",
    context: "contexto",
    cost: "custo",
    session: "sessão",
    none: "nenhuma sessão ainda",
  },
  de: {
    step: "Schritt",
    status: "Stand",
    begun: "begonnen",
    size: "Größe",
    context: "Kontext",
    cost: "Kosten",
    session: "Sitzung",
    none: "noch keine Sitzungen",
  },
};
