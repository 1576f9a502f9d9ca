import { lastContextOf, nextContextOf } from "../context/request-contexts.ts";
import type { Entry } from "../context/transcript.ts";
import type { Fill } from "./classify.ts";
import type { LiveSession } from "./step-context.ts";

/** The main thread's entries. A store that cannot be read tells nothing, and is no reason to fail in another way. */
export async function readableMain({ session }: Pick<LiveSession, "session">): Promise<readonly Entry[]> {
  const { main } = await session.transcript().catch(() => ({ main: [] }));
  return main;
}

/**
 * How full the request was that has just failed: what the one before it read, and what has come in since. A process
 * that was started anew has that from the transcript, and its turn has it from then on.
 */
export async function fillOf({ session, turn }: LiveSession): Promise<Fill> {
  const main = await readableMain({ session });
  turn.context ||= lastContextOf(main) ?? 0;
  const { enabled, at, window } = turn.line;
  const context = Math.max(turn.context, nextContextOf(main));
  return { context, window, ...(enabled ? { at } : {}) };
}
