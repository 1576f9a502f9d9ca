import { invalid, type Refusal } from "./refusal.ts";
import { toolPairing } from "./tool-pairing.ts";
import { blocksOf, type ContentBlock, type MessagesBody, type WireMessage } from "./wire.ts";

/** What the API refuses in a request's form, or undefined when it would take it. */
export function checkForm(body: MessagesBody): Refusal | undefined {
  return (
    checkOrder(body) ??
    checkText(body) ??
    toolPairing(body.messages) ??
    checkToolsThere(body) ??
    checkMarks(body)
  );
}

/**
 * What does not fit into the window, or undefined.
 * @param windowTokens the model's window
 */
export function checkWindow(
  body: MessagesBody,
  inputTokens: number,
  windowTokens: number,
): Refusal | undefined {
  const maxTokens = body.max_tokens ?? 0;
  if (inputTokens > windowTokens) {
    return invalid("window", `prompt is too long: ${inputTokens} tokens > ${windowTokens} maximum`);
  }
  if (inputTokens + maxTokens > windowTokens) {
    return invalid(
      "window",
      `input length and \`max_tokens\` exceed context limit: ${inputTokens} + ${maxTokens} > ${windowTokens}, ` +
        "decrease input length or `max_tokens` and try again",
    );
  }
  return undefined;
}

function checkOrder({ max_tokens, messages, tools = [] }: MessagesBody): Refusal | undefined {
  if (max_tokens === undefined) return invalid("shape", "max_tokens: Field required");
  if (messages[0]?.role !== "user") {
    return invalid("shape", 'messages: first message must use the "user" role');
  }
  const misplaced = messages.findIndex(
    ({ role }, i) =>
      role === "system" &&
      (messages[i - 1]?.role !== "user" ||
        (i + 1 < messages.length && messages[i + 1]?.role !== "assistant")),
  );
  if (misplaced >= 0) {
    return invalid(
      "shape",
      `messages.${misplaced}: a "system" message must follow a "user" message and be the last or be followed by ` +
        'an "assistant" message',
    );
  }
  const names = tools.map((tool) => tool["name"]);
  return new Set(names).size === names.length
    ? undefined
    : invalid("shape", "tools: Tool names must be unique.");
}

function checkText({ system, messages }: MessagesBody): Refusal | undefined {
  if (blocksOf(system).some(isEmptyText)) {
    return invalid("emptyText", "system: text content blocks must be non-empty");
  }
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message.content);
    const isFinalAssistant = index === messages.length - 1 && message.role === "assistant";
    if (blocks.length === 0 && !isFinalAssistant) {
      return invalid(
        "emptyText",
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    if (
      blocks.some(isEmptyText) ||
      blocks.flatMap(innerOf).some(({ type, text }) => type === "text" && text === "")
    ) {
      return invalid("emptyText", `messages.${index}: text content blocks must be non-empty`);
    }
  }
  return checkEnd(messages.at(-1));
}

/** A final assistant message is one that the model is to go on with. */
function checkEnd(last: WireMessage | undefined): Refusal | undefined {
  const end = last?.role === "assistant" ? blocksOf(last.content).at(-1) : undefined;
  return end?.type === "text" && /\s$/.test(String(end["text"]))
    ? invalid("shape", "messages: final assistant content cannot end with trailing whitespace")
    : undefined;
}

const isEmptyText = (block: ContentBlock): boolean =>
  block.type === "text" && String(block["text"]).trim() === "";

/** An empty list will do: the harness (0.3.332) sends one when a session goes on without the tools it had. */
function checkToolsThere({ tools, messages }: MessagesBody): Refusal | undefined {
  const blocks = messages.flatMap(({ content }) => blocksOf(content));
  const needed = blocks.some(({ type }) => type === "tool_use" || type === "tool_result");
  return needed && tools === undefined
    ? invalid(
        "pairing",
        "Requests which have `tool_use` or `tool_result` blocks in messages must define tools",
      )
    : undefined;
}

const MAX_MARKS = 4;

function checkMarks(body: MessagesBody): Refusal | undefined {
  const marked = [
    ...(body.tools ?? []),
    ...blocksOf(body.system),
    ...body.messages.flatMap((message) => blocksOf(message.content)).flatMap(withInner),
  ].filter((block) => typeof block["cache_control"] === "object" && block["cache_control"] !== null);
  const wrong = marked.find(
    (block) => /thinking$/.test(String(block["type"])) || !isMark(block["cache_control"]),
  );
  if (wrong !== undefined) {
    return invalid(
      "cacheMarks",
      `cache_control: ${JSON.stringify(wrong["cache_control"])} cannot stand on a block of this type`,
    );
  }
  const marks = marked.map((block) => block["cache_control"] as { ttl?: unknown });
  if (marks.length > MAX_MARKS) {
    return invalid(
      "cacheMarks",
      `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`,
    );
  }
  const firstShort = marks.findIndex((mark) => mark.ttl !== "1h");
  return firstShort >= 0 && marks.slice(firstShort).some((mark) => mark.ttl === "1h")
    ? invalid("cacheMarks", "cache_control: a block with ttl='1h' must not come after a block with ttl='5m'")
    : undefined;
}

const isMark = (mark: unknown): boolean => {
  const { type, ttl } = mark as { type?: unknown; ttl?: unknown };
  return type === "ephemeral" && (ttl === undefined || ttl === "5m" || ttl === "1h");
};

/** Blocks inside a tool result may be marked as well. */
const withInner = (block: ContentBlock): ContentBlock[] => [...innerOf(block), block];

/** The blocks inside a tool result. */
function innerOf({ type, content }: ContentBlock): ContentBlock[] {
  return type === "tool_result" && Array.isArray(content) ? (content as ContentBlock[]) : [];
}
