import { isRecord, wrongName, wrongTag } from "./field-checks.ts";
import { wrongParameter } from "./parameters.ts";
import { invalid, type Refusal } from "./refusal.ts";
import type { ContentBlock, MessagesBody } from "./wire.ts";

/** A body that can be worked with, or why not. */
export type ReadBody = { body: MessagesBody; refusal?: undefined } | { body?: undefined; refusal: Refusal };

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

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

function wrongField(body: Record<string, unknown>): string | undefined {
  if (typeof body["model"] !== "string" || body["model"] === "") return "model: Field required";
  const parameter = wrongParameter(body);
  if (parameter !== undefined) return parameter;
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
  return wrongTag(block, path, types) ?? wrongInside(block as ContentBlock, path);
}

function wrongInside(block: ContentBlock, path: string): string | undefined {
  const { type } = block;
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
  const sources = SOURCES[type];
  return sources && wrongTag(block["source"], `${path}.${type}.source`, sources);
}

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

/** Where a picture or a document may come from. */
const SOURCES: Readonly<Record<string, ReadonlySet<string>>> = {
  image: new Set(["base64", "url", "file"]),
  document: new Set(["base64", "text", "content", "url", "file"]),
};

const NEEDED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking", "signature"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
};
