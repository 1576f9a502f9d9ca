import type { SessionStore, TranscriptEntry } from "./contract.ts";

/** One rewrite of a history on its way into a session. Pure: returns new entries and leaves the given ones alone. */
export type RewritePass = (entries: readonly TranscriptEntry[]) => readonly TranscriptEntry[];

/** A store whose `load` returns a rewritten copy, the passes applied in order; what is stored never changes. */
export function rewriting(store: SessionStore, passes: readonly RewritePass[]): SessionStore {
  return {
    append: async (key, entries) => store.append(key, entries),
    async load(key) {
      const entries = await store.load(key);
      if (entries === null) return null;
      return [...passes.reduce<readonly TranscriptEntry[]>((history, pass) => pass(history), entries)];
    },
    listSessions: async (projectKey) => store.listSessions(projectKey),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}
