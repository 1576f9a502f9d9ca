import { NO_TOKENS, subtractTokens } from "../core/tokens.ts";
import type { LiveSession } from "./step-context.ts";
import type { Turn } from "./turn.ts";

/** A kept session is closed before the prompt cache (5 minutes) forgets it: later than that it has no advantage. */
const KEEP_ALIVE_MS = 4.5 * 60_000;

/** Where a kept session's step starts: what its process has spent on the step before is not this step's. */
export async function figuresBefore({ session }: LiveSession): Promise<Turn["before"]> {
  return {
    costUsd: -((await session.spentUsd()) ?? 0),
    tokens: subtractTokens(NO_TOKENS, session.spentTokens),
    turns: 0,
  };
}

/** Sessions whose process stays alive after a step, for a further round with a warm cache. */
export class KeptSessions {
  readonly #kept = new Map<string, { live: LiveSession; timer: NodeJS.Timeout }>();

  /** Whether a session is kept. */
  has(sessionId: string): boolean {
    return this.#kept.has(sessionId);
  }

  /** Takes a kept session out, by its id. */
  take(sessionId: string | undefined): LiveSession | undefined {
    const kept = this.#kept.get(sessionId ?? "");
    if (kept === undefined || sessionId === undefined) return undefined;
    clearTimeout(kept.timer);
    this.#kept.delete(sessionId);
    return kept.live;
  }

  /** Keeps a session, or ends it. */
  async release(live: LiveSession, keep: boolean): Promise<void> {
    const { sessionId } = live.session;
    if (!keep || sessionId === undefined) {
      await live.session.close();
      return;
    }
    const timer = setTimeout(() => void this.take(sessionId)?.session.close(), KEEP_ALIVE_MS);
    timer.unref();
    this.#kept.set(sessionId, { live, timer });
  }

  /** Ends all. */
  async close(): Promise<void> {
    const kept = [...this.#kept.keys()].flatMap((id) => this.take(id) ?? []);
    await Promise.all(kept.map(async ({ session }) => session.close()));
  }
}
