import type { Locale } from "../core/locale.ts";
import { FACTS_GENERATION, FACTS_HEADING, type ByLocale } from "./wording.ts";

/** What transcript and disk say at a handoff, whatever the session wrote. Lists are oldest first, without secrets. */
export interface HandoffFacts {
  /** The generation that ends with this handoff, from 1. */
  generation: number;
  filesWritten: readonly string[];
  /** Tasks given to subagents, each with the first line of its report; empty while there is none. */
  dispatches: ReadonlyArray<{ task: string; report: string }>;
  /** Open to-dos, in the order of the plan. */
  todos: readonly string[];
  /** Absent outside a repository; `head` is empty before its first commit, `status` may have several lines. */
  git?: { head: string; status: string };
  artifactsAdded: readonly string[];
  notesAdded: readonly string[];
  /** The last command that failed; `exit` is its code, or words where it had none. */
  lastFailure?: { command: string; exit: string };
}

/** Characters of the whole part, so that facts never crowd out what the session itself had to say. */
const LIMIT_CHARS = 4_000;
/** Characters of one line. */
const LINE_CHARS = 240;
/** Characters of a task in a dispatch's line: the report is worth more. */
const TASK_CHARS = 80;

const LABELS = {
  generation: FACTS_GENERATION,
  lastFailure: {
    en: "Last failing command",
    zh: "最后失败的命令",
    pt: "Último comando que falhou",
    de: "Letzter fehlgeschlagener Befehl",
  },
  exit: { en: "exit code", zh: "退出码", pt: "código de saída", de: "Exit-Code" },
  status: { en: "Git status", zh: "Git 状态", pt: "Estado do Git", de: "Git-Status" },
  todos: { en: "Open to-dos", zh: "未完成的待办", pt: "Tarefas em aberto", de: "Offene To-dos" },
  dispatches: { en: "Dispatches", zh: "派出的任务", pt: "Tarefas delegadas", de: "Vergebene Aufgaben" },
  files: { en: "Files written", zh: "写过的文件", pt: "Arquivos escritos", de: "Geschriebene Dateien" },
  artifacts: { en: "Artifacts added", zh: "新增产物", pt: "Artefatos novos", de: "Neue Artefakte" },
  notes: { en: "Notes added", zh: "新增笔记", pt: "Notas novas", de: "Neue Notizen" },
} as const satisfies Record<string, ByLocale>;

const MORE: ByLocale<(count: number) => string> = {
  en: (count) => `… and ${count} more`,
  zh: (count) => `… 还有 ${count} 项`,
  pt: (count) => `… e mais ${count}`,
  de: (count) => `… und ${count} weitere`,
};

/** One list of the part; what does not fit is counted in its last line. */
interface List {
  label: string;
  items: readonly string[];
  shown: string[];
}

/**
 * The Facts part, to stand behind a handoff's sections; its parser drops it again, so that every generation gets its
 * own. Every item is one line. Lists are cut evenly, what is newest stays (to-dos keep the plan's order).
 * @param limitChars the part is never longer; default 4,000. Too short for the heading: the empty string.
 */
export function factsMarkdown(facts: HandoffFacts, locale: Locale, limitChars = LIMIT_CHARS): string {
  const more = MORE[locale];
  const heading = `## ${FACTS_HEADING[locale]}\n`;
  let room = limitChars - heading.length - 1;
  if (room < 0) return "";
  /** Takes the room of lines, each with its line break, if there is as much. */
  const take = (...lines: string[]): boolean => {
    const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (chars > room) return false;
    room -= chars;
    return true;
  };

  const single = singleLines(facts, locale).filter((line) => take(line));
  const lists = listsOf(facts, locale).filter(({ label, items }) =>
    // The line that counts the rest is paid in advance: then cutting never has to take back what was shown.
    items.length > 0 ? take(label, item(more(items.length))) : false,
  );
  for (let open = [...lists]; open.length > 0;)
    open = open.filter((list) => {
      const next = list.items[list.shown.length];
      if (next === undefined || !take(item(next))) return false;
      list.shown.push(item(next));
      return true;
    });

  const listed = lists.flatMap(({ label, items, shown }) => {
    const hidden = items.length - shown.length;
    return [label, ...shown, ...(hidden > 0 ? [item(more(hidden))] : [])];
  });
  return `${[heading, ...single, ...listed].join("\n")}\n`;
}

function singleLines({ generation, git, lastFailure }: HandoffFacts, locale: Locale): string[] {
  const line = (label: string, text: string): string => clip(`- ${label}: ${text}`, LINE_CHARS);
  const lines = [line(LABELS.generation[locale], String(generation))];
  if (lastFailure !== undefined) {
    const { command, exit } = lastFailure;
    const ended = /^\d+$/.test(exit) ? `${LABELS.exit[locale]} ${exit}` : clip(flat(exit), TASK_CHARS);
    const shown = clip(flat(command), LINE_CHARS - 2 * TASK_CHARS);
    lines.push(line(LABELS.lastFailure[locale], `${shown} → ${ended}`));
  }
  if (git !== undefined) {
    if (git.head !== "") lines.push(line("Git HEAD", flat(git.head)));
    const changes = git.status.split(/\r\n?|\n/).map(flat);
    const status = changes.filter((change) => change !== "").join("; ");
    if (status !== "") lines.push(line(LABELS.status[locale], status));
  }
  return lines;
}

function listsOf(facts: HandoffFacts, locale: Locale): List[] {
  const list = (name: keyof typeof LABELS, items: readonly string[]): List => {
    const said = items.map(flat).filter((each) => each !== "");
    return { label: `- ${LABELS[name][locale]} (${said.length}):`, items: said, shown: [] };
  };
  const dispatches = facts.dispatches.map(({ task, report }) => {
    const [asked, answered] = [clip(flat(task), TASK_CHARS), flat(report)];
    return answered === "" ? asked : `${asked} → ${answered}`;
  });
  return [
    list("todos", facts.todos),
    list("dispatches", dispatches.toReversed()),
    list("files", facts.filesWritten.toReversed()),
    list("artifacts", facts.artifactsAdded.toReversed()),
    list("notes", facts.notesAdded.toReversed()),
  ];
}

/** A line of a list; what would make it a heading, a quote or code is escaped. */
function item(text: string): string {
  return clip(`  - ${text.replace(/^(?=#|>|`{3}|~{3})/, "\\")}`, LINE_CHARS);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function clip(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
