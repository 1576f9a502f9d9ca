import { FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";
import { listSessions } from "../runtime/sessions.ts";

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
  const sessions = await listSessions(places);
  if (sessions.some((session) => session.sessionId === sessionId)) return;
  throw new FlowerError("store", `no session ${stripControl(sessionId)} in ${places.runDir}`, {
    nextStep: "ids are in the line `session:` at the end of a run, and in manifest.json of the run directory",
  });
}
