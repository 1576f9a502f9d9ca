import type { SessionStore as SdkSessionStore } from "@anthropic-ai/claude-agent-sdk";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";

/**
 * flower's store as the SDK wants it; `onAppend` sees every batch after it was kept, `onLoad` the main history.
 * @param projectKey in place of the harness's own, which it makes from the working directory with one character for
 * many (0.3.332): directories of similar names would share their sessions, and a moved one would lose them.
 */
export function sdkStore(
  store: SessionStore,
  projectKey: string,
  onAppend: (entries: readonly TranscriptEntry[], key: SessionKey) => void,
  onLoad: (entries: readonly TranscriptEntry[]) => void,
  onFailure: (error: unknown, inARow: number) => void,
): SdkSessionStore {
  let failures = 0;
  return {
    append: async (asked, entries) => {
      const key = { ...asked, projectKey };
      try {
        await store.append(key, entries);
      } catch (error) {
        failures += 1;
        onFailure(error, failures);
        throw error;
      }
      failures = 0;
      onAppend(entries, key);
    },
    load: async (asked) => {
      const key = { ...asked, projectKey };
      const entries = await store.load(key);
      if (entries !== null && key.subpath === undefined) onLoad(entries);
      return entries;
    },
    listSessions: async () =>
      (await store.listSessions(projectKey)).map(({ sessionId, mtimeMs }) => ({ sessionId, mtime: mtimeMs })),
    listSubkeys: async (key) => store.listSubkeys({ ...key, projectKey }),
    delete: async (key) => store.delete({ ...key, projectKey }),
  };
}
