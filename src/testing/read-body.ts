import { invalid, type Refusal } from "./refusal.ts";
import type { MessagesBody } from "./wire.ts";

/** A body that can be worked with, or why not. */
export type ReadBody = { body: MessagesBody; refusal?: undefined } | { body?: undefined; refusal: Refusal };

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses a request body and checks the types of all that is read later. Unknown fields inside of blocks are let through. */
export function readBody(text: string): ReadBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { refusal: invalid("shape", "The request body is not valid JSON") };
  }
  const wrong = isRecord(parsed) ? wrongField(parsed) : "The request body must be a JSON object";
  return wrong === undefined ? { body: parsed as MessagesBody } : { refusal: invalid("shape", wrong) };
}

const blocksFor = (role: unknown): ReadonlySet<string> => BLOCKS[String(role)] ?? new Set();

/** Parameters of a request, with those that the harness's beta headers allow (0.3.332). */
const PARAMETERS: ReadonlySet<string> = new Set(
  (
    "model max_tokens messages system tools tool_choice stream metadata stop_sequences temperature top_k top_p thinking " +
    "service_tier container mcp_servers context_management output_config output_format cache_control speed"
  ).split(" "),
);

function wrongField(body: Record<string, unknown>): string | undefined {
  if (typeof body["model"] !== "string" || body["model"] === "") return "model: Field required";
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  const maxTokens = body["max_tokens"];
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && Number(maxTokens) > 0)) {
    return "max_tokens: Input should be a positive integer";
  }
  if (body["tools"] !== undefined && !(Array.isArray(body["tools"]) && body["tools"].every(isRecord))) {
    return "tools: Input should be a list of objects";
  }
  for (const [index, tool] of (body["tools"] ?? []).entries()) {
    const wrong = wrongName(tool["name"], `tools.${index}.custom.name`);
    if (wrong !== undefined) return wrong;
  }
  if (body["thinking"] !== undefined && !isRecord(body["thinking"]))
    return "thinking: Input should be an object";
  if (body["system"] !== undefined) {
    const wrong = wrongContent(body["system"], "system", blocksFor("system"));
    if (wrong !== undefined) return wrong;
  }
  const messages = body["messages"];
  if (!Array.isArray(messages)) return "messages: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  for (const [index, message] of (messages as unknown[]).entries()) {
    const path = `messages.${index}`;
    if (!isRecord(message)) return `${path}: Input should be an object`;
    if (!ROLES.has(message["role"])) return `${path}.role: Input should be 'user' or 'assistant'`;
    const wrong = wrongContent(message["content"], `${path}.content`, blocksFor(message["role"]));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongContent(content: unknown, path: string, types: ReadonlySet<string>): string | undefined {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content)) return `${path}: Input should be a string or a list of blocks`;
  for (const [index, block] of (content as unknown[]).entries()) {
    const wrong = wrongBlock(block, `${path}.${index}`, types);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongBlock(block: unknown, path: string, types: ReadonlySet<string>): string | undefined {
  if (!isRecord(block) || typeof block["type"] !== "string") return `${path}.type: Field required`;
  const { type } = block;
  if (!types.has(type)) {
    return `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${[...types].join(", ")}`;
  }
  for (const field of NEEDED_STRINGS[type] ?? []) {
    if (typeof block[field] !== "string") return `${path}.${type}.${field}: Field required`;
  }
  if (type === "tool_use") {
    if (!isRecord(block["input"])) return `${path}.tool_use.input: Input should be a valid dictionary`;
    return wrongName(block["id"], `${path}.tool_use.id`) ?? wrongName(block["name"], `${path}.tool_use.name`);
  }
  if (type === "tool_result") {
    const wrong = wrongName(block["tool_use_id"], `${path}.tool_result.tool_use_id`);
    if (wrong !== undefined || block["content"] === undefined) return wrong;
    return wrongContent(block["content"], `${path}.tool_result.content`, RESULT_BLOCKS);
  }
  return undefined;
}

const NAME = /^[\w-]{1,128}$/;

const wrongName = (value: unknown, path: string): string | undefined =>
  typeof value === "string" && NAME.test(value)
    ? undefined
    : `${path}: String should match pattern '${NAME.source}'`;

/** Kinds of blocks by where they may stand, as far as the harness sends them (0.3.332). */
const RESULT_BLOCKS: ReadonlySet<string> = new Set([
  "text",
  "image",
  "document",
  "search_result",
  "tool_reference",
]);
const BLOCKS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(["text"]),
  user: new Set(["text", "image", "document", "search_result", "tool_result"]),
  assistant: new Set(["text", "thinking", "redacted_thinking", "tool_use"]),
};

const NEEDED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking", "signature"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
};
