import type { Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import type { IndexEntry, IndexSection } from "./entries.ts";

/** The three sections of the index. */
export interface IndexContent {
  scripts: IndexSection;
  artifacts: IndexSection;
  notes: IndexSection;
}

interface IndexWords {
  title: string;
  scripts: string;
  artifacts: string;
  notes: string;
  nothing: string;
  more(count: number): string;
}

const WORDS: Readonly<Record<Locale, IndexWords>> = {
  en: {
    title: "Workbench index",
    scripts: "Scripts",
    artifacts: "Artifacts",
    notes: "Notes",
    nothing: "nothing yet",
    more: (count) => `and ${count} older`,
  },
  zh: {
    title: "工作台索引",
    scripts: "脚本",
    artifacts: "产物",
    notes: "笔记",
    nothing: "暂无",
    more: (count) => `另有 ${count} 个较早的`,
  },
  pt: {
    title: "Índice da bancada",
    scripts: "Scripts",
    artifacts: "Artefatos",
    notes: "Notas",
    nothing: "nada ainda",
    more: (count) => `e mais ${count} anteriores`,
  },
  de: {
    title: "Verzeichnis der Werkbank",
    scripts: "Skripte",
    artifacts: "Artefakte",
    notes: "Notizen",
    nothing: "noch nichts",
    more: (count) => `und ${count} ältere`,
  },
};

/** Text of `INDEX.md`: the same content always gives the same text. */
export function renderIndex(content: IndexContent, locale: Locale): string {
  const words = WORDS[locale];
  const sections = (["scripts", "artifacts", "notes"] as const).map((folder) => {
    const { entries, more } = content[folder];
    const lines = entries.map((entry) => entryLine(folder, entry));
    if (lines.length === 0) lines.push(`(${words.nothing})`);
    if (more > 0) lines.push(`(${words.more(more)})`);
    return `## ${words[folder]}\n\n${lines.join("\n")}\n`;
  });
  return [`# ${words.title}\n`, ...sections].join("\n");
}

/**
 * Entry lines that `current` has and `previous` has not (`+`), and the other way round (`-`).
 * Undefined when no entry came, went or changed its description.
 */
export function diffIndex(previous: string, current: string): string | undefined {
  const before = new Set(entryLines(previous));
  const after = new Set(entryLines(current));
  const removed = [...before].filter((line) => !after.has(line)).map((line) => `-${line.slice(1)}`);
  const added = [...after].filter((line) => !before.has(line)).map((line) => `+${line.slice(1)}`);
  return removed.length + added.length === 0 ? undefined : [...removed, ...added].join("\n");
}

function entryLines(index: string): string[] {
  return index.split("\n").filter((line) => line.startsWith("- "));
}

function entryLine(folder: string, { name, description }: IndexEntry): string {
  const line = description === undefined ? `${folder}/${name}` : `${folder}/${name}: ${description}`;
  return `- ${oneLine(line)}`;
}

/** A file name may hold anything, a line break too; it must not write lines of its own into a prompt. */
function oneLine(text: string): string {
  return stripControl(text).replace(/[\n\t\u2028\u2029]/g, " ");
}
