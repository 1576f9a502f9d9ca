import type { Locale } from "../core/locale.ts";
import type { FileProblem } from "../runtime/read-run.ts";

/** What all commands say that read a run directory. */
export interface RunViewTexts {
  problem: Readonly<Record<FileProblem["kind"], (path: string, detail: string) => string>>;
  /** How long ago. */
  ago(duration: string): string;
}

/** By locale. */
export const RUN_VIEW_TEXTS: Readonly<Record<Locale, RunViewTexts>> = {
  en: {
    problem: {
      damaged: (path, detail) => `${path} is damaged (${detail})`,
      newer: (path, detail) => `${path} was written by a newer flower (${detail}): update flower to read it`,
      unreadable: (path, detail) => `${path} cannot be read: ${detail}`,
    },
    ago: (duration) => `${duration} ago`,
  },
  zh: {
    problem: {
      damaged: (path, detail) => `${path} 已损坏(${detail})`,
      newer: (path, detail) => `${path} 由更新版本的 flower 写成(${detail}):请更新 flower 再读`,
      unreadable: (path, detail) => `无法读取 ${path}:${detail}`,
    },
    ago: (duration) => `${duration} 前`,
  },
  pt: {
    problem: {
      damaged: (path, detail) => `${path} está danificado (${detail})`,
      newer: (path, detail) =>
        `${path} foi escrito por um flower mais novo (${detail}): atualize o flower para ler`,
      unreadable: (path, detail) => `${path} não pode ser lido: ${detail}`,
    },
    ago: (duration) => `há ${duration}`,
  },
  de: {
    problem: {
      damaged: (path, detail) => `${path} ist beschädigt (${detail})`,
      newer: (path, detail) =>
        `${path} stammt von einem neueren flower (${detail}): zum Lesen flower aktualisieren`,
      unreadable: (path, detail) => `${path} ist nicht lesbar: ${detail}`,
    },
    ago: (duration) => `vor ${duration}`,
  },
};
