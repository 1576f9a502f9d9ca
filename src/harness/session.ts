import { randomUUID } from "node:crypto";
import { query, type Query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { errorText, errorWithNextStep, FlowerError } from "../core/errors.ts";
import { addTokens, NO_TOKENS } from "../core/tokens.ts";
import { callMark } from "../core/tree-marks.ts";
import type { SessionKey, TranscriptEntry } from "../store/contract.ts";
import {
  SILENT_STREAM,
  BOOKS_FAILED,
  STORE_FAILED,
  type ContextLevel,
  type HarnessSession,
  type RoundFailure,
  type RoundResult,
  type SessionOptions,
} from "./contract.ts";
import { sdkHooks } from "./hooks.ts";
import { sdkMcpServers } from "./mcp.ts";
import { MirrorWatch } from "./mirror-watch.ts";
import { normalize, type NormalizeContext } from "./normalize.ts";
import { buildOptions } from "./options.ts";
import { endGroups } from "./process-tree.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { contextOf, costBefore, cumulative, NOTHING_SPENT, RoundTracker, type Cumulative } from "./round.ts";
import { availableContainment } from "./sandbox.ts";
import { harnessSpawner } from "./spawn.ts";
import { sdkStore } from "./store-adapter.ts";
import { Watchdog } from "./watchdog.ts";

/** Appends may lag behind the result by this much (≤ 150 ms, 0.3.332); threefold. */
const MIRROR_LAG_MS = 450;

interface PendingRound {
  tracker: RoundTracker;
  resolve(result: RoundResult): void;
}

/** Starts a harness process for a spec and keeps it alive between rounds. The process starts at once. */
export function openSession(options: SessionOptions): HarnessSession {
  const containment = options.containment ?? availableContainment();
  const prompts = new PromptQueue();
  const spawner = harnessSpawner({
    containment,
    workspace: options.workspace,
    configDir: options.env["CLAUDE_CONFIG_DIR"] ?? "",
    apiKey: options.apiKey,
    copyMount: options.copyMount,
    onTemp: options.onTemp,
  });

  let sessionId = options.resume !== undefined && options.fork !== true ? options.resume : undefined;
  let announced = false;
  /** Cost of the session when it was asked for last, for a process that dies. */
  let saidUsd = 0;
  let before: Cumulative = NOTHING_SPENT;
  let atStart: Cumulative = NOTHING_SPENT;
  let pending: PendingRound | undefined;
  let doneTokens = NO_TOKENS;
  let ended: string | undefined;
  let errorDetails: string | undefined;
  let resetsAtMs: number | undefined;
  let unkept: RoundFailure | undefined;
  let hasReplied = false;

  const mirror = new MirrorWatch();

  /** The main thread's own, once it was used. */
  let key: SessionKey | undefined;

  const onEntries = (entries: readonly TranscriptEntry[], at: SessionKey): void => {
    if (at.subpath !== undefined) return;
    key = at;
    for (const entry of entries) {
      if (entry["isApiErrorMessage"] === true && typeof entry["errorDetails"] === "string")
        errorDetails = options.redact(entry["errorDetails"]);
    }
  };

  const level = async (): Promise<ContextLevel> => {
    const usage = await live.getContextUsage({ detail: "summary" });
    const tokens = usage.apiUsage === null ? 0 : contextOf(usage.apiUsage);
    return {
      tokens,
      withReply: tokens + (usage.apiUsage?.output_tokens ?? 0),
      totalTokens: usage.totalTokens,
      windowTokens: usage.rawMaxTokens,
    };
  };
  const { hooks, state } = sdkHooks(options.hooks, level);

  const live: Query = query({
    prompt: prompts,
    options: {
      ...buildOptions(options.spec, {
        workspace: workingDirectory(options),
        additionalDirectories: options.additionalDirectories,
        portable: options.portable,
        denyRules: options.denyRules,
      }),
      env: { ...options.env },
      mcpServers: sdkMcpServers(options.spec.mcpServers ?? {}),
      hooks,
      canUseTool: async (_name, input, { toolUseID }) =>
        state.allowed(toolUseID)
          ? { behavior: "allow", updatedInput: input }
          : {
              behavior: "deny",
              message: state.reasonOf(toolUseID) ?? "flower's gate has not allowed this call.",
            },
      sessionStore: sdkStore(options.store, options.projectKey, {
        onAppend: onEntries,
        onLoad: (entries) => {
          before = atStart = costBefore(entries);
        },
        onBroken: (error) => stopForStore(errorText(error)),
        mirror,
      }),
      sessionStoreFlush: "eager",
      spawnClaudeCodeProcess: (request) => spawner.spawn(request),
      ...(options.resume === undefined ? {} : { resume: options.resume }),
      ...(options.resumeAt === undefined ? {} : { resumeSessionAt: options.resumeAt }),
      ...(options.fork === true ? { forkSession: true } : {}),
      // Known before the process starts, so that the lineage can name it at once.
      ...(options.resume === undefined || options.fork === true ? { sessionId: randomUUID() } : {}),
    },
  });

  const context: NormalizeContext = {
    toolNames: new Map(),
    denied: state.denied,
    agentIds: new Map(),
    endedTasks: new Set(),
  };

  const watchdog = new Watchdog({
    patienceMs: options.silenceMs,
    busy: () => pending !== undefined,
    running: () => state.running(),
    interrupt: () => void live.interrupt().catch(() => undefined),
    kill: () => live.close(),
  });

  /** Whatever followed would be lost as well. */
  function stopFor(failure: RoundFailure): void {
    if (unkept !== undefined) return;
    unkept = failure;
    void live.interrupt().catch(() => undefined);
  }

  function stopForStore(why: string): void {
    stopFor({ message: why, category: STORE_FAILED, terminalReason: "store" });
  }

  /** An error here would end the reading, and look like one of the harness. */
  function noteSession(id: string): void {
    try {
      options.onSessionId(id);
    } catch (error) {
      stopFor({ message: errorWithNextStep(error), category: BOOKS_FAILED });
    }
  }

  async function onMessage(message: SDKMessage): Promise<void> {
    watchdog.alive();
    if (!announced && "session_id" in message && typeof message.session_id === "string") {
      announced = true;
      sessionId = message.session_id;
      noteSession(message.session_id);
    }
    if (message.type === "rate_limit_event") {
      const { status, resetsAt } = message.rate_limit_info;
      // Seconds (0.3.332).
      resetsAtMs = status === "rejected" && resetsAt !== undefined ? resetsAt * 1_000 : undefined;
    }
    if (message.type === "system" && isLostWrite(message))
      stopForStore("error" in message && typeof message.error === "string" ? message.error : message.subtype);
    const nowMs = Date.now();
    if (mirror.isSilent(nowMs)) stopForStore("the harness keeps nothing any more");
    if (message.type === "assistant" && message.parent_tool_use_id === null) mirror.replied(nowMs);
    pending?.tracker.see(message);
    if (!hasReplied && pending !== undefined && pending.tracker.context > 0) {
      hasReplied = true;
      options.hooks.replied?.(pending.tracker.context);
    }
    for (const event of normalize(message, context)) options.onEvent(event);
    if (message.type !== "result" || pending === undefined) return;
    // A leftover of an interrupted background task: an empty result before the real turn (0.3.332).
    if (!message.is_error && message.num_turns === 0 && !pending.tracker.started) return;
    const round = pending.tracker.finish(message, before, state.cut);
    before = cumulative(message);
    if (round.failure !== undefined) {
      await settle();
      if (errorDetails !== undefined) round.failure.details = errorDetails;
      if (resetsAtMs !== undefined) round.failure.resetsAtMs = resetsAtMs;
    }
    finishRound(round);
  }

  function finishRound(round: RoundResult): void {
    const done = pending;
    pending = undefined;
    if (unkept !== undefined) round.failure = { ...unkept };
    if (watchdog.takeBite())
      round.failure = { message: "nothing came from the harness for a long time", category: SILENT_STREAM };
    if (done !== undefined) doneTokens = addTokens(doneTokens, done.tracker.tokens);
    if (round.failure !== undefined) round.failure.message = options.redact(round.failure.message);
    done?.resolve(round);
  }

  const reading = (async () => {
    try {
      for await (const message of live) await onMessage(message);
      ended = "the harness ended";
    } catch (error) {
      ended = errorText(error).replace(/^Claude Code returned an error result: /, "");
    }
    const tail = spawner.stderrTail();
    // The SDK's own message may hold the end of it already (0.3.332).
    if (tail !== "" && !ended.includes(tail)) ended = `${ended}: ${tail}`;
    if (pending !== undefined) finishRound(pending.tracker.broken(ended, saidUsd - before.costUsd));
  })();

  async function close(): Promise<void> {
    watchdog.close();
    prompts.close();
    if (pending !== undefined) live.close();
    await reading;
    await spawner.ended();
  }

  return {
    containment,
    get sessionId() {
      return sessionId;
    },
    get working() {
      return pending !== undefined;
    },
    level,
    async transcript() {
      if (key === undefined) return { main: [], subagents: [] };
      const { projectKey, sessionId: id } = key;
      const load = async (at: SessionKey): Promise<readonly TranscriptEntry[]> =>
        (await options.originals.load(at)) ?? [];
      const subpaths = await options.originals.listSubkeys({ projectKey, sessionId: id });
      return {
        main: await load(key),
        subagents: await Promise.all(
          subpaths.map(async (subpath) => load({ projectKey, sessionId: id, subpath })),
        ),
      };
    },
    async subagent(toolUseId) {
      const agentId = context.agentIds.get(toolUseId);
      if (key === undefined || agentId === undefined) return [];
      // Its last entries may be on their way.
      await settle();
      return (await options.originals.load({ ...key, subpath: `subagents/agent-${agentId}` })) ?? [];
    },
    agentIdOf: (toolUseId) => context.agentIds.get(toolUseId),
    async spentUsd() {
      try {
        const usage = await live.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({
          skipBehaviors: true,
        });
        saidUsd = usage.session.total_cost_usd;
        return saidUsd - atStart.costUsd;
      } catch {
        return undefined;
      }
    },
    get spentTokens() {
      return pending === undefined ? doneTokens : addTokens(doneTokens, pending.tracker.tokens);
    },
    get underWay() {
      return pending?.tracker.soFar;
    },
    async round(prompt) {
      if (pending !== undefined)
        throw new FlowerError("harness", "a round is already running in this session");
      const tracker = new RoundTracker();
      state.cut = undefined;
      errorDetails = undefined;
      resetsAtMs = undefined;
      if (ended !== undefined) return tracker.broken(options.redact(ended));
      if (unkept !== undefined) return { ...tracker.broken(""), failure: { ...unkept } };
      const result = await new Promise<RoundResult>((resolve) => {
        pending = { tracker, resolve };
        watchdog.alive();
        prompts.push(prompt, options.hooks.behindPrompt());
      });
      if (result.failure === undefined && result.cut === undefined) options.hooks.roundEnded?.();
      return result;
    },
    async interrupt() {
      await live.interrupt();
    },
    endCall: (toolUseId) => endGroups(callMark(toolUseId)),
    close,
  };
}

/** The store dropped entries for good; the run would go on as if nothing had happened (0.3.332). */
function isLostWrite(message: Extract<SDKMessage, { type: "system" }>): boolean {
  return message.subtype === "mirror_error" || message.subtype === "session_writes_lost";
}

/** Without bubblewrap the copy cannot take the workspace's place, so the harness works at the copy's own path. */
function workingDirectory(options: SessionOptions): string {
  const containment = options.containment ?? availableContainment();
  return options.copyMount !== undefined && containment === "supervisor"
    ? options.copyMount.copy
    : options.workspace;
}

/** Waits until late appends have arrived. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, MIRROR_LAG_MS));
}
