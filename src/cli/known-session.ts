import { existsSync } from "node:fs";
import { join } from "node:path";
import { FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";
import { readManifest } from "../runtime/manifest.ts";
import { SqliteSessionStore } from "../store/sqlite.ts";

/**
 * Refuses a session that nobody here has heard of: neither a row of the manifest names it, nor does the store hold its
 * transcript. The harness's own words for it (0.3.332) do not say where ids are to be found.
 * @param places both absolute and real.
 * @throws FlowerError `store` when the session is unknown, or when the store cannot be read.
 */
export async function requireKnownSession(
  sessionId: string,
  places: { workspace: string; runDir: string },
): Promise<void> {
  if (isInManifest(sessionId, places.runDir) || (await isInStore(sessionId, places))) return;
  throw new FlowerError("store", `no session ${stripControl(sessionId)} in ${places.runDir}`, {
    nextStep: "ids are in the line `session:` at the end of a run, and in manifest.json of the run directory",
  });
}

function isInManifest(sessionId: string, runDir: string): boolean {
  return readManifest(runDir).some(
    ({ sessionId: last, retired }) =>
      last === sessionId || (Array.isArray(retired) && retired.includes(sessionId)),
  );
}

async function isInStore(
  sessionId: string,
  { workspace, runDir }: { workspace: string; runDir: string },
): Promise<boolean> {
  const path = join(runDir, "sessions.db");
  if (!existsSync(path)) return false;
  const store = SqliteSessionStore.open({ path });
  try {
    // Named by a dot when the run directory lies in the workspace, else by the workspace's path.
    const lists = await Promise.all([".", workspace].map(async (key) => store.listSessions(key)));
    return lists.flat().some((session) => session.sessionId === sessionId);
  } finally {
    await store.close();
  }
}
