import type { ShrinkLevel } from "../context/shrink.ts";
import type { EventDraft } from "../core/events.ts";
import type { Locale } from "../core/locale.ts";
import type { CopyMount, HarnessSession, RoundFailure, RoundResult } from "../harness/contract.ts";
import type { Books } from "./books.ts";
import type { FailureKind } from "./classify.ts";
import type { Generation, RunStepOptions, StepResult, WorktreeRow } from "./contract.ts";
import type { Turn } from "./turn.ts";

/** A session with the turn that its hooks look at. */
export interface LiveSession {
  session: HarnessSession;
  turn: Turn;
  /** Its process was kept alive from the step before. */
  kept?: boolean;
}

/** Where a session comes from. */
export interface Origin {
  /** Session to go on from; undefined = a fresh one. */
  resume?: string;
  fork?: boolean;
  resumeAt?: string;
  copyMount?: CopyMount;
  /** With `resume`: on a history shrunk to this level. */
  shrink?: ShrinkLevel;
  /** What this session adds is kept in memory only. */
  unkept?: boolean;
}

/** Where the options of a step say that its first session comes from. */
export function originOf({ resume, fork, resumeAt, copyMount }: RunStepOptions): Origin {
  return {
    ...(resume === undefined ? {} : { resume }),
    ...(fork === undefined ? {} : { fork }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    ...(copyMount === undefined ? {} : { copyMount }),
  };
}

/** A change of generation: what the successor is told. */
export interface Handover {
  successorPrompt: string;
}

/** Why nobody can work now; `refused`: account, model, way there or allowance, so that no other session could either. */
export interface Stopped {
  stopped: string;
  refused: boolean;
}

/** Nobody can be asked, and a later run asks again; or the person broke in, and the session goes on with their words. */
export type NoHandover =
  | Stopped
  /** `putOff`: called when the session goes on with words; without words the next run asks for the document. */
  | { interrupted: true; putOff(): void };

/** What a step needs of its runtime: everything with an effect outside the step. */
export interface StepContext {
  /** The run's language, for why the step ended. */
  locale: Locale;
  open(origin: Origin, books: Books, generation: number): Promise<LiveSession>;
  handOver(
    live: LiveSession,
    reason: Generation["reason"],
    writing: {
      books: Books;
      /** An earlier run asked for it in vain. */
      isOwed: boolean;
      /** Books a round. */
      book(live: LiveSession, round: RoundResult): void;
      /** Notes why a round failed. */
      failed(failure: RoundFailure, kind: FailureKind): void;
      /** The session again, in a new process: its history shrunk to this level, undefined = as it is. */
      reopen(shrink: ShrinkLevel | undefined): Promise<LiveSession>;
      /** Aborted when a person interrupts. */
      breakIn: AbortSignal;
      /** The row for the books, once the document is frozen; `problem` says why it is degraded. */
      onGeneration(generation: Generation, problem: string | undefined): void;
    },
  ): Promise<Handover | NoHandover>;
  /** Whether a session can be gone on with. */
  holds(sessionId: string): Promise<boolean>;
  /** The API took a request of this many tokens. */
  accepted(tokens: number): void;
  /** The API found the context too long. */
  overflowed(live: LiveSession, failure: RoundFailure): Promise<void>;
  /**
   * Waits out a transient fault before try `attempt`, or until a person breaks in; false when there is none left or the
   * run is ending.
   */
  waitForRetry(attempt: number, failure: RoundFailure, breakIn: AbortSignal): Promise<boolean>;
  /** Waits until a used-up allowance comes back, the same way; false also when it should not be waited for. */
  waitForLimit(attempt: number, failure: RoundFailure, breakIn: AbortSignal): Promise<boolean>;
  /** A person's messages that no session has read, for the next prompt. */
  undelivered(): string | undefined;
  /** Whether there are such messages. */
  mailWaits(): boolean;
  /** A round is over; of one that broke the transcript tells which messages arrived. */
  mailSent(broken: LiveSession | undefined): Promise<void>;
  emit(event: EventDraft): void;
  /** Worktrees of isolated workers so far. */
  worktrees(): readonly WorktreeRow[];
  /** The result as it stands, whenever the books should be written. */
  onProgress(result: StepResult): void;
  /** Ends the session, or keeps it alive for a further round. */
  release(live: LiveSession, keep: boolean): Promise<void>;
}
