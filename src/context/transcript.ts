/** One transcript line, as far as the rewrites look at it (0.3.332). Unknown fields pass through. */
export interface Entry {
  type: string;
  uuid?: string;
  [field: string]: unknown;
}

/** A block of a message's content. */
export interface Block {
  type: string;
  [field: string]: unknown;
}

/** Blocks of an entry's message; none when its content is plain text or absent. */
export function blocksOf(entry: Entry): Block[] {
  const message = entry["message"];
  if (typeof message !== "object" || message === null) return [];
  const content = (message as { content?: unknown }).content;
  return Array.isArray(content) ? (content as Block[]) : [];
}

/** The entry with other blocks; the original stays as it was. */
export function withBlocks(entry: Entry, blocks: readonly Block[]): Entry {
  return { ...entry, message: { ...(entry["message"] as object), content: blocks } };
}

/** Text of a tool result, when it has nothing but text. */
export function resultText(block: Block): string | undefined {
  const content = block["content"];
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const parts = (content as Block[]).map((part) => (part.type === "text" ? part["text"] : undefined));
  return parts.every((part) => typeof part === "string") ? parts.join("\n") : undefined;
}

/** A tool call with the result that answers it. */
export interface Exchange {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Index of the entry that holds the call; of the one that holds the result. */
  callAt: number;
  resultAt: number | undefined;
  result: Block | undefined;
}

/** All calls in order, each with its result. Linear. */
export function exchangesOf(entries: readonly Entry[]): Exchange[] {
  const byId = new Map<string, Exchange>();
  entries.forEach((entry, at) => {
    for (const block of blocksOf(entry)) {
      if (entry.type === "assistant" && block.type === "tool_use" && typeof block["id"] === "string") {
        byId.set(block["id"], {
          id: block["id"],
          name: String(block["name"]),
          input: (block["input"] ?? {}) as Record<string, unknown>,
          callAt: at,
          resultAt: undefined,
          result: undefined,
        });
      }
      if (entry.type === "user" && block.type === "tool_result") {
        const exchange = byId.get(String(block["tool_use_id"]));
        // The first answer counts: a second one to the same call is the harness's own repetition.
        if (exchange?.result === undefined && exchange !== undefined) {
          exchange.result = block;
          exchange.resultAt = at;
        }
      }
    }
  });
  return [...byId.values()];
}

/** Replaces result texts by call id, in the message and in the harness's copy beside it. */
export function replaceResults(entries: readonly Entry[], texts: ReadonlyMap<string, string>): Entry[] {
  return entries.map((entry) => {
    if (entry.type !== "user") return entry;
    const before = blocksOf(entry);
    const blocks = before.map((block) => {
      const text = block.type === "tool_result" ? texts.get(String(block["tool_use_id"])) : undefined;
      return text === undefined ? block : { ...block, content: text };
    });
    if (blocks.every((block, i) => block === before[i])) return entry;
    const { toolUseResult: copy, ...rest } = withBlocks(entry, blocks);
    return copy === undefined
      ? rest
      : { ...rest, toolUseResult: blocks.length === 1 ? blocks[0]?.["content"] : undefined };
  });
}

/**
 * Removes calls with their results by call id. Other blocks of the same message stay; an entry that is left with
 * nothing goes, and its children hang on its nearest living ancestor.
 */
export function removeCalls(entries: readonly Entry[], ids: ReadonlySet<string>): Entry[] {
  if (ids.size === 0) return [...entries];
  const kept = entries.map((entry): Entry | undefined => {
    const blocks = blocksOf(entry);
    const rest = blocks.filter(
      (block) =>
        !(block.type === "tool_use" && ids.has(String(block["id"]))) &&
        !(block.type === "tool_result" && ids.has(String(block["tool_use_id"]))),
    );
    if (rest.length === blocks.length) return entry;
    return rest.length === 0 ? undefined : withBlocks(entry, rest);
  });
  return relink(entries, kept);
}

/** Drops entries (`undefined`) and links the children of each to its nearest living ancestor. */
export function relink(before: readonly Entry[], after: readonly (Entry | undefined)[]): Entry[] {
  const parentOfGone = new Map<string, unknown>();
  before.forEach((entry, i) => {
    if (after[i] === undefined && entry.uuid !== undefined)
      parentOfGone.set(entry.uuid, entry["parentUuid"] ?? null);
  });
  if (parentOfGone.size === 0) return after.filter((entry) => entry !== undefined);
  const living = (uuid: unknown): unknown => {
    let parent = uuid;
    // Each step goes up one removed entry; a cycle in a damaged file must not hang the load.
    for (let i = 0; i <= parentOfGone.size && typeof parent === "string" && parentOfGone.has(parent); i += 1)
      parent = parentOfGone.get(parent);
    return parent;
  };
  return after.flatMap((entry) => {
    if (entry === undefined) return [];
    const parent = entry["parentUuid"];
    return typeof parent === "string" && parentOfGone.has(parent)
      ? [{ ...entry, parentUuid: living(parent) }]
      : [entry];
  });
}
