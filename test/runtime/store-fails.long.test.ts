import { rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { MemorySessionStore, type SessionStore } from "../../src/store/index.ts";
import { call, say } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { DOCUMENT, grow, isDocumentRound, main, SPEC, stage } from "../support/stage.ts";

/** A store that keeps this many batches, then none. */
function failingAfter(
  batches: number,
  onFailure: (failures: number) => void = () => undefined,
): SessionStore {
  const store = new MemorySessionStore();
  let kept = 0;
  return {
    append: async (key, entries) => {
      kept += 1;
      if (kept > batches) {
        onFailure(kept - batches);
        throw new Error("database or disk is full");
      }
      await store.append(key, entries);
    },
    load: async (key) => store.load(key),
    listSessions: async (key) => store.listSessions(key),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}

const SAID: ReadonlyArray<readonly [string, string | undefined]> = [
  ["", undefined],
  [", also when a person interrupts", "words"],
];

// Fails when `isLostWrite` is taken out of the session: the run would go on and lose everything that follows. Or when a
// person's words go first: the same process would take them, and go on with nothing kept.
it.each(rows(SAID, ([, words]) => words !== undefined))(
  "a store that cannot keep the transcript ends the step, saying what to free%s",
  async (_when, words) => {
    // At the second failure the session gives the store up.
    const store = failingAfter(3, (failures) => {
      if (failures === 2 && words !== undefined) runtime.interrupt(words);
    });
    const { runtime, rehearsal, workspace, seen } = await stage(
      [main((request) => call("Bash", { command: `echo ${request.turnCount} >> turns.txt; sleep 0.3` }))],
      { store, channel: new HumanChannel() },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
    expect(result.error).toMatch(/transcript cannot be kept.*free disk space/s);
    // Three tries of the harness, about a second each; threefold.
    expect(rehearsal.journal.length).toBeLessThan(40);
    expect(rehearsal.journal.some(({ lastUserText }) => lastUserText.includes("words"))).toBe(false);
    await writeFile(join(workspace, "still-writable"), "");
    if (words === undefined) return;
    // Fails when `UnseenWords.keep` is left out: they would be nowhere.
    expect(seen.ofType("system").map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/no session has seen these words .*: words$/),
    );
    expect(await readFile(join(workspace, "runs/inbox.json"), "utf8")).toContain('"text": "words"');
  },
);

// Fails when the store's failure is taken for one of the document: a successor would begin, and nothing of it be kept.
it.runIf(LONG)(
  "a store that fails in the round that writes a handoff ends the step there",
  async () => {
    let failing = false;
    const store = new MemorySessionStore();
    const append = store.append.bind(store);
    store.append = async (key, entries) =>
      failing ? Promise.reject(new Error("database or disk is full")) : append(key, entries);
    const { runtime } = await stage(
      [
        main((request) => {
          if (!isDocumentRound(request)) return grow;
          failing = true;
          return { ...say(DOCUMENT), delayMs: 6_000 };
        }),
      ],
      { store, handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed", generations: [] });
    expect(result.error).toMatch(/transcript cannot be kept/);
  },
  60_000,
);

// Fails when the load's failure is not noted: the harness's word for it is taken for a lost connection.
it.each(["load", "listSubkeys"] as const)(
  "a store that cannot be read ends the step at once: %s",
  async (read) => {
    const sound = new MemorySessionStore();
    const { runtime } = await stage([main(() => say("done"))], { store: sound });
    const { sessionId = "" } = await runtime.run(SPEC, "do it");
    const fails = async (): Promise<never> => Promise.reject(new Error("database disk image is malformed"));
    Object.assign(sound, { [read]: fails, listSessions: fails });
    const result = await runtime.run(SPEC, "go on", { resume: sessionId });
    expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
    expect(result.error).toMatch(/malformed/);
  },
);

// Fails when nobody looks whether the mirror still comes: of its own file the harness says only at the end of a turn that
// it could not be written, and mirrors nothing from then on (0.3.332).
it("a harness that can keep nothing itself ends the step before more is lost", async () => {
  const { runtime, rehearsal } = await stage([
    main(({ turnCount }) => {
      if (turnCount === 2) {
        const own = join(runtime.options.runDir, "harness/projects");
        rmSync(own, { recursive: true });
        writeFileSync(own, "in the way");
      }
      return turnCount < 80 ? call("Bash", { command: `sleep 0.3; echo ${turnCount}` }) : say("done");
    }),
  ]);
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
  expect(result.error).toMatch(/transcript cannot be kept/);
  expect(rehearsal.journal.length).toBeLessThan(60);
}, 120_000);
