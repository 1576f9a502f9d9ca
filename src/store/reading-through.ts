import type { SessionStore } from "./contract.ts";
import { MemorySessionStore } from "./memory.ts";

/** A store that reads another one and keeps what it is given in memory, for a session that leaves no trace. */
export function readingThrough(store: SessionStore): SessionStore {
  const own = new MemorySessionStore();
  return {
    append: async (key, entries) => own.append(key, entries),
    load: async (key) => (await own.load(key)) ?? store.load(key),
    listSessions: async (projectKey) => own.listSessions(projectKey),
    listSubkeys: async (key) => {
      const subpaths = await own.listSubkeys(key);
      return subpaths.length > 0 ? subpaths : store.listSubkeys(key);
    },
    delete: async (key) => own.delete(key),
    close: async () => own.close(),
  };
}
