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
 * Entry lines that `current` has and `previous` has not (`+`), and the other way round (`-`). A log that grows is no news.
 * Undefined when no entry came, went or changed its description.
 * @param isThere whether what a line names still exists: it only made room for newer entries then. Default: it does not.
 */
export function diffIndex(
  previous: string,
  current: string,
  isThere: (path: string) => boolean = () => false,
): string | undefined {
  const before = entryLines(previous);
  const after = entryLines(current);
  const named = new Set([...after.keys()].map(pathOf));
  const removed = [...before].filter(
    ([entry]) => !after.has(entry) && (named.has(pathOf(entry)) || !isThere(pathOf(entry))),
  );
  const added = [...after].filter(([entry]) => !before.has(entry));
  const lines = [
    ...removed.map(([, line]) => `-${line.slice(1)}`),
    ...added.map(([, line]) => `+${line.slice(1)}`),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Lines of an index by what they say beside the size. */
function entryLines(index: string): ReadonlyMap<string, string> {
  const lines = index.split("\n").filter((line) => line.startsWith("- "));
  return new Map(lines.map((line) => [line.replace(SIZE, ""), line]));
}

const SIZE = / \([\d.]+ [kMG]?B\)$/;

/** The path in a line without its size; a name with a colon and a space in it is cut short, and then not there. */
const pathOf = (entry: string): string => entry.slice(2).replace(/: .*$/, "");

function entryLine(folder: string, { name, sizeBytes, description }: IndexEntry): string {
  const line = description === undefined ? `${folder}/${name}` : `${folder}/${name}: ${description}`;
  return `- ${oneLine(line)}${sizeBytes === undefined ? "" : ` (${sizeText(sizeBytes)})`}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const step = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${["B", "kB", "MB", "GB"][step] ?? ""}`;
}

/** A file name may hold anything, a line break too; it must not write lines of its own into a prompt. */
function oneLine(text: string): string {
  return stripControl(text).replace(/[\n\t\u2028\u2029]/g, " ");
}
