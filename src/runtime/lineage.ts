import { randomUUID } from "node:crypto";
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, realPath, writeJsonAtomic } from "../core/files.ts";
import { readJsonFile } from "./json-file.ts";
import { unwritable } from "./unwritable.ts";

/** Version of `lineage.json`. 1: first. */
const LINEAGE_VERSION = 1;
const LINEAGE_FILE = "lineage.json";

const ENTRY = z.object({
  sessionId: z.string().min(1),
  handoff: z.enum(["writing", "frozen", "started"]).optional(),
  generation: z.int().positive().optional(),
  cut: z.object({ reason: z.enum(["level", "overflow"]), context: z.int().nonnegative() }).optional(),
});
const FILE = z.object({
  v: z.literal(LINEAGE_VERSION),
  workspace: z.string(),
  woke: z.int().nonnegative(),
  steps: z.record(z.string(), ENTRY),
  /** Tells this lineage from another at the same place; of the first versions there is none. */
  id: z.string().optional(),
  /** Where it lay when it was written last. */
  runDir: z.string().optional(),
  request: z.string().optional(),
  words: z.array(z.string()).optional(),
  /** How many of them the brief holds; absent = all. */
  wordsInBrief: z.int().nonnegative().optional(),
  /** Folder of a start afresh that is under way. */
  archiving: z.string().optional(),
});

type File = z.infer<typeof FILE>;

/**
 * A step's last session; `handoff` says how far a change of generation had come when this was written, `generation`
 * which of the step's sessions it is, counted from 1 (absent = 1); `cut` why it hands over, and its context then, tokens.
 */
export type LineageEntry = {
  sessionId: string;
  handoff?: "writing" | "frozen" | "started";
  generation?: number;
  cut?: { reason: "level" | "overflow"; context: number };
};

/**
 * Step → last session, across processes; written the moment it changes, which throws FlowerError `workspace` where that
 * fails.
 */
export class Lineage {
  readonly path: string;
  /** What is odd about an earlier lineage, such as why it was not taken over; one line for the person. */
  readonly mismatch: string | undefined;
  #file: File;
  /** Throws when nothing may be written. */
  #check: () => void = () => undefined;

  private constructor(path: string, file: File, mismatch: string | undefined) {
    this.path = path;
    this.#file = file;
    this.mismatch = mismatch;
  }

  /**
   * Opens `<runDir>/lineage.json`, or starts a fresh one.
   * @throws FlowerError `format` for a file from a newer version; `workspace` where one of the two directories is none.
   */
  static open(runDir: string, workspace: string): Lineage {
    const path = join(runDir, LINEAGE_FILE);
    const here = { workspace: realDir(workspace), runDir: realDir(runDir) };
    const fresh = { v: LINEAGE_VERSION, id: randomUUID(), ...here, woke: 0, steps: {} } as const;
    const read = readJsonFile(path, FILE, LINEAGE_VERSION);
    if ("missing" in read) return new Lineage(path, fresh, undefined);
    if ("damaged" in read) return new Lineage(path, fresh, `${read.damaged}; starting fresh`);
    const before = read.value.workspace;
    if (before === here.workspace) return new Lineage(path, { ...read.value, ...here }, undefined);
    switch (originOf(read.value, here)) {
      case "copied":
        return new Lineage(
          path,
          fresh,
          `this is a copy of ${before}, which has its sessions; starting fresh`,
        );
      case "moved":
        return new Lineage(
          path,
          { ...read.value, ...here },
          `this directory was ${before} before; its sessions came along`,
        );
      case "foreign":
        return new Lineage(
          path,
          fresh,
          `the last run with this run directory belonged to another workspace (${before}); starting fresh`,
        );
    }
  }

  /** Has something asked before each change, which then does not happen when it throws. */
  guardedBy(check: () => void): this {
    this.#check = check;
    return this;
  }

  /** How often this directory was woken. */
  get woke(): number {
    return this.#file.woke;
  }

  /** Names of the steps whose last session is noted. */
  get steps(): string[] {
    return Object.keys(this.#file.steps);
  }

  /** The last session of a step; undefined when none is noted. */
  get(step: string): LineageEntry | undefined {
    // A step may be called like something that every object has.
    const entry = Object.hasOwn(this.#file.steps, step) ? this.#file.steps[step] : undefined;
    if (entry === undefined) return undefined;
    const { sessionId, handoff, generation, cut } = entry;
    return {
      sessionId,
      ...(handoff === undefined ? {} : { handoff }),
      ...(generation === undefined ? {} : { generation }),
      ...(cut === undefined ? {} : { cut }),
    };
  }

  /** Sessions that a step burned in earlier runs, before the one that goes on now; `resume`: that one's id. */
  generationsBefore(step: string, resume: string | undefined): number {
    const { sessionId, handoff, generation = 1 } = this.get(step) ?? {};
    if (resume !== undefined) return resume === sessionId ? generation - 1 : 0;
    return handoff === "frozen" ? generation : 0;
  }

  /** Notes it on disk at once. */
  set(step: string, entry: LineageEntry): void {
    this.#write({ ...this.#file, steps: { ...this.#file.steps, [step]: entry } });
  }

  /** Notes a step's session the moment it is known; a change of generation that is under way goes on. */
  sessionKnown(step: string, sessionId: string, generation: number): void {
    const before = this.get(step);
    const known = { sessionId, ...(generation > 1 ? { generation } : {}) };
    if (before?.handoff === "frozen") this.set(step, { ...known, handoff: "started" });
    else if (before?.sessionId !== sessionId || before.handoff === undefined) this.set(step, known);
  }

  /** Takes it out, on disk as well. */
  forget(step: string): void {
    const steps = Object.entries(this.#file.steps).filter(([name]) => name !== step);
    this.#write({ ...this.#file, steps: Object.fromEntries(steps) });
  }

  /** What the person asked for in the first place; undefined when that is not known. */
  get request(): string | undefined {
    return this.#file.request;
  }

  /** Notes it before anything is spent on it; words said before are part of it. */
  asked(request: string): void {
    this.#write({ ...this.#file, request, words: [], wordsInBrief: 0 });
  }

  /** What the person said at wakings, as long as no work session was told. */
  get words(): readonly string[] {
    return this.#file.words ?? [];
  }

  /** Notes words said at a waking. */
  say(words: string): void {
    const { wordsInBrief = this.words.length } = this.#file;
    this.#write({ ...this.#file, words: [...this.words, words], wordsInBrief });
  }

  /** Those of the words that have still to be put into the brief. */
  get wordsForBrief(): readonly string[] {
    return this.words.slice(this.#file.wordsInBrief ?? this.words.length);
  }

  /** As many of {@link wordsForBrief} are in the brief now, from the first on. Default all. */
  putIntoBrief(count = this.wordsForBrief.length): void {
    if (count === 0) return;
    const { wordsInBrief = this.words.length } = this.#file;
    this.#write({ ...this.#file, wordsInBrief: wordsInBrief + count });
  }

  /** A work session was told all words. */
  heard(): void {
    if (this.words.length > 0) this.#write({ ...this.#file, words: [], wordsInBrief: 0 });
  }

  /** Counts a wake. */
  wake(): void {
    this.#write({ ...this.#file, woke: this.#file.woke + 1 });
  }

  /** Name of the folder that a start afresh puts things into; undefined = none is under way. */
  get archiving(): string | undefined {
    return this.#file.archiving;
  }

  /** Notes that a start afresh begins. */
  archivesTo(folderName: string): void {
    this.#write({ ...this.#file, archiving: folderName });
  }

  /** Starts over; what was is moved into the folder, which is made, and a start afresh is over with that. */
  startFresh(folder: string): void {
    this.#check();
    const old = { ...this.#file };
    delete old.archiving;
    const hasBegun = Object.keys(old.steps).length > 0 || old.request !== undefined || old.woke > 0;
    if (hasBegun) {
      makePrivateDir(folder);
      // Never with the note in it: somebody may put it back.
      writeJsonAtomic(join(folder, basename(this.path)), old);
    }
    rmSync(this.path, { force: true });
    const { v, workspace, runDir } = old;
    this.#file = {
      v,
      id: randomUUID(),
      workspace,
      ...(runDir === undefined ? {} : { runDir }),
      woke: 0,
      steps: {},
    };
  }

  #write(file: File): void {
    this.#check();
    this.#file = file;
    try {
      writeJsonAtomic(this.path, file);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}

/** A directory without links in its path. */
function realDir(dir: string): string {
  try {
    return realpathSync(dir);
  } catch (error) {
    throw new FlowerError("workspace", `${dir} cannot be opened: ${errorText(error)}`, {
      nextStep: "make the directory, or name another",
      cause: error,
    });
  }
}

/**
 * How a lineage of another workspace came here: `copied` when that still has it, `moved` when not; `foreign` when
 * workspace and run directory lie differently to each other here, and so did not come together.
 */
function originOf(file: File, here: { workspace: string; runDir: string }): "copied" | "moved" | "foreign" {
  const way = relative(here.workspace, here.runDir);
  const there = file.runDir ?? join(file.workspace, way);
  if (relative(file.workspace, there) !== way) return "foreign";
  // It is this very file: the old path leads here, or another workspace has the same run directory outside of both.
  if (realPath(there) === here.runDir)
    return realPath(file.workspace) === here.workspace ? "moved" : "foreign";
  const read = lineageAt(join(there, LINEAGE_FILE));
  return read !== undefined && (file.id === undefined || read.id === file.id) ? "copied" : "moved";
}

/** A lineage somewhere else, which is none of this run's to mend. */
function lineageAt(path: string): File | undefined {
  try {
    return FILE.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
