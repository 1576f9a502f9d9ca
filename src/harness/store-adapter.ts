import type { SessionStore as SdkSessionStore } from "@anthropic-ai/claude-agent-sdk";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";

/** flower's store as the SDK wants it; `onAppend` sees every batch after it was kept, `onLoad` the main history. */
export function sdkStore(
  store: SessionStore,
  onAppend: (entries: readonly TranscriptEntry[], key: SessionKey) => void,
  onLoad: (entries: readonly TranscriptEntry[]) => void,
): SdkSessionStore {
  return {
    append: async (key, entries) => {
      await store.append(key, entries);
      onAppend(entries, key);
    },
    load: async (key) => {
      const entries = await store.load(key);
      if (entries !== null && key.subpath === undefined) onLoad(entries);
      return entries;
    },
    listSessions: async (projectKey) =>
      (await store.listSessions(projectKey)).map(({ sessionId, mtimeMs }) => ({ sessionId, mtime: mtimeMs })),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
  };
}
