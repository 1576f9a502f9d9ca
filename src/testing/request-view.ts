import type { IncomingHttpHeaders } from "node:http";
import { blocksOf, textOf, type ContentBlock, type MessagesBody, type WireMessage } from "./wire.ts";

/** A tool result that came with a request. */
export interface ToolResultView {
  /** Id of the call. */
  id: string;
  text: string;
  isError: boolean;
}

/** A request as a scenario sees it. */
export interface RehearsalRequest {
  model: string;
  /** The system prompt's blocks, joined by line breaks. */
  system: string;
  messages: readonly WireMessage[];
  /** Names of the tools on offer. */
  tools: readonly string[];
  /** What the conversation began with: text of the first user message, without system reminders. */
  firstUserText: string;
  /** User text since the last assistant turn, without system reminders; empty when only tool results came. */
  lastUserText: string;
  /** Tool results since the last assistant turn. */
  toolResults: readonly ToolResultView[];
  /** Assistant turns so far. */
  turnCount: number;
  /** True for the request of a subagent. */
  isSubagent: boolean;
  agentId: string | undefined;
  sessionId: string | undefined;
  /** All input tokens, cached or not. */
  inputTokens: number;
  /** The body as it came. */
  raw: MessagesBody;
}

// Headers by which the harness (0.3.332) says who is asking.
const AGENT_HEADER = "x-claude-code-agent-id";
const SESSION_HEADER = "x-claude-code-session-id";

/** Puts a request into the form that scenarios read. */
export function viewRequest(
  body: MessagesBody,
  headers: IncomingHttpHeaders,
  inputTokens: number,
): RehearsalRequest {
  const { messages } = body;
  const lastTurn = userBlocks(messages.slice(messages.findLastIndex((m) => m.role === "assistant") + 1));
  const agentId = oneHeader(headers, AGENT_HEADER);
  return {
    model: body.model,
    system: textOf(body.system),
    messages,
    tools: (body.tools ?? []).map((tool) => String(tool["name"])),
    firstUserText: plainText(userBlocks(messages.slice(0, 1))),
    lastUserText: plainText(lastTurn),
    toolResults: lastTurn.filter((block) => block.type === "tool_result").map(viewToolResult),
    turnCount: countTurns(messages),
    isSubagent: agentId !== undefined,
    agentId,
    sessionId: oneHeader(headers, SESSION_HEADER),
    inputTokens,
    raw: body,
  };
}

function oneHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function userBlocks(messages: readonly WireMessage[]): ContentBlock[] {
  return messages
    .filter((message) => message.role === "user")
    .flatMap((message) => blocksOf(message.content));
}

function plainText(blocks: ContentBlock[]): string {
  return textOf(blocks)
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .trim();
}

function viewToolResult(block: ContentBlock): ToolResultView {
  return {
    id: String(block["tool_use_id"]),
    text: textOf(block["content"]),
    isError: block["is_error"] === true,
  };
}

/** Assistant messages in a row are one turn. */
function countTurns(messages: readonly WireMessage[]): number {
  return messages.filter((m, i) => m.role === "assistant" && messages[i - 1]?.role !== "assistant").length;
}
