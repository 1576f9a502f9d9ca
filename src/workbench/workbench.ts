import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { spillPointer } from "../context/spill-text.ts";
import { errorText } from "../core/errors.ts";
import { writeAtomic } from "../core/files.ts";
import type { Locale } from "../core/locale.ts";
import { prepareDirectories, workbenchPaths, type WorkbenchPaths } from "./directories.ts";
import { ARCHIVE, archiveAll, archiveDocument, freezeDocument, readDocument } from "./documents.ts";
import type { StoredDocument } from "./documents.ts";
import { listEntries } from "./entries.ts";
import { diffIndex, renderIndex } from "./index-text.ts";
import { coordinatorBlock, subagentBlock } from "./prompt-blocks.ts";
import { scriptDescriptions } from "./script-description.ts";
import { spillWriter, type SpillWriter } from "./spill-writer.ts";

/** Entries that a section of the index shows. */
const MAX_ENTRIES = 40;

/** How to open a workbench. */
export interface WorkbenchOptions {
  workspace: string;
  /** Language of the index. Default `en`. */
  locale?: Locale;
  /** Workers work in worktrees: the workbench lies beside the workspace. Default false. */
  isolated?: boolean;
  /** Name of a run's own workbench inside of the workspace's. Default: the workspace's. */
  part?: string;
  /** Hears, once each, that spilling or the index file fails; the run goes on. Default: nobody. */
  onProblem?: (message: string) => void;
}

/** The directory where material lives instead of in a context: scripts, artifacts, notes, spilled results. */
export class Workbench {
  /** Absolute. */
  readonly workspace: string;
  readonly paths: WorkbenchPaths;
  readonly #locale: Locale;
  readonly #spill: SpillWriter;
  readonly #describe = scriptDescriptions();
  readonly #onProblem: (message: string) => void;
  #indexFailed = false;

  private constructor(options: WorkbenchOptions) {
    this.workspace = resolve(options.workspace);
    this.paths = workbenchPaths(this.workspace, options.isolated ?? false, options.part);
    this.#locale = options.locale ?? "en";
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#spill = spillWriter(this.paths.spill, this.#onProblem);
  }

  /**
   * Creates what is missing of the directories (mode 0700).
   * @throws FlowerError `workspace` when the workspace is no directory or the workbench cannot be written.
   */
  static open(options: WorkbenchOptions): Workbench {
    const workbench = new Workbench(options);
    prepareDirectories(workbench.workspace, workbench.paths);
    return workbench;
  }

  /**
   * Text of the index as the directories are now, whoever wrote there: at most 40 entries a section, newest first, with
   * their sizes; the older ones counted. Only scripts that changed are read again.
   */
  index(): string {
    const { root, scripts, artifacts, notes } = this.paths;
    const common = { limit: MAX_ENTRIES, root };
    return renderIndex(
      {
        scripts: listEntries(scripts, { ...common, describe: this.#describe }),
        artifacts: listEntries(artifacts, common),
        notes: listEntries(notes, { ...common, skip: [ARCHIVE] }),
      },
      this.#locale,
    );
  }

  /** Brings `INDEX.md` up to date; true when it was not. A file that cannot be written is a problem, no error. */
  refresh(): boolean {
    const text = this.index();
    if (text === readIfPresent(this.paths.index)) return false;
    try {
      writeAtomic(this.paths.index, text);
    } catch (error) {
      if (!this.#indexFailed) this.#onProblem(`${this.paths.index} cannot be written: ${errorText(error)}`);
      this.#indexFailed = true;
    }
    return true;
  }

  /** What changed since an earlier text of {@link index}, as `+` and `-` lines; undefined when nothing did. */
  indexDiff(previous: string): string | undefined {
    return diffIndex(previous, this.index(), (path) => existsSync(join(this.paths.root, path)));
  }

  /** For the main thread, before its first turn: the place, the index and its three rules. */
  promptBlock(): string {
    return coordinatorBlock(this.paths.root, this.index());
  }

  /** For every subagent: the place and the rule for long output. The same text all through a run. */
  subagentBlock(): string {
    return subagentBlock(this.paths.root);
  }

  /** Writes a long text to `spill/`, named by its content. Undefined when it could not be written. */
  spill(text: string): { path: string } | undefined {
    return this.#spill.spill(text);
  }

  /** {@link Workbench.spill} and the line that points there; undefined when it could not be written. */
  spillPointer(text: string): string | undefined {
    const path = this.spill(text)?.path;
    return path === undefined ? undefined : spillPointer(text, path);
  }

  /** True for a file in `spill/`, however its path is spelled. A relative path starts at `cwd`, default the workspace. */
  isSpillPath(path: string, cwd: string = this.workspace): boolean {
    return this.#spill.isSpillPath(path, cwd);
  }

  /**
   * The first of these names in `notes/` that exists and is not blank.
   * @throws FlowerError `workspace` when a file is there and cannot be read.
   */
  readDocument(names: readonly string[]): StoredDocument | undefined {
    return readDocument(this.paths.notes, names);
  }

  /**
   * Writes a document to `notes/`, atomically, mode 0600. Returns its path.
   * @throws FlowerError `usage` for a name with slashes, `workspace` when it cannot be written.
   */
  freezeDocument(name: string, text: string): string {
    return freezeDocument(this.paths.notes, name, text);
  }

  /**
   * Moves a file to `notes/archive/<folder>/<name>`, never over another one. Returns the new path.
   * @throws FlowerError `usage` for a folder or name with slashes, `workspace` when it cannot be moved.
   */
  archive(path: string, folder: string, name: string): string {
    return archiveDocument(this.paths.notes, path, folder, name);
  }

  /**
   * Moves all of `notes/` to `notes/archive/<timestamp>/`. Returns that folder; undefined when there was nothing.
   * @throws FlowerError `workspace` when something cannot be moved.
   */
  archiveAll(timestamp: string): string | undefined {
    return archiveAll(this.paths.notes, timestamp);
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
