import type { SessionStore } from "../../src/store/contract.ts";

/** Longer than any prompt cache keeps something, ms. */
const AGE_MS = 2 * 3_600_000;

/** A store whose histories are two hours older when they are loaded: nothing of them is in the API's cache any more. */
export function agedStore(store: SessionStore): SessionStore {
  return {
    ...bound(store),
    load: async (key) => {
      const entries = await store.load(key);
      return (
        entries?.map((entry) =>
          entry.timestamp === undefined
            ? entry
            : { ...entry, timestamp: new Date(Date.parse(entry.timestamp) - AGE_MS).toISOString() },
        ) ?? null
      );
    },
  };
}

function bound(store: SessionStore): SessionStore {
  return {
    append: async (key, entries) => store.append(key, entries),
    load: async (key) => store.load(key),
    listSessions: async (projectKey) => store.listSessions(projectKey),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}
