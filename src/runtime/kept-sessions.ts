import type { AgentSpec } from "../core/spec.ts";
import { NO_TOKENS, subtractTokens } from "../core/tokens.ts";
import type { LiveSession, Origin } from "./step-context.ts";
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

interface Kept {
  live: LiveSession;
  /** The agent as it was asked for. */
  asked: AgentSpec;
  timer: NodeJS.Timeout;
}

/** Sessions whose process stays alive after a step, for a further round with a warm cache. */
export class KeptSessions {
  readonly #kept = new Map<string, Kept>();

  /** Whether a session is kept. */
  has(sessionId: string): boolean {
    return this.#kept.has(sessionId);
  }

  /**
   * A kept session to go on in, when that is for the same agent and at its end. For another agent, for a copy of its
   * history or a place in it, the kept one is ended: its process has the options that it was started with.
   */
  async take({ resume, fork, resumeAt }: Origin, asked: AgentSpec): Promise<LiveSession | undefined> {
    const kept = this.#out(resume);
    if (kept === undefined) return undefined;
    if (kept.asked === asked && fork !== true && resumeAt === undefined) return kept.live;
    await kept.live.session.close();
    return undefined;
  }

  #out(sessionId: string | undefined): Kept | undefined {
    const kept = this.#kept.get(sessionId ?? "");
    if (kept === undefined || sessionId === undefined) return undefined;
    clearTimeout(kept.timer);
    this.#kept.delete(sessionId);
    return kept;
  }

  /** Keeps a session, or ends it. */
  async release(live: LiveSession, asked: AgentSpec, keep: boolean): Promise<void> {
    const { sessionId } = live.session;
    if (!keep || sessionId === undefined) {
      await live.session.close();
      return;
    }
    const timer = setTimeout(() => void this.#out(sessionId)?.live.session.close(), KEEP_ALIVE_MS);
    timer.unref();
    this.#kept.set(sessionId, { live, asked, timer });
  }

  /** Ends all. */
  async close(): Promise<void> {
    const kept = [...this.#kept.keys()].flatMap((id) => this.#out(id)?.live ?? []);
    await Promise.all(kept.map(async ({ session }) => session.close()));
  }
}
