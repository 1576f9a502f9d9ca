// A store of your own: transcripts as files of JSON lines, one a session, which other tools can read.
// Try: flower run examples/07-file-store.ts "remember the word tulip"
// It keeps the whole contract: `runStoreConformance` of flower-agent/testing finds no fault in it.
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import {
  Runtime,
  type FlowParts,
  type SessionKey,
  type SessionStore,
  type StepResult,
  type TranscriptEntry,
} from "flower-agent";

/** A store in a directory, for one process at a time. Each file begins with the key that it is kept under. */
export function fileStore(dir: string): SessionStore {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  let isOpen = true;
  const known = new Map<string, Set<string>>();
  const paths = (): string[] => readdirSync(dir).map((name) => join(dir, name));
  const linesOf = (path: string): unknown[] =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  const entriesOf = (path: string) => linesOf(path).slice(1) as TranscriptEntry[];
  const keyOf = (path: string) => linesOf(path)[0] as Required<SessionKey>;
  const changedMs = (path: string) => Math.round(statSync(path).mtimeMs);
  let lastMs = Math.max(0, ...paths().map(changedMs));

  const pathOf = ({ projectKey, sessionId, subpath = "" }: SessionKey): string => {
    if (!isOpen) throw new Error("this store is closed");
    const name = JSON.stringify([projectKey, sessionId, subpath]);
    return join(dir, `${createHash("sha256").update(name).digest("hex")}.jsonl`);
  };
  const isUnder = (key: SessionKey, { projectKey, sessionId }: SessionKey) =>
    key.projectKey === projectKey && key.sessionId === sessionId;

  return {
    async append(key, entries) {
      const path = pathOf(key);
      if (entries.length === 0) return;
      const isThere = existsSync(path);
      const uuids =
        known.get(path) ?? new Set(isThere ? entriesOf(path).flatMap(({ uuid }) => uuid ?? []) : []);
      const fresh = entries.filter(({ uuid }) => uuid === undefined || (!uuids.has(uuid) && uuids.add(uuid)));
      const lines = [...(isThere ? [] : [{ ...key, subpath: key.subpath ?? "" }]), ...fresh];
      appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
      known.set(path, uuids);
      // Later by a millisecond at least, so that the newest session can be told.
      lastMs = Math.max(Date.now(), lastMs + 1);
      utimesSync(path, lastMs / 1_000, lastMs / 1_000);
    },
    async load(key) {
      const path = pathOf(key);
      return existsSync(path) ? entriesOf(path) : null;
    },
    async listSessions(projectKey) {
      pathOf({ projectKey, sessionId: "" });
      const newest = new Map<string, number>();
      for (const path of paths()) {
        const { sessionId, projectKey: project } = keyOf(path);
        if (project === projectKey)
          newest.set(sessionId, Math.max(newest.get(sessionId) ?? 0, changedMs(path)));
      }
      return [...newest].map(([sessionId, mtimeMs]) => ({ sessionId, mtimeMs }));
    },
    async listSubkeys(key) {
      pathOf(key);
      const keys = paths()
        .map(keyOf)
        .filter((each) => isUnder(each, key) && each.subpath !== "");
      return keys.map(({ subpath }) => subpath).sort();
    },
    async delete(key) {
      const gone =
        key.subpath === undefined ? paths().filter((path) => isUnder(keyOf(path), key)) : [pathOf(key)];
      pathOf(key);
      for (const path of gone) {
        rmSync(path, { force: true });
        known.delete(path);
      }
    },
    async close() {
      isOpen = false;
    },
  };
}

export default async function remember({ workspace, request }: FlowParts): Promise<StepResult> {
  const store = fileStore(join(workspace, "transcripts"));
  const runtime = new Runtime({ workspace, runDir: "runs-with-files", store });
  try {
    return await runtime.run({ name: "remember", instructions: "", allowedTools: ["Read"] }, request);
  } finally {
    await runtime.close();
    await store.close();
  }
}
