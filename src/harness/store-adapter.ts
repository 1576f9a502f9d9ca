import type { SessionStore as SdkSessionStore } from "@anthropic-ai/claude-agent-sdk";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";
import type { MirrorWatch } from "./mirror-watch.ts";

/** One failure may be another process's lock. The harness would try a third time, and go on without it (0.3.332). */
const APPEND_TRIES = 2;

/** Who hears of what the harness asks of a store. */
export interface StoreListener {
  /** Every batch, after it was kept. */
  onAppend(entries: readonly TranscriptEntry[], key: SessionKey): void;
  /** The main history. */
  onLoad(entries: readonly TranscriptEntry[]): void;
  /** Why nothing can be kept or read any more. */
  onBroken(error: unknown): void;
  mirror: MirrorWatch;
}

/**
 * flower's store as the SDK wants it.
 * @param projectKey in place of the harness's own, which it makes from the working directory with one character for
 * many (0.3.332): directories of similar names would share their sessions, and a moved one would lose them.
 */
export function sdkStore(
  store: SessionStore,
  projectKey: string,
  { onAppend, onLoad, onBroken, mirror }: StoreListener,
): SdkSessionStore {
  let failures = 0;
  const reading = async <Value>(read: Promise<Value>): Promise<Value> =>
    read.catch((error: unknown) => {
      onBroken(error);
      throw error;
    });
  return {
    append: async (asked, entries) => {
      const key = { ...asked, projectKey };
      const done = mirror.appending();
      try {
        await store.append(key, entries);
      } catch (error) {
        failures += 1;
        if (failures >= APPEND_TRIES) onBroken(error);
        throw error;
      } finally {
        done();
      }
      failures = 0;
      onAppend(entries, key);
    },
    load: async (asked) => {
      const key = { ...asked, projectKey };
      const entries = await reading(store.load(key));
      if (entries !== null && key.subpath === undefined) onLoad(entries);
      return entries;
    },
    listSessions: async () =>
      (await store.listSessions(projectKey)).map(({ sessionId, mtimeMs }) => ({ sessionId, mtime: mtimeMs })),
    listSubkeys: async (key) => reading(store.listSubkeys({ ...key, projectKey })),
    delete: async (key) => store.delete({ ...key, projectKey }),
  };
}
