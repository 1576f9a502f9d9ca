import { FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";
import { listSessions } from "../runtime/sessions.ts";
import type { OnceOptions } from "./program.ts";
import { shellWord } from "./shell-word.ts";

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

/** What to call to go on: in the session, or once more in the one that it was to come from; undefined when neither is stored. */
export async function callToGoOn(
  sessionId: string | undefined,
  prompt: string,
  { resume, fork, resumeAt }: Pick<OnceOptions, "resume" | "fork" | "resumeAt">,
  places: { workspace: string; runDir: string },
): Promise<{ begin: string; end: string[] } | undefined> {
  const sessions = await listSessions(places);
  // A new one may have ended before its first entry.
  const isStored = (id: string): boolean =>
    sessions.some((session) => session.sessionId === id && session.entries > 0);
  if (sessionId !== undefined && isStored(sessionId))
    return { begin: `flower once --resume ${sessionId}`, end: ['"go on"'] };
  // A message that is not there will not be there the next time.
  if (resume === undefined || resumeAt !== undefined || !isStored(resume)) return undefined;
  return { begin: `flower once --resume ${resume}${fork ? " --fork" : ""}`, end: [shellWord(prompt)] };
}
