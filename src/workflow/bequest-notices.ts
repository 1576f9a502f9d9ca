import type { Locale } from "../core/locale.ts";
import type { LeftAlone } from "./bequest-file.ts";

/** What is said of a bequest to the person. */
export interface BequestNotices {
  written(paths: string): string;
  nothing: string;
  failed(why: string): string;
  leftAlone(file: string, why: string): string;
  reasons: Readonly<Record<Exclude<LeftAlone["why"], "failed">, string>>;
  /** In place of a reason, of a run that did not end by itself. */
  threw: string;
}

/** By locale. */
export const BEQUEST_NOTICES: Readonly<Record<Locale, BequestNotices>> = {
  en: {
    written: (paths) => `bequest written to ${paths}`,
    nothing: "no bequest: there is neither a brief nor a goal yet",
    failed: (why) => `no bequest: ${why}`,
    leftAlone: (file, why) => `no bequest in ${file}: ${why}`,
    reasons: {
      readOnly: "it is read-only",
      noFile: "it is no file",
      leadsAway: "it is a link that leads out of the workspace, or to no .md file",
      noUtf8: "it is no text in UTF-8",
    },
    threw: "broken off by an error",
  },
  zh: {
    written: (paths) => `遗留说明已写入 ${paths}`,
    nothing: "没有遗留说明:还没有需求,也没有目标",
    failed: (why) => `没有遗留说明:${why}`,
    leftAlone: (file, why) => `${file} 里没有写遗留说明:${why}`,
    reasons: {
      readOnly: "文件是只读的",
      noFile: "它不是普通文件",
      leadsAway: "它是一个链接,指向工作目录之外,或者指向的不是 .md 文件",
      noUtf8: "它不是 UTF-8 文本",
    },
    threw: "因错误中断",
  },
  pt: {
    written: (paths) => `legado gravado em ${paths}`,
    nothing: "sem legado: ainda não há brief nem objetivo",
    failed: (why) => `sem legado: ${why}`,
    leftAlone: (file, why) => `sem legado em ${file}: ${why}`,
    reasons: {
      readOnly: "é somente leitura",
      noFile: "não é um arquivo",
      leadsAway: "é um link que sai do diretório de trabalho, ou que não leva a um arquivo .md",
      noUtf8: "não é texto em UTF-8",
    },
    threw: "interrompida por um erro",
  },
  de: {
    written: (paths) => `Vermächtnis geschrieben in ${paths}`,
    nothing: "kein Vermächtnis: es gibt noch weder Brief noch Ziel",
    failed: (why) => `kein Vermächtnis: ${why}`,
    leftAlone: (file, why) => `kein Vermächtnis in ${file}: ${why}`,
    reasons: {
      readOnly: "sie ist schreibgeschützt",
      noFile: "das ist keine Datei",
      leadsAway: "das ist ein Link, der aus dem Arbeitsbereich oder zu keiner .md-Datei führt",
      noUtf8: "das ist kein Text in UTF-8",
    },
    threw: "durch einen Fehler abgebrochen",
  },
};
