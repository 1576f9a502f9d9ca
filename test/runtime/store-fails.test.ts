import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemorySessionStore, type SessionStore } from "../../src/store/index.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

/** A store that keeps this many batches, then none. */
function failingAfter(batches: number): SessionStore {
  const store = new MemorySessionStore();
  let kept = 0;
  return {
    append: async (key, entries) => {
      kept += 1;
      if (kept > batches) throw new Error("database or disk is full");
      await store.append(key, entries);
    },
    load: async (key) => store.load(key),
    listSessions: async (key) => store.listSessions(key),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}

// Fails when `isLostWrite` is taken out of the session: the run would go on and lose everything that follows.
it("a store that cannot keep the transcript ends the step, saying what to free", async () => {
  const { runtime, rehearsal, workspace } = await stage(
    [main((request) => call("Bash", { command: `echo ${request.turnCount} >> turns.txt; sleep 0.3` }))],
    { store: failingAfter(3) },
  );
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
  expect(result.error).toMatch(/transcript cannot be kept.*free disk space/s);
  // Three tries of the harness, about a second each; threefold.
  expect(rehearsal.journal.length).toBeLessThan(40);
  await writeFile(join(workspace, "still-writable"), "");
});

// Fails when the load's failure is not noted: the harness's word for it is taken for a lost connection.
it("a store that cannot be read ends the step at once", async () => {
  const sound = new MemorySessionStore();
  const { runtime } = await stage([main(() => say("done"))], { store: sound });
  const { sessionId = "" } = await runtime.run(SPEC, "do it");
  sound.load = async () => Promise.reject(new Error("database disk image is malformed"));
  sound.listSessions = sound.load as never;
  const result = await runtime.run(SPEC, "go on", { resume: sessionId });
  expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
  expect(result.error).toMatch(/malformed/);
});
