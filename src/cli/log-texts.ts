import type { Locale } from "../core/locale.ts";

/** What `flower log` says. */
export interface LogTexts {
  session: string;
  step: string;
  agent: string;
  agents: string;
  nothing: string;
}

/** By locale. */
export const LOG_TEXTS: Readonly<Record<Locale, LogTexts>> = {
  en: {
    session: "session",
    step: "step",
    agent: "agent",
    agents: "agents",
    nothing: "nothing was said in it yet",
  },
  zh: { session: "会话", step: "步骤", agent: "子代理", agents: "子代理", nothing: "其中还没有内容" },
  pt: {
    session: "sessão",
    step: "etapa",
    agent: "agente",
    agents: "agentes",
    nothing: "nada foi dito nela ainda",
  },
  de: {
    session: "Sitzung",
    step: "Schritt",
    agent: "Agent",
    agents: "Agenten",
    nothing: "darin wurde noch nichts gesagt",
  },
};
