import { describe, expect, it } from "vitest";
import type { SessionKey, SessionStore, TranscriptEntry } from "../../src/store/contract.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { rewriting } from "../../src/store/rewriting.ts";
import { runStoreConformance, storeConformance } from "../../src/testing/store-conformance.ts";

/** A sound store with some calls replaced by faulty ones. */
type Fault = (sound: SessionStore) => Partial<SessionStore>;

const BEFORE_ALL_MS = Date.now() - 1;
const lowerSession = (key: SessionKey): SessionKey => ({ ...key, sessionId: key.sessionId.toLowerCase() });

const FAULTS: Array<[what: string, fault: Fault, caughtBy: string]> = [
  [
    "newest first",
    (sound) => ({ load: async (key) => (await sound.load(key))?.reverse() ?? null }),
    "returns entries of several appends in their order",
  ],
  [
    "an empty list for unknown keys",
    (sound) => ({ load: async (key) => (await sound.load(key)) ?? [] }),
    "answers null for what was never written",
  ],
  [
    "duplicates",
    (sound) => ({
      append: async (key, entries) => {
        for (const [n, entry] of entries.entries())
          await sound.append(key, [{ ...entry, uuid: `${n}${Math.random()}` }]);
      },
    }),
    "drops an entry whose uuid an earlier append had",
  ],
  [
    "one entry for all without uuid",
    (sound) => ({
      append: async (key, entries) =>
        sound.append(
          key,
          entries.map((entry) => ({ ...entry, uuid: entry.uuid ?? "none" })),
        ),
    }),
    "always adds entries without uuid",
  ],
  [
    "one project for all",
    (sound) => ({
      append: async (key, entries) => sound.append({ ...key, projectKey: "all" }, entries),
      load: async (key) => sound.load({ ...key, projectKey: "all" }),
    }),
    "keeps the same uuid of another key apart",
  ],
  [
    "session ids without regard to case",
    (sound) => ({
      append: async (key, entries) => sound.append(lowerSession(key), entries),
      load: async (key) => sound.load(lowerSession(key)),
    }),
    "never mistakes one key's parts for another's",
  ],
  [
    "a deletion without regard to case",
    (sound) => ({
      delete: async (key) => {
        await sound.delete(key);
        await sound.delete(lowerSession(key));
      },
    }),
    "never mistakes one key's parts for another's",
  ],
  [
    "a list of sessions without regard to case",
    (sound) => ({
      listSessions: async (projectKey) =>
        (await sound.listSessions(projectKey)).map((session) => ({
          ...session,
          sessionId: session.sessionId.toLowerCase(),
        })),
    }),
    "never mistakes one key's parts for another's",
  ],
  [
    "uuids without regard to case",
    (sound) => {
      const seen = new Set<string>();
      const isNew = ({ uuid = crypto.randomUUID() }: TranscriptEntry): boolean =>
        seen.size < seen.add(uuid.toLowerCase()).size;
      return { append: async (key, entries) => sound.append(key, entries.filter(isNew)) };
    },
    "keeps uuids apart that differ in case alone",
  ],
  [
    "half of a refused batch",
    (sound) => ({
      append: async (key, entries) => {
        for (const entry of entries) await sound.append(key, [entry]);
      },
    }),
    "keeps nothing of a batch that it refuses",
  ],
  [
    "times of the clock alone",
    (sound) => ({
      listSessions: async (projectKey) =>
        (await sound.listSessions(projectKey)).map((session) => ({ ...session, mtimeMs: 1_700_000_000_000 })),
    }),
    "raises mtimeMs, an integer, with every append of the whole store",
  ],
  [
    "a counter for the time",
    (sound) => ({
      listSessions: async (projectKey) =>
        (await sound.listSessions(projectKey)).map(({ sessionId, mtimeMs }) => ({
          sessionId,
          mtimeMs: mtimeMs - BEFORE_ALL_MS,
        })),
    }),
    "gives mtimeMs as epoch milliseconds",
  ],
  [
    "seconds for the time",
    (sound) => ({
      listSessions: async (projectKey) =>
        (await sound.listSessions(projectKey)).map(({ sessionId, mtimeMs }) => ({
          sessionId,
          mtimeMs: Math.floor(mtimeMs / 1000),
        })),
    }),
    "gives mtimeMs as epoch milliseconds",
  ],
  [
    "a deletion of the main thread alone",
    (sound) => ({ delete: async (key) => sound.delete({ subpath: "", ...key }) }),
    "deletes a session with all below it and nothing else",
  ],
  [
    "a deletion of the whole session",
    (sound) => ({
      delete: async ({ projectKey, sessionId }) => sound.delete({ projectKey, sessionId }),
    }),
    "deletes only the transcript of a given subpath",
  ],
  [
    "the caller's own objects",
    (sound) => {
      const kept: TranscriptEntry[] = [];
      return {
        append: async (key, entries) => {
          kept.push(...entries);
          await sound.append(key, entries);
        },
        load: async () => kept,
      };
    },
    "is not touched by later changes of what it was given or gave",
  ],
  [
    "the times' order",
    (sound) => ({
      load: async (key) =>
        (await sound.load(key))?.sort((a, b) =>
          String(a["timestamp"]).localeCompare(String(b["timestamp"])),
        ) ?? null,
    }),
    "keeps the order of appends, whatever times or names the entries carry",
  ],
  [
    "one list for every reader",
    (sound) => {
      let last: TranscriptEntry[] | null = null;
      return {
        append: async (key, entries) => {
          last = null;
          await sound.append(key, entries);
        },
        // The first reader gets a list of its own.
        load: async (key) => {
          const before = last;
          last ??= await sound.load(key);
          return before ?? structuredClone(last);
        },
      };
    },
    "is not touched by later changes of what it was given or gave",
  ],
  [
    "values assigned field by field",
    (sound) => ({
      load: async (key) =>
        JSON.parse(JSON.stringify(await sound.load(key)).replaceAll('"__proto__"', '"proto"')) as
          TranscriptEntry[] | null,
    }),
    "returns every JSON value as it was",
  ],
  ["a close that does nothing", () => ({ close: async () => undefined }), "throws once it is closed"],
];

/** Objects with their fields in reverse, as a store with a JSON type of its own may give them back. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, reversed(inner)] as const);
  return Object.fromEntries(fields.reverse());
}

describe("the conformance suite accepts a store that gives back fields in another order", () => {
  runStoreConformance({ it }, async () => {
    const sound = new MemorySessionStore();
    return {
      ...rewriting(sound, []),
      load: async (key) => reversed(await sound.load(key)) as TranscriptEntry[] | null,
    };
  });
});

describe("the conformance suite catches", () => {
  it.each(FAULTS)("%s", async (_what, fault, caughtBy) => {
    const failed: string[] = [];
    for (const { name, check } of storeConformance) {
      const sound = new MemorySessionStore();
      const faulty = { ...rewriting(sound, []), ...fault(sound) };
      await check(async () => faulty).catch(() => failed.push(name));
    }
    expect(failed).toContain(caughtBy);
  });
});
