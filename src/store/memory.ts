import { closedError } from "./closed-error.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";

interface Transcript {
  projectKey: string;
  sessionId: string;
  /** Empty for the main thread. */
  subpath: string;
  uuids: Set<string>;
  /** Entries as JSON text, as a file would keep them: each load parses a fresh copy. */
  lines: string[];
  mtimeMs: number;
}

/** A store in memory, for tests and for runs that need not survive their process. */
export class MemorySessionStore implements SessionStore {
  #transcripts: Map<string, Transcript> | undefined = new Map();
  #lastMtimeMs = 0;

  async append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    const transcripts = this.#opened();
    if (entries.length === 0) return;
    // All are encoded before any is kept: an entry that is no JSON must not leave half a batch behind.
    const encoded = entries.map((entry) => ({ uuid: entry.uuid, line: JSON.stringify(entry) }));
    const transcript = transcripts.get(nameOf(key)) ?? emptyTranscript(key);
    for (const { uuid, line } of encoded) {
      if (uuid != null && transcript.uuids.has(uuid)) continue;
      if (uuid != null) transcript.uuids.add(uuid);
      transcript.lines.push(line);
    }
    this.#lastMtimeMs = Math.max(Date.now(), this.#lastMtimeMs + 1);
    transcript.mtimeMs = this.#lastMtimeMs;
    transcripts.set(nameOf(key), transcript);
  }

  async load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const lines = this.#opened().get(nameOf(key))?.lines;
    return lines?.map((line) => JSON.parse(line) as TranscriptEntry) ?? null;
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtimeMs: number }>> {
    const mtimesMs = new Map<string, number>();
    for (const transcript of this.#opened().values()) {
      const { sessionId, mtimeMs } = transcript;
      if (transcript.projectKey === projectKey)
        mtimesMs.set(sessionId, Math.max(mtimeMs, mtimesMs.get(sessionId) ?? 0));
    }
    return [...mtimesMs].map(([sessionId, mtimeMs]) => ({ sessionId, mtimeMs }));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return [...this.#opened().values()]
      .filter((transcript) => isOfSession(transcript, key) && transcript.subpath !== "")
      .map(({ subpath }) => subpath)
      .sort();
  }

  async delete(key: SessionKey): Promise<void> {
    const transcripts = this.#opened();
    for (const [name, transcript] of transcripts) {
      const named = key.subpath === undefined || key.subpath === transcript.subpath;
      if (named && isOfSession(transcript, key)) transcripts.delete(name);
    }
  }

  async close(): Promise<void> {
    this.#transcripts = undefined;
  }

  #opened(): Map<string, Transcript> {
    if (this.#transcripts === undefined) throw closedError();
    return this.#transcripts;
  }
}

function nameOf({ projectKey, sessionId, subpath = "" }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath]);
}

function emptyTranscript({ projectKey, sessionId, subpath = "" }: SessionKey): Transcript {
  return { projectKey, sessionId, subpath, uuids: new Set(), lines: [], mtimeMs: 0 };
}

function isOfSession(transcript: Transcript, key: { projectKey: string; sessionId: string }): boolean {
  return transcript.projectKey === key.projectKey && transcript.sessionId === key.sessionId;
}
