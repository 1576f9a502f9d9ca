import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { LOCALES, type Locale } from "../core/locale.ts";
import {
  documentFileCandidates,
  handoffArchiveFolder,
  handoffFileName,
  stepFileStem,
  type DocumentKind,
} from "../documents/names.ts";
import type { BookRow } from "../runtime/read-run.ts";
import type { WorkbenchPaths } from "../workbench/directories.ts";
import { ARCHIVE, readDocument } from "../workbench/documents.ts";

/** What `flower show` can show. */
export const SHOWN = ["brief", "goal", "handoff", "questions", "verdict", "index"] as const;

/** One of {@link SHOWN}. */
export type Shown = (typeof SHOWN)[number];

/** A document that is there. */
export interface FoundDocument {
  kind: Shown;
  /** The file; of a verdict the books that hold it. */
  path: string;
  /** Epoch ms. */
  modifiedMs: number;
  text: string;
}

/** Where documents are looked for. */
export interface DocumentPlaces {
  workbench: WorkbenchPaths;
  manifestPath: string;
  rows: readonly BookRow[];
  /** Its file names go first. */
  locale: Locale;
}

/**
 * Documents of a kind, whatever language wrote them, the newest first; more than one only of handoffs: those of the
 * other steps, and without any those in the archive.
 * @throws FlowerError `workspace` when a file is there and cannot be read.
 */
export function findDocuments(kind: Shown, places: DocumentPlaces): FoundDocument[] {
  switch (kind) {
    case "verdict":
      return lastVerdict(places);
    case "handoff":
      return handoffs(places.workbench.notes);
    case "index":
      return read(kind, places.workbench.root, [basename(places.workbench.index)]);
    default:
      return named(kind, places);
  }
}

function named(kind: DocumentKind, { workbench, locale }: DocumentPlaces): FoundDocument[] {
  return read(kind, workbench.notes, documentFileCandidates(kind, locale));
}

function read(kind: Shown, dir: string, names: readonly string[]): FoundDocument[] {
  const found = readDocument(dir, names);
  if (found === undefined) return [];
  const modifiedMs = statSync(found.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [{ kind, ...found, modifiedMs }];
}

function handoffs(notes: string): FoundDocument[] {
  const folders = [...new Set(LOCALES.map((locale) => join(notes, ARCHIVE, handoffArchiveFolder(locale))))];
  const frozen = markdownIn(notes).filter((name) => PREFIXES.some((prefix) => name.startsWith(prefix)));
  const found = frozen.flatMap((name) => read("handoff", notes, [name]));
  const archived = (): FoundDocument[] =>
    folders.flatMap((dir) => markdownIn(dir).flatMap((name) => read("handoff", dir, [name])));
  return (found.length > 0 ? found : archived()).sort((a, b) => b.modifiedMs - a.modifiedMs);
}

/** What stands in front of the step in a handoff's file name. */
const PREFIXES = [
  ...new Set(
    LOCALES.map((locale) =>
      handoffFileName("work", locale).slice(0, -`${stepFileStem("work", locale)}.md`.length),
    ),
  ),
];

function markdownIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}

/** A verdict is no file: it is what the judge said last. */
function lastVerdict({ rows, manifestPath }: DocumentPlaces): FoundDocument[] {
  const row = rows.findLast(({ step, text }) => step.includes("·verdict#") && text.trim() !== "");
  if (row === undefined) return [];
  const { text, endedAt, startedAt } = row;
  return [
    { kind: "verdict", path: manifestPath, text, modifiedMs: Date.parse(endedAt ?? startedAt ?? "") || 0 },
  ];
}
