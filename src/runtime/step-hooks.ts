import { redactDeep } from "../context/redact.ts";
import type { Entry } from "../context/transcript.ts";
import { addTokens, type TokenCounts } from "../core/tokens.ts";
import type { GateDecision, ToolCall, ToolHook } from "../core/tool-call.ts";
import type { Gate } from "../gate/gate.ts";
import { isolateAgent } from "../gate/isolate-agent.ts";
import type { Batch, BatchDecision, ContextLevel, SessionHooks } from "../harness/contract.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { agentReports } from "./agent-reports.ts";
import { bashRewrites } from "./bash-rewrites.ts";
import type { CommandFiles } from "./command-files.ts";
import { spillGuard } from "./guards.ts";
import { batchAllowance, handoffDue } from "./handoff-policy.ts";
import { CUT, HELD_BACK, LOOP_NOTICE, INTERRUPTED_NO_TOOLS, WRITING_NO_TOOLS } from "./prompts.ts";
import { LoopGuard, type LoopVerdict } from "./loop-guard.ts";
import type { MailDesk } from "./mail-desk.ts";
import { ownHooks } from "./own-hooks.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import { NEWS_CHARS, tokensOfResult } from "./result-size.ts";
import type { ShownIndexes } from "./shown-indexes.ts";
import { readsSpill } from "./spill-read.ts";
import type { Secrets } from "./secrets.ts";
import type { CutReason, Turn } from "./turn.ts";
import type { CallSandbox } from "./worker-sandbox.ts";

/** What the hooks of one session work with. */
export interface HookParts {
  turn: Turn;
  gate: Gate;
  /** The spec's own rules; they come behind the gate. */
  ownHooks: readonly ToolHook[];
  /** Puts to the person what the gate leaves to them. */
  permissions: PermissionDesk;
  /** Types of subagents that get worktrees. */
  isolatedAgents: readonly string[];
  workbench: Workbench | undefined;
  /** The session sees the workbench mounted read-only. */
  readOnlyWorkbench: boolean;
  /** Puts a command into the sandbox; undefined = there is none. */
  sandbox: CallSandbox | undefined;
  /** Keeps commands that the harness is not to read. */
  commandFiles: CommandFiles;
  /** The main thread sees the workbench's index. */
  showIndex: boolean;
  /** The index as the session's history has it; undefined = it has none. */
  knownIndex: string | undefined;
  /** Remembers it for the next resume. */
  shownIndexes: ShownIndexes;
  /** The person's messages; undefined = not for this session. */
  mail: MailDesk | undefined;
  secrets: Secrets;
  /** Characters from which a tool result is spilled; 0 = off. */
  spillThreshold: number;
  spillMainOnly: boolean;
  /** The main thread's level, asked of the harness. */
  level(): Promise<ContextLevel>;
  /** Transcript of the subagent that an Agent call started. */
  subagent(toolUseId: string): Promise<readonly Entry[]>;
  /** Id of that subagent. */
  agentIdOf(toolUseId: string): string | undefined;
  /** The API took a request of this many tokens. */
  accepted(tokens: number): void;
  /** A fresh session's first request was of this size. */
  startedWith(level: ContextLevel): void;
  /** Cost of this session so far, for budgets; undefined when the harness does not say. */
  spentUsd(): Promise<number | undefined>;
  /** Tokens of this session so far. */
  spentTokens(): TokenCounts;
}

type Refused = Extract<GateDecision, { allow: false }>;

/** Tries of tools in a round that has none, before it is ended. */
const WRITING_BATCHES = 3;

/** A reply's largest size: the harness asks for no more (`max_tokens`, 0.3.332). */
const REPLY_TOKENS = 64_000;

/** How old the cost on the gauge may be, ms. */
const COST_REFRESH_MS = 2_000;

/** flower's decisions while a session works: gate, spill, index, inbox, level. */
export function stepHooks(parts: HookParts): SessionHooks {
  const { turn, gate, workbench, mail, secrets } = parts;
  const bash = bashRewrites({
    spillDir: parts.readOnlyWorkbench ? undefined : workbench?.paths.spill,
    thresholdChars: parts.spillThreshold,
    mainOnly: parts.spillMainOnly,
    ...(workbench === undefined ? {} : { spill: (text: string) => workbench.spill(text) }),
    readsBack: (call) => workbench !== undefined && readsSpill(call, workbench),
    sandbox: parts.sandbox,
    isolatedAgents: parts.isolatedAgents,
    files: parts.commandFiles,
  });
  const loops = new LoopGuard();
  const reports = agentReports(parts);
  let shownIndex = parts.knownIndex;
  /** What is surely in the history: a kill may take the last things with it that were said (0.3.332). */
  let settledIndex: string | undefined;
  /** What the batch before may have added, which the last known level does not hold yet. */
  let previousTokens = 0;

  /** The whole index at first, then only what changed: the prefix that is already cached stays as it is. */
  const indexNews = (): string | undefined => {
    if (workbench === undefined || !parts.showIndex) return undefined;
    workbench.refresh();
    const before = shownIndex;
    shownIndex = workbench.index();
    return before === undefined ? workbench.promptBlock() : workbench.indexDiff(before);
  };

  const settleIndex = (): void => {
    if (turn.sessionId === undefined || shownIndex === undefined) return;
    if (settledIndex !== undefined) parts.shownIndexes.note(turn.sessionId, settledIndex);
    settledIndex = shownIndex;
  };

  const spillsWith =
    workbench &&
    spillGuard({
      workbench,
      thresholdChars: parts.spillThreshold,
      mainOnly: parts.spillMainOnly,
      redact: secrets.redact,
    });
  const warn = (message: string): void => turn.emit({ type: "system", level: "warning", message });
  const own = ownHooks(parts.ownHooks, warn);

  const cut = (reason: CutReason): BatchDecision => {
    turn.cut = reason;
    return { cut: CUT[reason] };
  };

  async function mainBatch(batch: Batch): Promise<BatchDecision> {
    settleIndex();
    if (turn.writing) turn.writingBatches += 1;
    else turn.batches += 1;
    const level = await batch.level();
    turn.context = level.tokens;
    previousTokens = turn.batch.tokens;
    turn.batch = { calls: 0, tokens: 0 };
    if (turn.fresh && turn.batches === 1) {
      turn.floor = level.tokens;
      parts.startedWith(level);
    }
    parts.accepted(level.tokens);
    await sayUsage(level.tokens);
    if (turn.interrupted) return cut("interrupt");
    const { line, writing } = turn;
    if (!writing && (await limitReached())) return cut("limit");
    // A new generation would start above the line as well, and hand over for ever.
    if (line.enabled && !writing && turn.floor !== undefined && turn.floor >= line.at) return cut("floor");
    if (handoffDue({ ...line, writing, sessionId: turn.sessionId, context: level.tokens }))
      return cut("handoff");
    // The round that writes is exempt from limits, but not from an end.
    if (writing) return turn.writingBatches >= WRITING_BATCHES ? cut("limit") : {};
    const sessionId = turn.sessionId ?? "";
    if (line.enabled && !turn.noticed.has(sessionId) && level.tokens >= line.warnAt) {
      turn.noticed.add(sessionId);
      turn.emit({
        type: "handoff",
        phase: "near",
        context: level.tokens,
        window: line.window,
        at: line.at,
        generation: turn.generation,
      });
    }
    const loop = atLoop(undefined);
    if (loop === "cut") return cut("loop");
    const context = joined(loop === "tell" ? LOOP_NOTICE : undefined, mail?.take());
    return context === undefined ? {} : { context };
  }

  function atLoop(agentId: string | undefined): LoopVerdict {
    const verdict = loops.atBoundary(agentId);
    if (verdict === undefined) return undefined;
    const who = agentId === undefined ? "the main thread" : `subagent ${agentId}`;
    const message = `${who} makes the same calls again and again, with the same results: ${verdict === "tell" ? "it is told so" : "its turn is ended"}`;
    turn.emit({ type: "system", level: "warning", message, ...(agentId === undefined ? {} : { agentId }) });
    return verdict;
  }

  /**
   * Whether the result of one more main-thread call surely leaves room for the handoff document. The exact context is
   * asked for only when the upper bound, from the last boundary, does not do.
   */
  async function leavesRoom(call: ToolCall): Promise<boolean> {
    const { line, batch } = turn;
    const spilled = workbench !== undefined && !readsSpill(call, workbench);
    batch.tokens += tokensOfResult(call, spilled ? parts.spillThreshold : 0);
    batch.calls += 1;
    const { calls, tokens } = batch;
    if (!line.enabled) return true;
    const fits = (context: number): boolean =>
      // Below the line one call is always made: only at the line the document comes next.
      tokens <= batchAllowance({ ...line, context }) || (calls === 1 && context < line.at);
    // A resumed session's context is not known before its first boundary.
    if (turn.context > 0 && fits(turn.context + REPLY_TOKENS + previousTokens)) return true;
    batch.context ??= (await parts.level()).withReply;
    return fits(batch.context);
  }

  async function limitReached(): Promise<boolean> {
    if (turn.maxTurns !== undefined && turn.before.turns + turn.batches >= turn.maxTurns) return true;
    return budgetUsed();
  }

  async function budgetUsed(): Promise<boolean> {
    if (turn.maxBudgetUsd === undefined) return false;
    return turn.before.costUsd + turn.apartUsd() + ((await parts.spentUsd()) ?? 0) >= turn.maxBudgetUsd;
  }

  let saidAtMs = 0;
  let lastAsk: { timeMs: number; spentUsd: Promise<number | undefined> } | undefined;

  const costIsStale = (): boolean => Date.now() - (lastAsk?.timeMs ?? 0) >= COST_REFRESH_MS;

  /** Asking costs a round trip to the harness a batch: without a budget to keep, an older figure will do. */
  async function spentLately(): Promise<number | undefined> {
    if (lastAsk === undefined || costIsStale()) lastAsk = { timeMs: Date.now(), spentUsd: parts.spentUsd() };
    return lastAsk.spentUsd;
  }

  /** What subagents spend shows while they work: the main thread may wait for them for hours. */
  async function subagentBatch(agentId: string): Promise<BatchDecision> {
    // Not the age of the figure: each call asks for it, so that it is never old.
    const isDue = Date.now() - saidAtMs >= COST_REFRESH_MS;
    if (isDue) {
      saidAtMs = Date.now();
      await sayUsage(turn.context);
    }
    const loop = atLoop(agentId);
    const reason = turn.interrupted ? "interrupt" : loop === "cut" ? "loop" : undefined;
    const cutBy = reason ?? (isDue && !turn.writing && (await budgetUsed()) ? "limit" : undefined);
    if (cutBy === undefined) return loop === "tell" ? { context: LOOP_NOTICE } : {};
    turn.cutAgents.add(agentId);
    return { cut: CUT[cutBy] };
  }

  function refuse(call: ToolCall, why: Omit<Refused, "allow">): Refused {
    loops.note(call, why.rule);
    turn.refusals += 1;
    return { ...why, allow: false };
  }

  async function sayUsage(context: number): Promise<void> {
    const { enabled, at, window } = turn.line;
    turn.emit({ type: "usage", context, window, at: enabled ? at : null, ...(await costSoFar()) });
  }

  async function costSoFar() {
    const spent = await spentLately();
    return {
      // A kept process's figure may be a little older than the one that it was taken over at.
      costUsd: Math.max(0, turn.before.costUsd + (spent ?? 0)),
      costIsEstimate: spent === undefined,
      tokens: addTokens(turn.before.tokens, parts.spentTokens()),
    };
  }

  return {
    async beforeTool(call, signal) {
      if (call.agentId === undefined) mail?.answered();
      if (turn.writing) return { allow: false, rule: "handoff-writing", reason: WRITING_NO_TOOLS };
      if (turn.interrupted) return { allow: false, rule: "interrupted", reason: INTERRUPTED_NO_TOOLS };
      const verdict = gate.decide(call, parts.permissions.grants);
      if (!verdict.allow && verdict.ask === undefined) return refuse(call, verdict);
      const reason = await own.refusal(call);
      if (reason !== undefined) return refuse(call, { rule: "hook", reason });
      if (call.agentId === undefined && !(await leavesRoom(call)))
        return { allow: false, rule: "held-back", reason: HELD_BACK };
      if (!verdict.allow && verdict.ask !== undefined) {
        const isOff = (): boolean => turn.interrupted;
        const answer = await parts.permissions.ask(call, verdict.ask, { isOff, signal });
        if (isOff()) return { allow: false, rule: "interrupted", reason: INTERRUPTED_NO_TOOLS };
        if (!answer.allow)
          return refuse(call, { rule: verdict.rule, reason: answer.reason, personsWords: answer.words });
      }
      // Nobody waits for it: a harness that dies in the call has said by then what it had spent.
      void spentLately();
      if (call.name === "Bash") turn.running.set(call.id, Date.now());
      const input = bash.input(call) ?? isolateAgent(call, parts.isolatedAgents);
      return { allow: true, ...(input === undefined ? {} : { input }) };
    },

    async afterTool(call, output) {
      turn.running.delete(call.id);
      bash.ended(call);
      // A worker's programs may have written a `.env`.
      if (call.name === "Agent") secrets.lookAgain();
      const clean = redactDeep(output, secrets.redact);
      const { output: hooked, contexts } = await own.result(call, clean);
      const reported = await reports.complete(call, hooked);
      const spilled = spillsWith?.afterTool(call, reported)?.output ?? reported;
      const final = await reports.withWorktree(call, spilled);
      loops.note(call, final);
      const news = call.name === "Agent" && call.agentId === undefined ? shortNews(indexNews()) : undefined;
      const context = joined(...contexts, news);
      return {
        ...(final === output ? {} : { output: final }),
        ...(context === undefined ? {} : { context }),
      };
    },

    // A failing command that ended by itself has shown its file; one that was killed left it behind unseen.
    async afterFailure(call, error) {
      turn.running.delete(call.id);
      bash.ended(call);
      bash.clean(call, secrets.redact);
      loops.note(call, error);
      if (call.name === "Agent") return reports.ofFailed(call, error);
      return error.includes(" characters stored in ") ? undefined : bash.partial(call);
    },

    async afterBatch(batch) {
      return batch.agentId === undefined ? mainBatch(batch) : subagentBatch(batch.agentId);
    },

    // The summary holds neither the index nor its rules.
    afterCompaction: () => {
      shownIndex = undefined;
      settledIndex = undefined;
      if (turn.sessionId !== undefined) parts.shownIndexes.note(turn.sessionId, undefined);
      return indexNews();
    },

    behindPrompt: () => {
      if (turn.writing) return undefined;
      settleIndex();
      return joined(indexNews(), turn.worktrees?.takeNews());
    },
    // The first boundary may be hours away: subagents work until then.
    replied: (contextTokens) => {
      if (turn.context > 0) return;
      turn.context = contextTokens;
      sayUsage(contextTokens).catch(() => undefined);
    },
    roundEnded: () => {
      settledIndex = shownIndex;
      settleIndex();
    },
    async createWorktree(agentId) {
      if (turn.worktrees === undefined) throw new Error("no agent of this step is isolated");
      return turn.worktrees.create(agentId);
    },
    subagentStarted: async (agentId) =>
      joined(workbench?.subagentBlock(), turn.worktrees?.startText(agentId)),
  };
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined);
  return said.length === 0 ? undefined : said.join("\n\n");
}

/** As much of the index's news as the arithmetic of the handoff counts with. */
function shortNews(news: string | undefined): string | undefined {
  if (news === undefined || news.length <= NEWS_CHARS) return news;
  const more = "\n… and more: see INDEX.md.";
  const end = news.lastIndexOf("\n", NEWS_CHARS - more.length);
  return news.slice(0, end > 0 ? end : NEWS_CHARS - more.length) + more;
}

/** What the harness put aside of a long output (over 30,000 characters, 0.3.332); undefined when it is gone. */
