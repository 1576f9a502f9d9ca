/** Names one transcript: a session, or with `subpath` a subagent's transcript below it. */
export interface SessionKey {
  /** The harness's name for the workspace directory. */
  projectKey: string;
  sessionId: string;
  /** e.g. `subagents/agent-<id>`; absent for the main thread. */
  subpath?: string;
}

/** One line of a transcript. Opaque but for these fields; must survive `JSON.stringify`/`parse` unchanged. */
export interface TranscriptEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
}

/**
 * Where transcripts live. The harness appends while it works and loads once per resume.
 * Every store of this package passes `runStoreConformance` of `flower-agent/testing`.
 */
export interface SessionStore {
  /**
   * Adds entries in order. An entry whose `uuid` the same key already holds is dropped (the harness retries);
   * entries without uuid are always added.
   * @throws when the entries could not be kept: the harness tries three times, then reports `mirror_error`.
   */
  append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void>;
  /** All entries of the key in append order, deep-equal to what was appended; null when never written. */
  load(key: SessionKey): Promise<TranscriptEntry[] | null>;
  /** Sessions of a project; `mtimeMs` is strictly increasing over appends of the whole store. */
  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtimeMs: number }>>;
  /** Subpaths below a session, sorted. */
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
  /** Without subpath: the session with all below it; with subpath: only that transcript. Unknown keys are no error. */
  delete(key: SessionKey): Promise<void>;
  /** Releases files and handles; further calls throw. */
  close(): Promise<void>;
}
