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

/** True for a plain object: no array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Entry types that are links of the conversation's chain (0.3.332); the others lie beside it. */
const CHAIN_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "attachment", "system"]);

/** True for an entry that is a link of the chain: it has an id, and the way to the newest leaf may lead over it. */
export function isChainLink(entry: Entry): entry is Entry & { uuid: string } {
  return CHAIN_TYPES.has(entry.type) && typeof entry.uuid === "string";
}

/** True for what no rewrite may change: compact summaries and the harness's own meta messages. */
export function isProtected(entry: Entry): boolean {
  return entry["isMeta"] === true || entry["isCompactSummary"] === true;
}

/** False for protected entries and for what holds a person's words: neither is ever rewritten. */
export function mayRewrite(entry: Entry): boolean {
  return !isProtected(entry) && entry["holdsPersonsWords"] !== true;
}

/** Blocks of an entry's message; none when its content is plain text or absent. */
export function blocksOf(entry: Entry): Block[] {
  return contentOf(entry).filter(isBlock);
}

const NOTHING: readonly unknown[] = [];

function contentOf(entry: Entry): readonly unknown[] {
  const message = entry["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  return Array.isArray(content) ? content : NOTHING;
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value["type"] === "string";
}

function isResult(value: unknown): value is Block {
  return isBlock(value) && value.type === "tool_result";
}

/** Id that the entries of one message of the model share: one entry holds one block. Else the entry's own id. */
export function messageIdOf(entry: Entry): string | undefined {
  const message = entry["message"];
  const id = isRecord(message) ? message["id"] : undefined;
  return typeof id === "string" ? id : entry.uuid;
}

/** Text of a tool result, when it has nothing but text. */
export function resultText(block: Block): string | undefined {
  const content = block["content"];
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const parts = content.map((part: unknown) =>
    isRecord(part) && part["type"] === "text" ? part["text"] : undefined,
  );
  return parts.every((part) => typeof part === "string") ? parts.join("\n") : undefined;
}

/** The first answer to a call; a second one is the harness's own repetition. */
export interface Answer {
  entry: Entry;
  block: Block;
  /** Undefined when the result holds more than text. */
  text: string | undefined;
  /** The mark of a refused call, e.g. `permission-rule`; read instead of wording (0.3.332). */
  denial: string | undefined;
}

/** A tool call with the result that answers it. */
export interface Exchange {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Index of the entry that holds the call. */
  callAt: number;
  /** Undefined: nothing answers the call. */
  answer: Answer | undefined;
}

/**
 * All calls in order, each with its result; one that a damaged file holds twice counts once. Linear, and in plain
 * loops: every rewrite goes over the whole history, and lists made for each entry cost more than all else in here.
 */
export function exchangesOf(entries: readonly Entry[]): Exchange[] {
  const answers = answersOf(entries);
  const seen = new Set<string>();
  const exchanges: Exchange[] = [];
  for (const [callAt, entry] of entries.entries()) {
    if (entry.type !== "assistant") continue;
    for (const block of contentOf(entry)) {
      if (!isBlock(block) || block.type !== "tool_use") continue;
      const { id, name, input } = block;
      if (typeof id !== "string" || seen.has(id)) continue;
      seen.add(id);
      exchanges.push({
        id,
        name: typeof name === "string" ? name : "",
        input: isRecord(input) ? input : {},
        callAt,
        answer: answers.get(id),
      });
    }
  }
  return exchanges;
}

function answersOf(entries: readonly Entry[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const entry of entries) {
    if (entry.type !== "user") continue;
    const content = contentOf(entry);
    let results = 0;
    for (const block of content) if (isResult(block)) results += 1;
    if (results === 0) continue;
    for (const block of content) {
      if (!isResult(block)) continue;
      const id = block["tool_use_id"];
      if (typeof id !== "string" || answers.has(id)) continue;
      answers.set(id, { entry, block, text: resultText(block), denial: denialOf(entry, block, results) });
    }
  }
  return answers;
}

/** The mark is the entry's; in an entry with several results it can only mean those that failed. */
function denialOf(entry: Entry, block: Block, results: number): string | undefined {
  const applies = results === 1 || block["is_error"] === true;
  const mark = block["toolDenialKind"] ?? (applies ? entry["toolDenialKind"] : undefined);
  return typeof mark === "string" ? mark : undefined;
}

/** Number of the model's message at each entry, from 1: the entries of one message share it. */
export function roundsOf(entries: readonly Entry[]): number[] {
  const ids = new Set<string | undefined>();
  return entries.map((entry) => {
    if (entry.type === "assistant") ids.add(messageIdOf(entry));
    return ids.size;
  });
}
