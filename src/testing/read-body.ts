import { invalid, type Refusal } from "./refusal.ts";
import type { MessagesBody } from "./wire.ts";

/** A body that can be worked with, or why not. */
export type ReadBody = { body: MessagesBody; refusal?: undefined } | { body?: undefined; refusal: Refusal };

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses a request body and checks the types of all that is read later. Unknown fields are let through. */
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

function wrongField(body: Record<string, unknown>): string | undefined {
  if (typeof body["model"] !== "string" || body["model"] === "") return "model: Field required";
  const maxTokens = body["max_tokens"];
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && Number(maxTokens) > 0)) {
    return "max_tokens: Input should be a positive integer";
  }
  if (body["tools"] !== undefined && !(Array.isArray(body["tools"]) && body["tools"].every(isRecord))) {
    return "tools: Input should be a list of objects";
  }
  if (body["thinking"] !== undefined && !isRecord(body["thinking"]))
    return "thinking: Input should be an object";
  if (body["system"] !== undefined) {
    const wrong = wrongContent(body["system"], "system");
    if (wrong !== undefined) return wrong;
  }
  const messages = body["messages"];
  if (!Array.isArray(messages)) return "messages: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  for (const [index, message] of (messages as unknown[]).entries()) {
    const path = `messages.${index}`;
    if (!isRecord(message)) return `${path}: Input should be an object`;
    if (!ROLES.has(message["role"])) return `${path}.role: Input should be 'user' or 'assistant'`;
    const wrong = wrongContent(message["content"], `${path}.content`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongContent(content: unknown, path: string): string | undefined {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content)) return `${path}: Input should be a string or a list of blocks`;
  for (const [index, block] of (content as unknown[]).entries()) {
    if (!isRecord(block) || typeof block["type"] !== "string") return `${path}.${index}.type: Field required`;
    const needed = NEEDED_STRINGS[block["type"]] ?? [];
    for (const field of needed) {
      if (typeof block[field] !== "string")
        return `${path}.${index}.${block["type"]}.${field}: Field required`;
    }
  }
  return undefined;
}

const NEEDED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking", "signature"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
};
