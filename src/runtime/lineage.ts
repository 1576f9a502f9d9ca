import { existsSync, realpathSync, renameSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { isInside, makePrivateDir, writeJsonAtomic } from "../core/files.ts";
import { readJsonFile } from "./json-file.ts";

/** Version of `lineage.json`. 1: first. */
const LINEAGE_VERSION = 1;

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
});

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

/** Step → last session, across processes; written the moment it changes. */
export class Lineage {
  readonly path: string;
  /** What is odd about an earlier lineage, such as why it was not taken over; one line for the person. */
  readonly mismatch: string | undefined;
  #file: z.infer<typeof FILE>;

  private constructor(path: string, file: z.infer<typeof FILE>, mismatch: string | undefined) {
    this.path = path;
    this.#file = file;
    this.mismatch = mismatch;
  }

  /**
   * Opens `<runDir>/lineage.json`, or starts a fresh one.
   * @throws FlowerError `format` for a file from a newer version.
   */
  static open(runDir: string, workspace: string): Lineage {
    const path = join(runDir, "lineage.json");
    const here = realpathSync(workspace);
    const fresh = { v: LINEAGE_VERSION, workspace: here, woke: 0, steps: {} } as const;
    const read = readJsonFile(path, FILE, LINEAGE_VERSION);
    if ("missing" in read) return new Lineage(path, fresh, undefined);
    if ("damaged" in read) return new Lineage(path, fresh, `${read.damaged}; starting fresh`);
    const { workspace: there } = read.value;
    if (there === here) return new Lineage(path, read.value, undefined);
    // Inside of the workspace it came along with it, unless the other one still has its own.
    const isCopy = existsSync(join(there, relative(here, realpathSync(runDir)), basename(path)));
    if (isInside(realpathSync(runDir), here) && isCopy)
      return new Lineage(path, fresh, `this is a copy of ${there}, which has its sessions; starting fresh`);
    if (isInside(realpathSync(runDir), here))
      return new Lineage(
        path,
        { ...read.value, workspace: here },
        `this directory was ${there} before; its sessions came along`,
      );
    return new Lineage(
      path,
      fresh,
      `the last run with this run directory belonged to another workspace (${there}); starting fresh`,
    );
  }

  /** How often this directory was woken. */
  get woke(): number {
    return this.#file.woke;
  }

  get(step: string): LineageEntry | undefined {
    const entry = this.#file.steps[step];
    if (entry === undefined) return undefined;
    const { sessionId, handoff, generation, cut } = entry;
    return {
      sessionId,
      ...(handoff === undefined ? {} : { handoff }),
      ...(generation === undefined ? {} : { generation }),
      ...(cut === undefined ? {} : { cut }),
    };
  }

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

  forget(step: string): void {
    const steps = Object.entries(this.#file.steps).filter(([name]) => name !== step);
    this.#write({ ...this.#file, steps: Object.fromEntries(steps) });
  }

  /** Counts a wake. */
  wake(): void {
    this.#write({ ...this.#file, woke: this.#file.woke + 1 });
  }

  /** Starts over; what was is moved into the folder, which is made. */
  startFresh(folder: string): void {
    if (existsSync(this.path)) {
      makePrivateDir(folder);
      renameSync(this.path, join(folder, basename(this.path)));
    }
    this.#file = { ...this.#file, woke: 0, steps: {} };
  }

  #write(file: z.infer<typeof FILE>): void {
    this.#file = file;
    writeJsonAtomic(this.path, file);
  }
}
