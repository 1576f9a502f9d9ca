/** A content block as it travels; fields other than `type` depend on it. */
export interface ContentBlock {
  type: string;
  [field: string]: unknown;
}

/** One entry of `messages`. `system` entries stand between turns for models that take them. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | ContentBlock[];
}

/** The body of `POST /v1/messages`, as far as the rehearsal reads it. */
export interface MessagesBody {
  model: string;
  /** Tokens; absent only in `count_tokens`. */
  max_tokens?: number;
  system?: string | ContentBlock[];
  tools?: Array<Record<string, unknown>>;
  messages: WireMessage[];
  stream?: boolean;
  thinking?: { type?: string };
  [field: string]: unknown;
}

/** Content as blocks: a plain string counts as one text block, an empty string as none. */
export function blocksOf(content: string | ContentBlock[] | undefined): ContentBlock[] {
  if (content === undefined || content === "") return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The text of text blocks, joined by line breaks; other blocks are left out. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as ContentBlock[])
    .filter((block) => block.type === "text")
    .map((block) => String(block["text"]))
    .join("\n");
}
