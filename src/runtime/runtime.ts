import { redactDeep } from "../context/redact.ts";
import { firstContextOf } from "../context/request-contexts.ts";
import { resolveCredentials } from "../config/credentials.ts";
import type { EventDraft } from "../core/events.ts";
import { newRunId } from "../core/ids.ts";
import type { AgentSpec } from "../core/spec.ts";
import type { RoundFailure } from "../harness/contract.ts";
import type { HumanChannel } from "../human/channel.ts";
import { redacting } from "../store/redacting.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { ActiveSteps, type ActiveStep } from "./active-steps.ts";
import { Budget } from "./budget.ts";
import { checkRun } from "./check-run.ts";
import type { RunStepOptions, StepResult, StepRunner } from "./contract.ts";
import { HandoffDesk } from "./handoff-desk.ts";
import { frozenSuccessorPrompt } from "./handoff-files.ts";
import { HEADROOM_TOKENS } from "./handoff-policy.ts";
import { Isolation } from "./isolation.ts";
import { readableMain } from "./fill.ts";
import { figuresBefore, KeptSessions } from "./kept-sessions.ts";
import { MailDesk } from "./mail-desk.ts";
import type { Lineage } from "./lineage.ts";
import type { ResolvedOptions, RuntimeOptions } from "./options.ts";
import { Patience } from "./patience.ts";
import { PermissionDesk } from "./permission-desk.ts";
import { PredecessorDesk } from "./predecessor-desk.ts";
import { resolveOptions } from "./resolve-options.ts";
import { RewriteBook } from "./rewrite-book.ts";
import { openRunDir, type RunDir } from "./run-dir.ts";
import { Secrets } from "./secrets.ts";
import { SessionFactory } from "./session-factory.ts";
import { lineageStepOf } from "./step-name.ts";
import { startFresh } from "./start-fresh.ts";
import { originOf, type LiveSession } from "./step-context.ts";
import { StepRow } from "./step-row.ts";
import { StepRun } from "./step-run.ts";
import { stepWorktrees } from "./step-worktrees.ts";
import { boundedBy, limitsOf } from "./turn.ts";
import { UnseenWords } from "./unseen-words.ts";
import { whyNot } from "./unwritable.ts";
import { WindowBook } from "./window-book.ts";

/**
 * One run: steps one after another over a store, a workbench and the books. Close it when done.
 */
export class Runtime implements StepRunner {
  /** `YYYYmmdd-HHMMSS-<6 hex>`. */
  readonly runId = newRunId();
  readonly options: ResolvedOptions;
  readonly workbench: Workbench | undefined;
  readonly #handoffs: HandoffDesk;
  readonly #channel: HumanChannel | undefined;
  readonly #dir: RunDir;
  readonly #factory: SessionFactory;
  readonly #isolation: Isolation | undefined;
  readonly #windows: WindowBook;
  readonly #active: ActiveSteps;
  readonly #kept = new KeptSessions();
  readonly #predecessors: PredecessorDesk;
  readonly #ending = new AbortController();
  readonly #patience: Patience;
  readonly #budget: Budget;
  readonly #redact: (text: string) => string;
  readonly #mail: MailDesk | undefined;
  readonly #unseen: UnseenWords;

  /**
   * @throws FlowerError `workspace`, `locked`, `credentials`, `store`, `format`, or `harness` for want of a required sandbox; what was damaged is named and kept aside.
   */
  constructor(options: RuntimeOptions) {
    this.options = resolveOptions(options);
    const { workspace, runDir, env, home, locale } = this.options;
    this.#channel = options.channel;
    this.#unseen = new UnseenWords(options.channel);
    this.#active = new ActiveSteps(this.#unseen, options.channel);
    const found = resolveCredentials({ env, workspace, home });
    const credentials: Readonly<Record<string, string>> = found.values;
    // With the credentials put in: the endpoint may come from a file.
    const endpointEnv = { ...env, ...credentials };
    this.#patience = new Patience(this.options.resilience, endpointEnv, this.#ending.signal);
    const secrets = new Secrets(found, workspace, env);
    const { redact } = secrets;
    this.#redact = redact;
    const notice = (message: string): void => this.#say("", message);
    this.#budget = new Budget(options.budgetUsd, notice, locale);
    const { isolate: isolated } = this.options;
    this.#isolation = isolated ? new Isolation(this.options, this.runId) : undefined;
    this.#dir = openRunDir({
      runDir,
      runId: this.runId,
      workspace,
      redact: (value) => redactDeep(value, redact),
      listener: options.onEvent,
      store: options.store,
      workbench: this.options.workbench ? { workspace, locale, isolated, onProblem: notice } : undefined,
    });
    this.workbench = this.#dir.workbench;
    try {
      this.#mail =
        this.#channel &&
        new MailDesk({ channel: this.#channel, file: this.#dir.mail, redact, onProblem: notice });
      const { window: option, headroom = HEADROOM_TOKENS } = this.options.handoff;
      const place = { env: endpointEnv, home, locale };
      this.#windows = new WindowBook({ ...place, option, headroom, onNotice: notice });
      this.#factory = new SessionFactory({
        options: this.options,
        credentials,
        secrets,
        store: redacting(this.#dir.store, redact),
        resume: {
          options: this.options,
          workbench: this.workbench,
          book: new RewriteBook(runDir),
          say: (message) => this.#dir.log.emit("", { type: "system", level: "info", message }),
        },
        workbench: this.workbench,
        isolation: this.#isolation,
        containment: options.containment,
        windows: this.#windows,
        permissions: new PermissionDesk({ channel: this.#channel, locale, redact }),
        noteTemp: (path) => this.noteTemp(path),
      });
      this.#predecessors = new PredecessorDesk(this.options, this.#factory);
      this.#handoffs = new HandoffDesk({
        options: this.options,
        workbench: this.workbench,
        lineage: this.lineage,
        patience: this.#patience,
        secrets,
        review: options.reviewHandoff,
      });
      for (const message of [...this.#dir.notices, ...(this.#isolation?.notices ?? [])]) notice(message);
      const isCutOff = this.workbench !== undefined && this.lineage.archiving !== undefined;
      for (const folder of isCutOff ? this.startFresh() : [])
        notice(`a start afresh was cut off; what was left of it is put away now: ${folder}`);
    } catch (error) {
      // Nothing stays locked or open behind a run that never was.
      this.#dir.lock.release();
      void this.#dir.close();
      throw error;
    }
  }

  /** Where each step's last session is noted. */
  get lineage(): Lineage {
    return this.#dir.lineage;
  }

  /**
   * Puts away what earlier runs left, moved and never deleted: notes and lineage. Call it before the first step.
   * @returns the folders that were made.
   * @throws FlowerError `workspace` when something cannot be moved.
   */
  startFresh(): string[] {
    return startFresh({
      runDir: this.options.runDir,
      lineage: this.lineage,
      workbench: this.workbench,
      archiveMail: (folder) => (this.#mail ?? this.#dir.mail).archive(folder),
    });
  }

  /** Tells listeners and the event file something that no session said. */
  emit(step: string, event: EventDraft): void {
    this.#dir.log.emit(step, event);
  }

  /** The successor's prompt when an earlier run ended between a frozen handoff and its successor. */
  frozenHandoff(step: string): string | undefined {
    const notice = (message: string): void => this.#say(step, message);
    // A document that was taken over already may be anything by now.
    const isDue = this.lineage.get(step)?.handoff === "frozen";
    return frozenSuccessorPrompt(this.workbench, step, isDue ? notice : () => undefined);
  }

  /**
   * Notes a directory of the run's own in the temp directory, so that the next run removes it if this one is killed.
   * @returns forgets it again.
   */
  noteTemp(path: string): () => void {
    return this.#dir.temp.note(path);
  }

  /** What all steps of this run have cost so far. */
  spent(): { costUsd: number; costIsEstimate: boolean } {
    return this.#budget.ended;
  }

  /** The manifest's path. */
  get manifestPath(): string {
    return this.#dir.manifest.path;
  }

  /** The event file's path. */
  get eventsPath(): string {
    return this.#dir.log.path;
  }

  /**
   * Runs one step to its end. What the model, the API or the harness did wrong is in the result, not thrown.
   * @throws FlowerError `usage` for what cannot be run as asked, and after {@link close}; `harness` for want of a process.
   */
  async run(asked: AgentSpec, prompt: string, options: RunStepOptions = {}): Promise<StepResult> {
    checkRun(asked, prompt, options, this.#ending.signal);
    const share = this.#budget.share(boundedBy(asked, options.spent));
    const { spec } = share;
    const step = options.stepName ?? spec.name;
    const name = options.displayName ?? step;
    const prompts = { first: prompt, fresh: options.freshPrompt };
    const lineageStep = options.lineageStep === undefined ? lineageStepOf(step) : options.lineageStep;
    const row = new StepRow({
      manifest: this.#dir.manifest,
      run: this.runId,
      step,
      onProblem: (message) => this.#say(step, message),
    });
    const save = (result: StepResult): void => row.write(redactDeep(result, this.#redact));
    let isOver = false;
    const emit = (draft: EventDraft): void => {
      // A figure that was asked for while the step went on; the result has the last one.
      if (isOver && draft.type === "usage") return;
      this.#dir.log.emit(step, draft, options.onEvent);
      if (draft.type !== "usage") return;
      run.seen(draft);
      this.#budget.look();
      row.refresh(() => run.snapshot("running"));
    };
    const worktrees = stepWorktrees(this.#isolation, spec, {
      step,
      workspace: this.options.workspace,
      workbench: this.workbench?.paths.root,
      emit,
      onChange: () => save(run.snapshot("running")),
    });
    this.#channel?.onAsk(emit);
    // Before the books are written, which would make a directory that is gone anew.
    const unwritable = whyNot(() => this.#dir.lock.atStep(step));
    const onSessionId = (sessionId: string): void => {
      if (lineageStep !== null) this.lineage.sessionKnown(lineageStep, sessionId, earlier + run.generation);
      run.sessionKnown(sessionId);
    };

    const apartUsd = (): number => run.predecessorCostUsd + share.takenUsd();
    const earlier = lineageStep === null ? 0 : this.lineage.generationsBefore(lineageStep, options.resume);
    const run: StepRun = new StepRun({
      locale: this.options.locale,
      emit,
      onProgress: save,
      undelivered: () => this.#mailOf(spec)?.take(),
      mailWaits: () => this.#mailOf(spec)?.waiting === true,
      mailSent: async (broken) => this.#mailOf(spec)?.roundEnded(broken?.session),
      worktrees: () => worktrees?.rows ?? [],
      open: async (origin, books, generation) => {
        await worktrees?.beforeSession();
        const kept = await this.#kept.take(origin, asked);
        if (kept !== undefined) {
          const before = await figuresBefore(kept);
          const own = { emit, worktrees, onSessionId, generation: earlier + generation, before, apartUsd };
          Object.assign(kept.turn, { ...own, ...limitsOf(spec), batches: 0, fresh: false });
          return { ...kept, kept: true };
        }
        if (generation > 1 && origin.resume === undefined)
          emit({ type: "reset", reason: "a new session takes over" });
        const before = { costUsd: books.costUsd, tokens: books.allTokens, turns: books.numTurns };
        const part = { origin, generation: earlier + generation, before, worktrees, emit, onSessionId };
        return this.#factory.open({
          ...part,
          apartUsd,
          spec: this.#predecessors.offer(spec, run, { lineageStep, tookOver: earlier > 0 }),
          mail: this.#mailOf(spec),
        });
      },
      holds: async (sessionId) => this.#kept.has(sessionId) || this.#factory.holds(sessionId),
      accepted: (tokens) => this.#windows.accepted(this.#factory.modelOf(spec), tokens),
      overflowed: async (live, failure) => this.#overflowed(spec, live, failure),
      handOver: async (live, reason, writing) =>
        this.#handoffs.handOver(live, {
          ...writing,
          reason,
          step,
          lineageStep,
          prompt: options.task ?? prompts.fresh ?? prompt,
          overflowed: async (writing, failure) => this.#overflowed(spec, writing, failure),
          emit,
        }),
      waitForRetry: async (attempt, failure, breakIn) =>
        this.#patience.beforeRetry(attempt, failure, { emit, breakIn }),
      waitForLimit: async (attempt, failure, breakIn) =>
        this.#patience.untilLimitIsOver(attempt, failure, { emit, breakIn }),
      release: async (live, keep) => {
        await this.#predecessors.end(run);
        await this.#kept.release(live, asked, keep);
      },
    });

    const { wordsFor = "this" } = options;
    const active: ActiveStep = { run, wordsFor, save: (status) => save(run.snapshot(status)) };
    share.starts(() => run.snapshot("running").costUsd + run.predecessorCostUsd);
    this.#predecessors.begin(run, lineageStep, spec);
    this.#active.begin(active);
    this.workbench?.refresh();
    emit({ type: "step", phase: "started", name, ...options.position });
    save(run.snapshot("running"));
    try {
      const refusal = share.refusal ?? unwritable;
      const ran =
        refusal === undefined
          ? await run.run(prompts, originOf(options), options)
          : run.snapshot("failed", refusal);
      isOver = true;
      await worktrees?.finish();
      const result = redactDeep({ ...ran, worktrees: worktrees?.rows ?? [] }, this.#redact);
      save(result);
      share.ends(result);
      this.workbench?.refresh();
      const { ok, text, costUsd, numTurns, durationMs } = result;
      emit({ type: "result", ok, text, costUsd, numTurns, durationMs });
      emit({
        type: "step",
        phase: result.status === "interrupted" ? "interrupted" : ok ? "done" : "failed",
        name,
        costUsd,
        numTurns,
        durationMs,
        ...(result.error === undefined ? {} : { note: result.error }),
      });
      if (!ok) await this.#active.failed(active, (message) => this.#say(step, message));
      return result;
    } catch (error) {
      await worktrees?.finish();
      save(run.snapshot("failed", String(error)));
      throw error;
    } finally {
      await this.#active.end(active);
      share.ends();
      await this.#predecessors.end(run);
    }
  }

  /**
   * Interrupts what is running: subagents hand back at their next boundary, then the main turn ends and the same
   * session goes on with the words. Without words the step ends as `interrupted`. Not a failed attempt.
   * @param options `atOnce`: nothing is waited for; the reply under way is lost and its processes end. Default false.
   */
  interrupt(
    words?: string | Promise<string | undefined>,
    { atOnce = false }: { atOnce?: boolean } = {},
  ): void {
    this.#active.interrupt(Promise.resolve(words), atOnce);
  }

  /** Whether a person said words that the next step hears; waits for what is being typed. */
  async hasWords(): Promise<boolean> {
    return this.#unseen.hasWords();
  }

  /**
   * Keeps for the next run what a person said and no step has heard, and waits for words that are being typed. Call it
   * when no step follows; {@link close} does it for what is said by then.
   */
  async keepWords(): Promise<void> {
    await this.#unseen.keep(this.#unseen.take(), (message) => this.#say("", message));
  }

  /** Writes the books of running steps at once, for a process that is about to end by a signal. */
  abandon(): void {
    this.#active.save("killed-by-signal");
  }

  /** Ends kept sessions and releases files. A running step is interrupted first. Safe to call twice. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.interrupt();
    await this.#kept.close();
    await this.#predecessors.end();
    await this.#unseen.keepSaid((message) => this.#say("", message));
    this.#factory.close();
    await this.#dir.close();
  }

  async #overflowed(spec: AgentSpec, live: LiveSession, failure: RoundFailure): Promise<void> {
    const { turn } = live;
    const floorTokens = turn.floor ?? firstContextOf(await readableMain(live));
    this.#windows.overflowed({
      model: this.#factory.modelOf(spec),
      texts: [failure.message, failure.details ?? ""],
      acceptedTokens: turn.context,
      floorTokens,
    });
  }

  /** The person's messages, for a spec that has the channel's tools. */
  #mailOf(spec: AgentSpec): MailDesk | undefined {
    return spec.mcpServers?.["flower"] === undefined ? undefined : this.#mail;
  }

  #say(step: string, message: string): void {
    this.#dir.log.emit(step, { type: "system", level: "warning", message });
  }
}
