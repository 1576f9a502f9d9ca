import assert from "node:assert/strict";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";

/** One demand on every session store. */
export interface StoreCheck {
  /** A sentence for the test's title. */
  name: string;
  /** Asks `create` for a fresh, empty store, uses it and closes it. @throws AssertionError when it falls short. */
  check(create: () => Promise<SessionStore>): Promise<void>;
}

/** As many entries as a long session holds; also far beyond what one page or one statement of a database takes. */
const LARGE_BATCH = 5_000;

/** What the clocks of two machines and a time counted up with each append may be apart. */
const DAY_MS = 86_400_000;

const MAIN: SessionKey = { projectKey: "project", sessionId: "session" };
const AGENT: SessionKey = { ...MAIN, subpath: "subagents/agent-a" };
const OTHER_AGENT: SessionKey = { ...MAIN, subpath: "subagents/agent-b" };
const OTHER_SESSION: SessionKey = { ...MAIN, sessionId: "other" };
const OTHER_PROJECT: SessionKey = { ...MAIN, projectKey: "elsewhere" };

const AWKWARD_VALUES: readonly unknown[] = [
  "",
  "κόσμε 🌷 👩‍👩‍👧 é ذ \u2028\u2029",
  "nul \u0000, escape \u001b, half a pair \ud83c",
  "quotes ' \" ` and ; DROP TABLE entry; -- ?1 :a $b",
  "long ".repeat(200_000),
  null,
  [null, [], {}, [[]]],
  { present: null, "": "empty name" },
  // An own field of this name, which an assignment would lose.
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner }), "deep"),
  [0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE],
  { z: 1, a: 2, 10: "ten" },
  true,
];

/** The whole contract of {@link SessionStore}, one demand a check. */
export const storeConformance: readonly StoreCheck[] = [
  demand("returns entries of several appends in their order", async (store) => {
    await store.append(MAIN, [entry("c"), entry("a")]);
    await store.append(MAIN, [entry("b")]);
    assert.deepEqual(await store.load(MAIN), [entry("c"), entry("a"), entry("b")]);
  }),
  demand("keeps the order of appends, whatever times or names the entries carry", async (store) => {
    const at = (uuid: string, timestamp: string): TranscriptEntry => ({ ...entry(uuid), timestamp });
    const entries = [
      at("z", "2026-01-03T00:00:00.000Z"),
      at("m", "2026-01-01T00:00:00.000Z"),
      { type: "summary", summary: "no time at all" },
      at("a", "2026-01-02T00:00:00.000Z"),
    ];
    await store.append(MAIN, entries.slice(0, 1));
    await store.append(MAIN, entries.slice(1));
    assert.deepEqual(await store.load(MAIN), entries);
  }),
  demand("answers null for what was never written", async (store) => {
    assert.equal(await store.load(MAIN), null);
    await store.append(MAIN, [entry("a")]);
    for (const key of [AGENT, OTHER_SESSION, OTHER_PROJECT]) assert.equal(await store.load(key), null);
    assert.deepEqual(await store.listSessions("unknown"), []);
    assert.deepEqual(await store.listSubkeys(OTHER_SESSION), []);
  }),
  demand("drops an entry whose uuid the same append already had", async (store) => {
    await store.append(MAIN, [entry("a", 1), entry("b"), entry("a", 2)]);
    assert.deepEqual(await store.load(MAIN), [entry("a", 1), entry("b")]);
  }),
  demand("drops an entry whose uuid an earlier append had", async (store) => {
    await store.append(MAIN, [entry("a", 1), entry("b")]);
    await store.append(MAIN, [entry("b"), entry("a", 2), entry("c")]);
    assert.deepEqual(await store.load(MAIN), [entry("a", 1), entry("b"), entry("c")]);
  }),
  demand("keeps uuids apart that differ in case alone", async (store) => {
    await store.append(MAIN, [entry("a"), entry("A")]);
    await store.append(MAIN, [entry("B"), entry("b"), entry("A")]);
    assert.deepEqual(await store.load(MAIN), [entry("a"), entry("A"), entry("B"), entry("b")]);
  }),
  demand("always adds entries without uuid", async (store) => {
    const bare = { type: "summary", summary: "same" };
    await store.append(MAIN, [bare, bare]);
    await store.append(MAIN, [bare]);
    assert.deepEqual(await store.load(MAIN), [bare, bare, bare]);
  }),
  demand("keeps the same uuid of another key apart", async (store) => {
    const keys = [MAIN, AGENT, OTHER_AGENT, OTHER_SESSION, OTHER_PROJECT];
    for (const [n, key] of keys.entries()) await store.append(key, [entry("same", n)]);
    for (const [n, key] of keys.entries()) assert.deepEqual(await store.load(key), [entry("same", n)]);
  }),
  demand("never mistakes one key's parts for another's", async (store) => {
    const keys: SessionKey[] = [
      { projectKey: "a", sessionId: "b/c" },
      { projectKey: "a/b", sessionId: "c" },
      { projectKey: "a", sessionId: "b", subpath: "c" },
      { projectKey: "A", sessionId: "b", subpath: "c" },
      { projectKey: "a", sessionId: "b", subpath: "C" },
      { projectKey: "a", sessionId: "b", subpath: "%" },
      { projectKey: "a", sessionId: "B" },
      { projectKey: "a", sessionId: "B", subpath: "c" },
    ];
    for (const [n, key] of keys.entries()) await store.append(key, [entry("same", n)]);
    for (const [n, key] of keys.entries()) assert.deepEqual(await store.load(key), [entry("same", n)]);
    assert.deepEqual(await sessionIdsOf(store, "a"), ["B", "b", "b/c"]);
    assert.deepEqual(await store.listSubkeys({ projectKey: "a", sessionId: "b" }), ["%", "C", "c"]);
    // From the last to the first: each deletion takes its own transcript and leaves those that look like it.
    for (const [n, key] of [...keys.entries()].reverse()) {
      assert.deepEqual(await store.load(key), [entry("same", n)]);
      await store.delete(key);
    }
  }),
  demand("takes an empty subpath for the main thread", async (store) => {
    await store.append({ ...MAIN, subpath: "" }, [entry("a")]);
    assert.deepEqual(await store.load(MAIN), [entry("a")]);
    assert.deepEqual(await store.listSubkeys(MAIN), []);
  }),
  demand("writes nothing for an empty append", async (store) => {
    await store.append(MAIN, []);
    assert.equal(await store.load(MAIN), null);
    assert.deepEqual(await store.listSessions(MAIN.projectKey), []);
  }),
  demand("keeps nothing of a batch that it refuses", async (store) => {
    const circular: TranscriptEntry = entry("b");
    circular["self"] = circular;
    await assert.rejects(store.append(MAIN, [entry("a"), circular]));
    assert.equal(await store.load(MAIN), null);
  }),
  demand("lists subpaths of one session, sorted, without the main thread", async (store) => {
    await store.append(OTHER_AGENT, [entry("a")]);
    await store.append(MAIN, [entry("a")]);
    await store.append(AGENT, [entry("a")]);
    await store.append({ ...OTHER_SESSION, subpath: "subagents/agent-c" }, [entry("a")]);
    await store.append({ ...OTHER_PROJECT, subpath: "subagents/agent-d" }, [entry("a")]);
    assert.deepEqual(await store.listSubkeys(MAIN), [AGENT.subpath, OTHER_AGENT.subpath]);
  }),
  demand("lists each session of one project once", async (store) => {
    for (const key of [MAIN, AGENT, OTHER_SESSION, { ...OTHER_PROJECT, sessionId: "third" }])
      await store.append(key, [entry("a")]);
    assert.deepEqual(await sessionIdsOf(store, MAIN.projectKey), ["other", "session"]);
  }),
  demand("raises mtimeMs, an integer, with every append of the whole store", async (store) => {
    let lastMs = 0;
    // Many within one millisecond of the clock, over all kinds of keys.
    for (let n = 0; n < 40; n += 1) {
      const key = [MAIN, AGENT, OTHER_SESSION, OTHER_PROJECT][n % 4] ?? MAIN;
      await store.append(key, [entry(`e${n}`)]);
      lastMs = assertLater(await mtimeOf(store, key), lastMs);
    }
  }),
  demand("gives mtimeMs as epoch milliseconds", async (store) => {
    await store.append(MAIN, [entry("a")]);
    const aheadMs = (await mtimeOf(store, MAIN)) - Date.now();
    assert.ok(Math.abs(aheadMs) < DAY_MS, `mtimeMs is within a day of now: ${aheadMs} ms ahead`);
  }),
  demand("raises mtimeMs also over what was deleted", async (store) => {
    let lastMs = 0;
    for (let n = 0; n < 10; n += 1) {
      await store.append(MAIN, [entry("a")]);
      lastMs = assertLater(await mtimeOf(store, MAIN), lastMs);
      await store.delete(MAIN);
    }
  }),
  demand("deletes a session with all below it and nothing else", async (store) => {
    for (const key of [MAIN, AGENT, OTHER_AGENT, OTHER_SESSION, OTHER_PROJECT])
      await store.append(key, [entry("a")]);
    await store.delete(MAIN);
    for (const key of [MAIN, AGENT, OTHER_AGENT]) assert.equal(await store.load(key), null);
    assert.deepEqual(await store.listSubkeys(MAIN), []);
    assert.deepEqual(await sessionIdsOf(store, MAIN.projectKey), ["other"]);
    for (const key of [OTHER_SESSION, OTHER_PROJECT]) assert.deepEqual(await store.load(key), [entry("a")]);
  }),
  demand("deletes only the transcript of a given subpath", async (store) => {
    const below: SessionKey = { ...MAIN, subpath: "subagents/agent-a/deeper" };
    for (const key of [MAIN, AGENT, OTHER_AGENT, below]) await store.append(key, [entry("a")]);
    await store.delete(AGENT);
    assert.equal(await store.load(AGENT), null);
    for (const key of [MAIN, OTHER_AGENT, below]) assert.deepEqual(await store.load(key), [entry("a")]);
    assert.deepEqual(await store.listSubkeys(MAIN), [below.subpath, OTHER_AGENT.subpath]);
  }),
  demand("takes the deletion of an unknown key for done", async (store) => {
    await store.append(MAIN, [entry("a")]);
    await store.delete(OTHER_SESSION);
    await store.delete(AGENT);
    assert.deepEqual(await store.load(MAIN), [entry("a")]);
  }),
  demand("takes a deleted uuid anew", async (store) => {
    await store.append(MAIN, [entry("a", 1)]);
    await store.delete(MAIN);
    await store.append(MAIN, [entry("a", 2)]);
    assert.deepEqual(await store.load(MAIN), [entry("a", 2)]);
  }),
  demand("is not touched by later changes of what it was given or gave", async (store) => {
    const given = { ...entry("a"), message: { content: ["kept"] } };
    const expected = structuredClone(given);
    const batch: TranscriptEntry[] = [given];
    await store.append(MAIN, batch);
    given.message.content.push("changed");
    batch.push(entry("b"));
    const loaded = await store.load(MAIN);
    assert.deepEqual(loaded, [expected]);
    (loaded[0]?.["message"] as { content: string[] }).content.push("changed");
    loaded.pop();
    const again = await store.load(MAIN);
    assert.deepEqual(again, [expected]);
    // Asked twice with nothing appended in between: what one reader does to its copy is not the other's.
    again.pop();
    assert.deepEqual(await store.load(MAIN), [expected]);
    const [sessions, subkeys] = [await store.listSessions(MAIN.projectKey), await store.listSubkeys(MAIN)];
    sessions.pop();
    subkeys.push("changed");
    assert.equal((await store.listSessions(MAIN.projectKey)).length, 1);
    assert.deepEqual(await store.listSubkeys(MAIN), []);
  }),
  demand("returns every JSON value as it was", async (store) => {
    const entries = AWKWARD_VALUES.map((value, n): TranscriptEntry => ({ ...entry(`v${n}`), value }));
    await store.append(MAIN, entries);
    // The order of fields is left to the store: a database's own JSON type may not keep it.
    assert.deepEqual(await store.load(MAIN), entries);
  }),
  demand("keeps unicode in keys", async (store) => {
    const key: SessionKey = { projectKey: "проект-🌷", sessionId: "сессия", subpath: "子/агент" };
    await store.append(key, [entry("ключ-🔑", 1), entry("ключ-🔑", 2)]);
    assert.deepEqual(await store.load(key), [entry("ключ-🔑", 1)]);
    assert.deepEqual(await store.listSubkeys(key), [key.subpath]);
    assert.equal((await store.listSessions(key.projectKey))[0]?.sessionId, key.sessionId);
  }),
  demand(`takes ${LARGE_BATCH} entries at once`, async (store) => {
    const entries = Array.from({ length: LARGE_BATCH }, (_, n) => entry(`e${n}`, n));
    await store.append(MAIN, entries);
    assert.deepEqual(await store.load(MAIN), entries);
  }),
  demand("keeps appends that were started together", async (store) => {
    const batches = Array.from({ length: 20 }, (_, n) => [entry(`${n}-first`), entry(`${n}-second`)]);
    await Promise.all(batches.map(async (batch) => store.append(MAIN, batch)));
    assert.deepEqual(await store.load(MAIN), batches.flat());
  }),
  demand("throws once it is closed", async (store) => {
    await store.append(MAIN, [entry("a")]);
    await store.close();
    await assert.rejects(store.append(MAIN, [entry("b")]), "append");
    await assert.rejects(store.load(MAIN), "load");
    await assert.rejects(store.listSessions(MAIN.projectKey), "listSessions");
    await assert.rejects(store.listSubkeys(MAIN), "listSubkeys");
    await assert.rejects(store.delete(MAIN), "delete");
  }),
];

/**
 * Registers every check of {@link storeConformance} as a test, with the `it` of Vitest, Jest, Mocha or `node:test`.
 * `create` makes a fresh, empty store for each.
 */
export function runStoreConformance(
  { it }: { it: (name: string, test: () => Promise<void>) => unknown },
  create: () => Promise<SessionStore>,
): void {
  for (const { name, check } of storeConformance) it(name, async () => check(create));
}

function demand(name: string, use: (store: SessionStore) => Promise<void>): StoreCheck {
  return {
    name,
    async check(create) {
      const store = await create();
      try {
        await use(store);
      } finally {
        // One check has closed it already, and a second close may throw.
        await store.close().catch(() => undefined);
      }
    },
  };
}

function entry(uuid: string, n = 0): TranscriptEntry {
  return { type: "user", uuid, timestamp: "2026-01-02T03:04:05.678Z", n };
}

async function sessionIdsOf(store: SessionStore, projectKey: string): Promise<string[]> {
  return (await store.listSessions(projectKey)).map(({ sessionId }) => sessionId).sort();
}

async function mtimeOf(store: SessionStore, key: SessionKey): Promise<number> {
  const session = (await store.listSessions(key.projectKey)).find(
    ({ sessionId }) => sessionId === key.sessionId,
  );
  assert.ok(session, "an appended session is listed");
  return session.mtimeMs;
}

function assertLater(mtimeMs: number, lastMs: number): number {
  assert.ok(Number.isInteger(mtimeMs), `mtimeMs is an integer: ${mtimeMs}`);
  assert.ok(mtimeMs > lastMs, `mtimeMs rises: ${mtimeMs} after ${lastMs}`);
  return mtimeMs;
}
