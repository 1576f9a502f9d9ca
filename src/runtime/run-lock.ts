import { rmSync } from "node:fs";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import { z } from "zod";
import { FlowerError } from "../core/errors.ts";
import { writeJsonAtomic } from "../core/files.ts";
import { readJsonFile } from "./json-file.ts";
import { isAlive, isElsewhere, ownIdentity, PROCESS_IDENTITY } from "./process-identity.ts";
import { unwritable } from "./unwritable.ts";

const LOCK_VERSION = 1;
const LOCK = z.object({
  v: z.literal(LOCK_VERSION),
  run: z.string(),
  /** When the run began, ISO. */
  since: z.string(),
  step: z.string().nullable(),
  process: PROCESS_IDENTITY,
});

/** Deciding who holds a directory takes a moment; a taker that died in it is passed after this, ms (the least there is). */
const STALE_DECISION_MS = 2_000;
/** Between two looks at a decision that is under way, ms. */
const LOOK_AGAIN_MS = 20;

/** Who holds a run directory. */
export interface RunLock {
  /**
   * Looks whether the directory is still this run's: it may be deleted meanwhile, and another run begin in its place.
   * Nothing may be written there then.
   * @throws FlowerError `locked` when another run holds it.
   */
  check(): void;
  /**
   * Notes what the run is doing, for whoever comes second.
   * @throws FlowerError `locked` as {@link RunLock.check} does, `workspace` when it cannot be written: the directory is gone, or its disk full.
   */
  atStep(step: string): void;
  /** Safe to call twice. */
  release(): void;
}

/**
 * Takes a run directory for one run: two writers would mix their books and sessions. The lock of a process that is
 * gone is taken over.
 * @throws FlowerError `locked` when a living run holds it, naming since when and at which step; `workspace` when it
 * cannot be written.
 */
export function lockRunDir(runDir: string, runId: string): RunLock {
  const path = join(runDir, "lock.json");
  const own = {
    v: LOCK_VERSION,
    run: runId,
    since: new Date().toISOString(),
    process: ownIdentity(),
  } as const;
  const write = (step: string | null): void => {
    try {
      writeJsonAtomic(path, { ...own, step });
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  const holder = (): z.infer<typeof LOCK> | undefined => {
    const read = readJsonFile(path, LOCK, LOCK_VERSION);
    return "value" in read ? read.value : undefined;
  };

  const done = whileNobodyDecides(runDir);
  try {
    const held = holder();
    if (held !== undefined && held.run !== runId && isAlive(held.process))
      throw lockedError(runDir, path, held);
    write(null);
  } finally {
    done();
  }
  let released = false;
  const check = (): void => {
    const now = holder();
    if (now !== undefined && now.run !== runId) throw lostError(runDir, now);
  };
  return {
    check,
    atStep(step) {
      if (released) return;
      check();
      write(step);
    },
    release() {
      if (released) return;
      released = true;
      if (holder()?.run === runId) rmSync(path, { force: true });
    },
  };
}

/** Waits for whoever decides at this moment: the books behind the lock must tell who holds it, and how to go on. */
function whileNobodyDecides(runDir: string): () => void {
  const deciding = join(runDir, "lock.deciding");
  const deadlineMs = Date.now() + 3 * STALE_DECISION_MS;
  for (;;) {
    try {
      // Inside: what the directory lies in may be somebody else's, as with a mounted volume.
      return lockfile.lockSync(runDir, { stale: STALE_DECISION_MS, lockfilePath: deciding });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw unwritable(deciding, error);
      if (Date.now() > deadlineMs)
        throw new FlowerError("locked", `${deciding} is held by something else`, {
          nextStep: "wait a moment; if no flower works there, remove it",
          cause: error,
        });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    }
  }
}

function lostError(runDir: string, { since, process: { pid, host } }: z.infer<typeof LOCK>): FlowerError {
  return new FlowerError(
    "locked",
    `${runDir} was deleted or replaced, and is another run's now: process ${pid} on ${host}, since ${since}`,
    { nextStep: "let that run work on; this one ends, and what it did is in the workspace" },
  );
}

function lockedError(
  runDir: string,
  path: string,
  { step, since, process: holder }: z.infer<typeof LOCK>,
): FlowerError {
  const { pid, host } = holder;
  const at = step === null ? "" : `, at step ${step}`;
  return new FlowerError(
    "locked",
    `another run works with ${runDir}: process ${pid} on ${host}, since ${since}${at}`,
    {
      nextStep: `wait for it or end it, or give this run a directory of its own with --run-dir${
        isElsewhere(holder) ? `; when ${host} is known to be gone, remove ${path}` : ""
      }`,
    },
  );
}
