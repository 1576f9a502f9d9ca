import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { startRehearsal, type Rehearsal, type RehearsalOptions } from "../../src/testing/index.ts";

const cleanups: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Runs after the test, last registered first; also when the test failed. */
export function onCleanup(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** A temp directory that goes with the test; its name has a space and CJK, as people's directories do. */
export async function tempDir(name = "flower 花"): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  onCleanup(async () => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

/** A rehearsal that goes with the test. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const rehearsal = await startRehearsal(options);
  onCleanup(async () => rehearsal.close({ check: false }));
  return rehearsal;
}

/** Polls until the condition holds; the limit is an upper guard, not a measurement. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
