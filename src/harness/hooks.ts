import type {
  HookCallback,
  HookCallbackMatcher,
  HookInput,
  HookJSONOutput,
  Options,
} from "@anthropic-ai/claude-agent-sdk";
import { errorText } from "../core/errors.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { agentIdIn } from "../isolation/names.ts";
import type { ContextLevel, SessionHooks } from "./contract.ts";
import type { Running } from "./watchdog.ts";

/** Seconds. A hook that times out blocks; a question to a person may wait for days inside one. */
const HOOK_TIMEOUT_S = 7 * 24 * 3600;

/** Why a call was denied when the gate itself failed. */
const GATE_FAILED =
  "flower's gate failed on this call, so it was not run. Try another way and say so in your report.";

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** One callback an event; a failure of it blocks what it guards instead of letting it through (0.3.332). */
function matcher(
  callback: (input: HookInput, signal: AbortSignal) => Promise<HookJSONOutput>,
): HookCallbackMatcher[] {
  const hook: HookCallback = async (input, _id, { signal }) => callback(input, signal);
  return [{ hooks: [hook], timeout: HOOK_TIMEOUT_S, onFailure: "block" }];
}

/** What the adapter tells the session about the turn. */
export interface HookState {
  /** The reason of a cut made by {@link SessionHooks.afterBatch} on the main thread. */
  cut: string | undefined;
  /** Ids of calls that the gate refused. */
  denied: Set<string>;
  /** Whether the gate allowed a call; `canUseTool` follows it. */
  allowed(id: string): boolean;
  /** What `canUseTool` says of a call that the gate left it to deny. */
  reasonOf(id: string): string | undefined;
  /** Of what has begun and not ended: a batch goes on behind its last result, for as long as the reply is streamed. */
  running(): Running;
}

/**
 * Turns flower's hooks into the SDK's: exactly one per event, so that no two of them can rewrite the same input.
 * Calls are remembered by id, because hooks after the call see the rewritten input.
 */
export function sdkHooks(
  hooks: SessionHooks,
  level: () => Promise<ContextLevel>,
): { hooks: NonNullable<Options["hooks"]>; state: HookState } {
  const calls = new Map<string, ToolCall>();
  const running = new Map<string, string>();
  const allowed = new Set<string>();
  const reasons = new Map<string, string>();
  const state: HookState = {
    cut: undefined,
    denied: new Set(),
    allowed: (id) => allowed.has(id),
    reasonOf: (id) => reasons.get(id),
    running: () =>
      running.size === 0
        ? undefined
        : [...running.values()].every((name) => name === "Agent")
          ? "agents"
          : "tool",
  };

  const callOf = (
    input: HookInput & { tool_use_id: string; tool_name: string; tool_input: unknown },
  ): ToolCall =>
    calls.get(input.tool_use_id) ?? {
      id: input.tool_use_id,
      name: input.tool_name,
      input: asRecord(input.tool_input),
      cwd: input.cwd,
      ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
      ...(input.agent_type === undefined || input.agent_id === undefined
        ? {}
        : { agentType: input.agent_type }),
    };

  const deny = (call: ToolCall, reason: string): HookJSONOutput => {
    running.delete(call.id);
    state.denied.add(call.id);
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    };
  };

  /**
   * Left to `canUseTool`, which denies it with these words: the harness marks only such a denial as one that
   * `holdsPersonsWords` (0.3.332).
   */
  const leave = (call: ToolCall, reason: string): HookJSONOutput => {
    running.delete(call.id);
    state.denied.add(call.id);
    reasons.set(call.id, reason);
    return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };
  };

  return {
    state,
    hooks: {
      PreToolUse: matcher(async (input, signal) => {
        if (input.hook_event_name !== "PreToolUse") return {};
        const call = callOf(input);
        calls.set(call.id, call);
        running.set(call.id, call.name);
        try {
          const decision = await hooks.beforeTool(call, signal);
          if (!decision.allow && decision.personsWords === true) return leave(call, decision.reason);
          if (!decision.allow) return deny(call, decision.reason);
          allowed.add(call.id);
          return {
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "allow",
              ...(decision.input === undefined ? {} : { updatedInput: decision.input }),
            },
          };
        } catch (error) {
          return deny(call, `${GATE_FAILED} (${errorText(error)})`);
        }
      }),
      PostToolUse: matcher(async (input) => {
        if (input.hook_event_name !== "PostToolUse") return {};
        const after = hooks.afterTool(callOf(input), input.tool_response);
        const { output, context } = await after.finally(() => running.delete(input.tool_use_id));
        if (output === undefined && context === undefined) return {};
        return {
          hookSpecificOutput: {
            hookEventName: "PostToolUse",
            ...(output === undefined ? {} : { updatedToolOutput: output }),
            ...(context === undefined ? {} : { additionalContext: context }),
          },
        };
      }),
      PostToolUseFailure: matcher(async (input) => {
        if (input.hook_event_name !== "PostToolUseFailure") return {};
        const after = hooks.afterFailure(callOf(input), input.error);
        const context = await after.finally(() => running.delete(input.tool_use_id));
        return context === undefined
          ? {}
          : { hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: context } };
      }),
      PostToolBatch: matcher(async (input) => {
        if (input.hook_event_name !== "PostToolBatch") return {};
        const decision = await hooks.afterBatch({
          ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
          calls: input.tool_calls.map((call) => ({ id: call.tool_use_id, name: call.tool_name })),
          level,
        });
        for (const call of input.tool_calls) {
          calls.delete(call.tool_use_id);
          running.delete(call.tool_use_id);
        }
        if (decision.cut !== undefined && input.agent_id === undefined) state.cut = decision.cut;
        return {
          ...(decision.cut === undefined ? {} : { continue: false, stopReason: decision.cut }),
          ...(decision.context === undefined
            ? {}
            : {
                hookSpecificOutput: { hookEventName: "PostToolBatch", additionalContext: decision.context },
              }),
        };
      }),
      // Called for a compaction only, and its text is in the very next request (0.3.332).
      SessionStart: matcher(async (input) => {
        if (input.hook_event_name !== "SessionStart" || input.source !== "compact") return {};
        const context = input.agent_id === undefined ? hooks.afterCompaction() : undefined;
        return context === undefined
          ? {}
          : { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context } };
      }),
      WorktreeCreate: matcher(async (input) => {
        if (input.hook_event_name !== "WorktreeCreate") return {};
        const agentId = agentIdIn(input.name);
        if (agentId === undefined) throw new Error(`no agent is named in ${input.name}`);
        const worktreePath = await hooks.createWorktree(agentId);
        return { hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath } };
      }),
      SubagentStart: matcher(async (input) => {
        if (input.hook_event_name !== "SubagentStart") return {};
        const context = await hooks.subagentStarted(input.agent_id, input.agent_type);
        return context === undefined
          ? {}
          : { hookSpecificOutput: { hookEventName: "SubagentStart", additionalContext: context } };
      }),
    },
  };
}
