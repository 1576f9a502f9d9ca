import type { Locale } from "../core/locale.ts";
import type { PermissionRequest } from "../gate/gate.ts";

/** How a permission is asked for. */
export interface PermissionTexts {
  /** First line, by kind of call. `who`: type of the subagent; undefined = the main thread. */
  asks(who: string | undefined, kind: PermissionRequest["kind"], tool: string): string;
  directory: string;
  /** What {@link run} would cover. */
  covers: Readonly<Record<PermissionRequest["kind"], string>>;
  once: string;
  run: string;
  no: string;
}

/** By locale. */
export const PERMISSION_TEXTS: Readonly<Record<Locale, PermissionTexts>> = {
  en: {
    asks: (who = "the main thread", kind, tool) =>
      `${who} wants to ${
        {
          command: "run this command",
          write: `write this file (${tool})`,
          read: `read this file, outside of the workspace`,
          search: `search outside of the workspace (${tool})`,
          tool: `use ${tool}`,
        }[kind]
      }`,
    directory: "directory",
    covers: {
      command: "for this run: exactly this command in this directory",
      write: "for this run: any file that lies directly in this directory",
      read: "for this run: reading any file that lies directly in this directory",
      search: "for this run: searching in these places",
      tool: "for this run: this tool, whatever its input",
    },
    once: "once",
    run: "for this run",
    no: "no",
  },
  zh: {
    asks: (who = "主线程", kind, tool) =>
      `${who} 想要${
        {
          command: "运行这条命令",
          write: `写入这个文件(${tool})`,
          read: "读取工作区以外的这个文件",
          search: `在工作区以外查找(${tool})`,
          tool: `使用 ${tool}`,
        }[kind]
      }`,
    directory: "目录",
    covers: {
      command: "本次运行都允许:仅限此目录下完全相同的命令",
      write: "本次运行都允许:直接位于此目录中的任何文件",
      read: "本次运行都允许:读取直接位于此目录中的任何文件",
      search: "本次运行都允许:在这些位置查找",
      tool: "本次运行都允许:这个工具,不论输入",
    },
    once: "仅此一次",
    run: "本次运行都允许",
    no: "不允许",
  },
  pt: {
    asks: (who = "a conversa principal", kind, tool) =>
      `${who} quer ${
        {
          command: "executar este comando",
          write: `escrever este arquivo (${tool})`,
          read: "ler este arquivo, fora do diretório de trabalho",
          search: `procurar fora do diretório de trabalho (${tool})`,
          tool: `usar ${tool}`,
        }[kind]
      }`,
    directory: "diretório",
    covers: {
      command: "nesta execução: exatamente este comando neste diretório",
      write: "nesta execução: qualquer arquivo que esteja diretamente neste diretório",
      read: "nesta execução: ler qualquer arquivo que esteja diretamente neste diretório",
      search: "nesta execução: procurar nestes lugares",
      tool: "nesta execução: esta ferramenta, com qualquer entrada",
    },
    once: "uma vez",
    run: "nesta execução",
    no: "não",
  },
  de: {
    asks: (who = "der Hauptstrang", kind, tool) =>
      `${who} möchte ${
        {
          command: "diesen Befehl ausführen",
          write: `diese Datei schreiben (${tool})`,
          read: "diese Datei außerhalb des Arbeitsverzeichnisses lesen",
          search: `außerhalb des Arbeitsverzeichnisses suchen (${tool})`,
          tool: `${tool} benutzen`,
        }[kind]
      }`,
    directory: "Verzeichnis",
    covers: {
      command: "für diesen Lauf: genau dieser Befehl in diesem Verzeichnis",
      write: "für diesen Lauf: jede Datei, die unmittelbar in diesem Verzeichnis liegt",
      read: "für diesen Lauf: das Lesen jeder Datei unmittelbar in diesem Verzeichnis",
      search: "für diesen Lauf: die Suche an diesen Orten",
      tool: "für diesen Lauf: dieses Werkzeug, gleich mit welcher Eingabe",
    },
    once: "einmal",
    run: "für diesen Lauf",
    no: "nein",
  },
};
