import type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";

const nameOf = (key: SessionKey): string =>
  JSON.stringify([key.projectKey, key.sessionId, key.subpath ?? ""]);

/** A store in memory, for tests and for runs that need not survive their process. */
export class MemorySessionStore implements SessionStore {
  readonly #rows = new Map<
    string,
    { key: SessionKey; entries: TranscriptEntry[]; uuids: Set<string>; mtimeMs: number }
  >();
  #lastMtimeMs = 0;

  async append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const name = nameOf(key);
    const row = this.#rows.get(name) ?? {
      key: { ...key },
      entries: [],
      uuids: new Set<string>(),
      mtimeMs: 0,
    };
    for (const entry of entries) {
      if (entry.uuid !== undefined && row.uuids.has(entry.uuid)) continue;
      if (entry.uuid !== undefined) row.uuids.add(entry.uuid);
      row.entries.push(structuredClone(entry));
    }
    row.mtimeMs = this.#lastMtimeMs = Math.max(Date.now(), this.#lastMtimeMs + 1);
    this.#rows.set(name, row);
  }

  async load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const row = this.#rows.get(nameOf(key));
    return row === undefined ? null : structuredClone(row.entries);
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtimeMs: number }>> {
    const mtimes = new Map<string, number>();
    for (const { key, mtimeMs } of this.#rows.values()) {
      if (key.projectKey === projectKey)
        mtimes.set(key.sessionId, Math.max(mtimeMs, mtimes.get(key.sessionId) ?? 0));
    }
    return [...mtimes].map(([sessionId, mtimeMs]) => ({ sessionId, mtimeMs }));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return [...this.#rows.values()]
      .flatMap((row) =>
        row.key.projectKey === key.projectKey && row.key.sessionId === key.sessionId
          ? (row.key.subpath ?? [])
          : [],
      )
      .sort();
  }

  async delete(key: SessionKey): Promise<void> {
    for (const [name, row] of this.#rows) {
      const sameSession = row.key.projectKey === key.projectKey && row.key.sessionId === key.sessionId;
      if (sameSession && (key.subpath === undefined || row.key.subpath === key.subpath))
        this.#rows.delete(name);
    }
  }

  async close(): Promise<void> {
    this.#rows.clear();
  }
}
