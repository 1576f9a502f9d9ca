import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { EventDraft } from "../core/events.ts";

interface Block {
  type: string;
  [field: string]: unknown;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Content of a message as blocks; a plain string is one text block. */
export function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as Block[]) : [];
}

/** Text of a tool result: its text blocks joined, other blocks named. */
export function toolResultText(content: unknown): string {
  return blocksOf(content)
    .map((block) => (block.type === "text" ? text(block["text"]) : `[${block.type}]`))
    .join("\n");
}

/** What the normaliser must know beyond one message. */
export interface NormalizeContext {
  /** Names of tools by call id, filled from tool_use blocks. */
  toolNames: Map<string, string>;
  /** Ids of calls that flower's gate refused. */
  denied: ReadonlySet<string>;
  /** Subagent ids by the Agent call that started them. */
  agentIds: Map<string, string>;
  /** Tasks whose end was told: the harness tells a foreground agent's end twice (0.3.332). */
  endedTasks: Set<string>;
}

/** Task phases of `task_updated`; the harness's other states say nothing new to a person. */
const TASK_END: Record<string, "done" | "failed" | "stopped"> = {
  completed: "done",
  failed: "failed",
  killed: "stopped",
  stopped: "stopped",
};

/** Harness messages without news for an interface (0.3.332). */
const SILENT = new Set([
  "stream_event",
  "tool_progress",
  "tool_use_summary",
  "rate_limit_event",
  "prompt_suggestion",
  "auth_status",
  "system:init",
  "system:status",
  "system:api_retry",
  "system:thinking_tokens",
  "system:session_state_changed",
  "system:commands_changed",
  "system:background_tasks_changed",
  "system:hook_started",
  "system:hook_progress",
  "system:hook_response",
  "system:permission_denied",
  "system:files_persisted",
  "system:local_command_output",
  "system:control_request_progress",
  "system:worker_shutting_down",
]);

/**
 * One harness message as events of flower's own; no SDK type gets past here.
 * Results are left out: the session makes them from the whole round.
 */
export function normalize(message: SDKMessage, context: NormalizeContext): EventDraft[] {
  switch (message.type) {
    case "assistant": {
      if (message.error !== undefined) return [];
      const who = agentOf(message.parent_tool_use_id, context, message.agent_id);
      return blocksOf(message.message.content).flatMap((block): EventDraft[] => {
        if (block.type === "text") return [{ type: "text", text: text(block["text"]), ...who }];
        if (block.type === "thinking") return [{ type: "thinking", text: text(block["thinking"]), ...who }];
        if (block.type !== "tool_use") return [];
        const id = text(block["id"]);
        const name = text(block["name"]);
        context.toolNames.set(id, name);
        const agentType = message.subagent_type;
        return [
          {
            type: "toolCall",
            id,
            name,
            input: (block["input"] ?? {}) as Record<string, unknown>,
            ...(agentType === undefined ? {} : { agentType }),
            ...who,
          },
        ];
      });
    }
    case "user": {
      const who = agentOf(message.parent_tool_use_id, context);
      return blocksOf(message.message.content).flatMap((block): EventDraft[] => {
        if (block.type === "text" && message.parent_tool_use_id !== null)
          return [{ type: "prompt", kind: "task", text: text(block["text"]), ...who }];
        if (block.type !== "tool_result") return [];
        const id = text(block["tool_use_id"]);
        const name = context.toolNames.get(id) ?? "";
        return [
          {
            type: "toolResult",
            id,
            name,
            text: toolResultText(block["content"]),
            isError: block["is_error"] === true,
            denied: context.denied.has(id),
            ...who,
          },
        ];
      });
    }
    case "system":
      return systemEvents(message, context);
    case "result":
      return [];
    default: {
      const name = "subtype" in message ? `${message.type}:${String(message.subtype)}` : message.type;
      return SILENT.has(name) ? [] : [{ type: "unknown", messageType: name }];
    }
  }
}

function agentOf(parent: string | null, context: NormalizeContext, agentId?: string): { agentId?: string } {
  if (agentId !== undefined) return { agentId };
  if (parent === null) return {};
  return { agentId: context.agentIds.get(parent) ?? parent };
}

function systemEvents(
  message: Extract<SDKMessage, { type: "system" }>,
  context: NormalizeContext,
): EventDraft[] {
  switch (message.subtype) {
    case "task_started":
      if (message.tool_use_id !== undefined) context.agentIds.set(message.tool_use_id, message.task_id);
      return [task(message.task_id, "started", message.description)];
    case "task_progress":
      return [task(message.task_id, "progress", message.last_tool_name ?? message.description)];
    case "task_updated":
      return taskEnd(message.task_id, message.patch.status, message.patch.error ?? "", context);
    case "task_notification":
      return taskEnd(message.task_id, message.status, message.summary, context);
    case "informational":
      return [{ type: "system", level: "warning", message: message.content }];
    case "compact_boundary":
      return [{ type: "system", level: "info", message: "the harness compacted the context" }];
    case "mirror_error":
      return [{ type: "error", kind: "store", message: message.error }];
    case "session_writes_lost":
      return [{ type: "error", kind: "store", message: `the harness lost writes: ${message.error_code}` }];
    default: {
      const name = `system:${message.subtype}`;
      return SILENT.has(name) ? [] : [{ type: "unknown", messageType: name }];
    }
  }
}

function taskEnd(
  taskId: string,
  status: string | undefined,
  description: string,
  context: NormalizeContext,
): EventDraft[] {
  const phase = TASK_END[status ?? ""];
  if (phase === undefined || context.endedTasks.has(taskId)) return [];
  context.endedTasks.add(taskId);
  return [task(taskId, phase, description)];
}

function task(
  taskId: string,
  phase: "started" | "progress" | "done" | "failed" | "stopped",
  description: string,
): EventDraft {
  return { type: "task", taskId, phase, description, agentId: taskId };
}
