import { lastContextOf } from "../context/request-contexts.ts";
import type { ShrinkLevel } from "../context/shrink.ts";
import type { RoundFailure, RoundResult } from "../harness/contract.ts";
import { Books } from "./books.ts";
import {
  classify,
  failureLine,
  isUnkept,
  NO_SUCH_SESSION,
  overflowedSilently,
  START_ANEW,
  type FailureKind,
} from "./classify.ts";
import type { Generation, HandOverFirst, RunStepOptions, StepResult, StepStatus } from "./contract.ts";
import { endTurn } from "./end-turn.ts";
import { fillOf, readableMain } from "./fill.ts";
import { PendingWords } from "./pending-words.ts";
import { RESUME_AFTER_FAULT } from "./prompts.ts";
import { statedWindow } from "./stated-window.ts";
import type { LiveSession, Origin, StepContext } from "./step-context.ts";
import type { Next, PromptKind, Sent, StepPrompts } from "./step-prompts.ts";
import { paragraphs, tooManyHandoffs, whyCut } from "./step-texts.ts";
import { STOP_TEXTS, type StopTexts } from "./stop-texts.ts";
import { timesBrought } from "./transcript-holds.ts";
import type { CutReason } from "./turn.ts";

/** Their rounds are all booked; of others the last one is known by its figures so far. */
const ENDED: ReadonlySet<StepStatus> = new Set(["done", "failed", "interrupted"]);

/** The hooks change it while the round runs, which the compiler cannot see. */
function cutOf({ turn }: LiveSession): CutReason | undefined {
  return turn.cut;
}

/** One step from its first prompt to its result: attempts, generations, interruptions. */
export class StepRun {
  readonly #context: StepContext;
  readonly #texts: StopTexts;
  readonly #books = new Books();
  readonly #startedMs = Date.now();
  readonly #errors: string[] = [];
  readonly #generations: Generation[] = [];
  #attempts = 1;
  #resumed = false;
  #live: LiveSession | undefined;
  #sessionId: string | undefined;
  #text = "";
  #level = { context: 0, window: 0 };
  #costSeenUsd = 0;
  #refusals = 0;
  /** Where the live session came from, and how often it was prompted in this step. */
  #openedFrom: Origin = {};
  #rounds = 0;
  /** Booked by the tool that asks a retired session. */
  predecessorCostUsd = 0;
  readonly #words = new PendingWords();
  #ending: StepStatus | undefined;
  #refused = false;
  /** The last interruption found no boundary in time. */
  #dropped = false;

  constructor(context: StepContext) {
    this.#context = context;
    this.#texts = STOP_TEXTS[context.locale];
  }

  /** Runs to the end; does not reject for what a model, the API or the harness did. */
  async run(
    prompts: StepPrompts,
    origin: Origin,
    { keepAlive = false, handOverFirst }: Pick<RunStepOptions, "keepAlive" | "handOverFirst">,
  ): Promise<StepResult> {
    if (origin.resume !== undefined && !(await this.#context.holds(origin.resume))) {
      // The harness might find it in files of its own, whose costs the books do not know (0.3.332).
      if (prompts.fresh === undefined) return this.snapshot("failed", `${origin.resume}: ${START_ANEW}`);
      this.#sayGone();
      return this.run({ first: prompts.fresh, fresh: undefined }, {}, { keepAlive });
    }
    this.#resumed = origin.resume !== undefined;
    const kind = this.#resumed ? "resume" : "start";
    let next: Next =
      handOverFirst === undefined
        ? { prompt: prompts.first, kind, origin, sameProcess: false }
        : await this.#handOverFirst(origin, prompts.first, handOverFirst);
    while ("prompt" in next) {
      if (!next.sameProcess) {
        const live = await this.#open(next.origin);
        if (live.kept === true) next.kind = "round";
      }
      next = await this.#round(next.prompt, next.kind, prompts);
    }
    const error = "failed" in next ? next.failed : undefined;
    await this.#release(keepAlive && error === undefined);
    return this.snapshot(this.#ending ?? (error === undefined ? "done" : "failed"), error);
  }

  /**
   * Ends the turn at the next boundary, or drops the reply under way after 12 s. The session then goes on with the
   * words, of several interruptions with all of them; when the last one had none, the step ends as interrupted.
   * `atOnce`: its processes are ended without waiting.
   */
  interrupt(words: Promise<string | undefined>, atOnce = false): void {
    this.#words.add(words);
    const live = this.#live;
    // Between two rounds they wait for the next prompt.
    if (live?.session.working !== true) return;
    live.turn.interrupted = true;
    if (atOnce) {
      this.#dropped = true;
      void live.session.close();
      return;
    }
    endTurn(live, () => {
      this.#dropped = true;
      this.#context.emit({ type: "system", level: "warning", message: this.#texts.replyDropped });
    });
  }

  async #handOverFirst(origin: Origin, first: string, due: HandOverFirst): Promise<Next> {
    const live = await this.#open(origin);
    const { enabled, at } = live.turn.line;
    // Handing over may have been turned off meanwhile, or the window be larger.
    if (!enabled || (due.reason === "level" && due.context > 0 && due.context < at))
      return { prompt: first, kind: "resume", origin, sameProcess: true };
    live.turn.context = due.context;
    const next = await this.#handOver(live, due.reason, true);
    if (!("prompt" in next)) return next;
    // Put off: the session goes on, and still has to hear why it was woken.
    return {
      ...next,
      prompt: next.origin.resume === undefined ? due.prompt(next.prompt) : `${first}\n\n${next.prompt}`,
    };
  }

  #sayGone(): void {
    this.#context.emit({ type: "system", level: "warning", message: this.#texts.sessionGone });
  }

  /** Interruptions that came when nothing was left to interrupt; they are the caller's then. */
  unheeded(): Promise<string | undefined>[] {
    return this.#words.unheeded();
  }

  /** Notes the session id; called the moment it is known. */
  sessionKnown(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#context.onProgress(this.snapshot("running"));
  }

  /** Notes figures of the round under way; books are closed at its end only. */
  seen({ context, window, costUsd }: { context: number; window: number; costUsd: number }): void {
    this.#level = { context, window };
    this.#costSeenUsd = costUsd;
  }

  /** The result as it stands. */
  snapshot(status: StepStatus, error?: string): StepResult {
    return {
      ok: status === "done",
      status,
      text: this.#text,
      sessionId: this.#sessionId,
      costUsd: ENDED.has(status) ? this.#books.costUsd : Math.max(this.#books.costUsd, this.#costSeenUsd),
      costIsEstimate: this.#books.costIsEstimate,
      ...this.#books.with(ENDED.has(status) ? undefined : this.#live?.session.underWay),
      durationMs: Date.now() - this.#startedMs,
      error,
      errors: [...this.#errors],
      attempts: this.#attempts,
      resumed: this.#resumed,
      retired: this.#generations.map((generation) => generation.sessionId),
      generations: [...this.#generations],
      context: this.#level.context,
      window: this.#level.window,
      refusals: this.#refusals,
      worktrees: this.#context.worktrees(),
      predecessorCostUsd: this.predecessorCostUsd,
      ...(this.#refused ? { refused: true } : {}),
    };
  }

  /** Which of this run's sessions of the step is at work, from 1. */
  get generation(): number {
    return this.#generations.length + 1;
  }

  /** The session that handed over last in this step. */
  get retired(): Generation | undefined {
    return this.#generations.at(-1);
  }

  async #open(origin: Origin): Promise<LiveSession> {
    await this.#release(false);
    const live = await this.#context.open(origin, this.#books, this.generation);
    this.#live = live;
    this.#openedFrom = origin;
    this.#rounds = 0;
    const { sessionId } = live.session;
    // A resumed or kept session does not announce itself before its first message.
    if (sessionId !== undefined) this.sessionKnown(sessionId);
    return live;
  }

  async #round(prompt: string, kind: PromptKind, { fresh }: StepPrompts): Promise<Next> {
    const live = this.#live;
    if (live === undefined) throw new Error("a round needs a session");
    live.turn.cut = undefined;
    live.turn.interrupted = false;
    const words = await this.#takeWords();
    if (words === "") return { failed: this.#texts.interrupted };
    const asked = paragraphs(prompt, words);
    const text = paragraphs(asked, this.#context.undelivered());
    this.#context.emit({ type: "prompt", kind, text });
    this.#rounds += 1;
    const sinceMs = Date.now();
    const round = await live.session.round(text);
    this.#book(live, round);
    await this.#context.mailSent(round.failure === undefined ? undefined : live);
    const cut = cutOf(live);
    if (round.failure === undefined && cut === undefined) this.#text = round.text;
    // Before the person's words: nothing of what follows would be kept.
    const { failure } = round;
    const sent = { text: asked, kind, sinceMs };
    if (failure !== undefined && isUnkept(failure)) return this.#failed(live, failure, sent, fresh);
    // Also when the turn ended by itself meanwhile: the person's words are not lost with its last reply.
    if (this.#words.waiting) return this.#interrupted(live);
    const { enabled, window } = live.turn.line;
    if (enabled && cut === undefined && overflowedSilently(round, window)) {
      const size = `${round.context} of ${window} tokens`;
      return this.#isFirstRequest(live)
        ? { failed: this.#texts.startTooLarge(size, undefined) }
        : this.#handOver(live, "overflow");
    }
    if (failure !== undefined) return this.#failed(live, failure, sent, fresh);
    if (cut === "handoff") return this.#handOver(live, "level");
    const failed = whyCut(cut, live.turn, this.#texts);
    if (failed !== undefined) return { failed };
    if (this.#context.mailWaits())
      return { prompt: "", kind: "round", origin: this.#again(), sameProcess: true };
    return { done: true };
  }

  /** Of a session without a past: whoever took over would start with the same. */
  #isFirstRequest({ turn }: LiveSession): boolean {
    return turn.fresh && turn.batches === 0 && this.#rounds === 1;
  }

  #note(kind: FailureKind | "degraded", message: string): void {
    this.#errors.push(message);
    this.#context.emit({ type: "error", kind, message });
  }

  #book(live: LiveSession, round: RoundResult): void {
    this.#books.add(round);
    if (round.context > 0) live.turn.context = round.context;
    // Of a prompt that a server cut by itself its size says nothing.
    if (!overflowedSilently(round, live.turn.line.window)) this.#context.accepted(round.context);
    this.#level = { context: live.turn.context, window: live.turn.line.window };
    this.#refusals += live.turn.refusals;
    live.turn.refusals = 0;
    this.#sessionId = live.session.sessionId ?? this.#sessionId;
    this.#context.emit({
      type: "usage",
      context: live.turn.context,
      window: live.turn.line.window,
      at: live.turn.line.enabled ? live.turn.line.at : null,
      costUsd: this.#books.costUsd,
      costIsEstimate: this.#books.costIsEstimate,
      tokens: this.#books.allTokens,
    });
  }

  /** @param onWords the session goes on. */
  async #interrupted({ turn }: LiveSession, onWords?: () => void): Promise<Next> {
    turn.interrupted = false;
    turn.cutAgents.clear();
    const words = await this.#takeWords();
    if (words === undefined || words === "") return { failed: this.#texts.interrupted };
    onWords?.();
    // What the harness says of dropped calls is put right when the history is loaded.
    const sameProcess = !this.#dropped;
    this.#dropped = false;
    return { prompt: words, kind: sameProcess ? "round" : "resume", origin: this.#again(), sameProcess };
  }

  /** A person's words, as a prompt; "" when they said none and the step ends, undefined without an interruption. */
  async #takeWords(): Promise<string | undefined> {
    const words = await this.#words.take();
    if (words === "") this.#ending = "interrupted";
    return words;
  }

  async #failed(
    live: LiveSession,
    failure: RoundFailure,
    sent: Sent,
    fresh: string | undefined,
  ): Promise<Next> {
    if (NO_SUCH_SESSION.test(failure.message) && this.#resumed && fresh !== undefined) {
      this.#resumed = false;
      this.#sayGone();
      return { prompt: fresh, kind: "start", origin: this.#samePlace(), sameProcess: false };
    }
    const classified = classify(failure, await fillOf(live));
    const { kind } = classified;
    this.#note(kind, failure.message);
    if (kind === "overflow") {
      await this.#context.overflowed(live, failure);
      if (!live.turn.line.enabled) return { failed: this.#texts.contextFull(failure.message) };
      const stated = statedWindow(failure.message, failure.details ?? "");
      if (this.#isFirstRequest(live)) return { failed: this.#texts.startTooLarge(failure.message, stated) };
      return this.#handOver(live, "overflow");
    }
    if (kind === "fatal") {
      this.#refused = classified.account === true;
      return { failed: failureLine(failure, classified) };
    }
    const onward = await this.#onward(live, sent);
    if (kind === "limit") {
      await this.#release(false);
      if (!(await this.#context.waitForLimit(this.#attempts, failure, this.#words.breakIn))) {
        this.#refused = true;
        return { failed: this.#texts.notWaited(failure.message) };
      }
      return onward;
    }
    this.#attempts += 1;
    await this.#release(false);
    if (!(await this.#context.waitForRetry(this.#attempts, failure, this.#words.breakIn))) {
      this.#attempts -= 1;
      return { failed: this.#texts.givenUp(failure.message, this.#attempts) };
    }
    return onward;
  }

  /**
   * How to go on after a fault: in the same session, when it has what was asked; else what was asked is asked again,
   * where it was asked before.
   */
  async #onward(live: LiveSession, sent: Sent): Promise<Next> {
    const main = await readableMain(live);
    // The whole text: words that a person said at waking stand behind sentences that every waking has.
    if (timesBrought(main, sent.text, sent.sinceMs) > 0)
      return { prompt: RESUME_AFTER_FAULT, kind: "resume", origin: this.#again(), sameProcess: false };
    const origin = this.#rounds > 1 ? this.#again() : this.#openedFrom;
    return { prompt: sent.text, kind: sent.kind, origin, sameProcess: false };
  }

  async #handOver(live: LiveSession, reason: Generation["reason"], isOwed = false): Promise<Next> {
    const { maxGenerations } = live.turn.line;
    if (this.#generations.length >= maxGenerations)
      return { failed: tooManyHandoffs(live.turn, this.#texts) };
    // A resumed session whose first request did not fit has no level yet.
    live.turn.context ||= lastContextOf(await readableMain(live)) ?? 0;
    const reopen = async (shrink: ShrinkLevel | undefined): Promise<LiveSession> =>
      this.#open({ ...this.#again(), ...(shrink === undefined ? {} : { shrink }) });
    const handover = await this.#context.handOver(live, reason, {
      books: this.#books,
      isOwed,
      book: (writing, round) => this.#book(writing, round),
      failed: ({ message }, kind) => this.#note(kind, message),
      reopen,
      breakIn: this.#words.breakIn,
      onGeneration: (generation, problem) => {
        this.#generations.push(generation);
        if (problem !== undefined) this.#note("degraded", problem);
        this.#context.onProgress(this.snapshot("running"));
      },
    });
    if ("stopped" in handover) {
      this.#refused = handover.refused;
      return { failed: handover.stopped };
    }
    // Perhaps in a process that was opened for the document.
    if ("interrupted" in handover) return this.#interrupted(this.#live ?? live, () => handover.putOff());
    const { successorPrompt } = handover;
    this.#context.onProgress(this.snapshot("running"));
    // The successor has no session yet: a fault before its first word must not lead back into this one.
    this.#sessionId = undefined;
    return { prompt: successorPrompt, kind: "start", origin: this.#samePlace(), sameProcess: false };
  }

  #again(): Origin {
    const place = this.#samePlace();
    return this.#sessionId === undefined ? place : { ...place, resume: this.#sessionId };
  }

  /** Whoever takes over works where the session before did. */
  #samePlace(): Origin {
    const { copyMount } = this.#openedFrom;
    return copyMount === undefined ? {} : { copyMount };
  }

  async #release(keep: boolean): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    if (live !== undefined) await this.#context.release(live, keep);
  }
}
