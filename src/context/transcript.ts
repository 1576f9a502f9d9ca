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

/** True for an error of the API, which the harness writes as a message of a model of its own (0.3.332). */
export function isApiError(entry: Entry): boolean {
  if (entry.type !== "assistant" || !mayRewrite(entry)) return false;
  if (entry["isApiErrorMessage"] === true) return true;
  const message = entry["message"];
  return isRecord(message) && message["model"] === "<synthetic>" && entry["error"] !== undefined;
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
  /** Index of the entry. */
  at: number;
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

/** All calls in order, each with its result; one that a damaged file holds twice counts once. */
export function exchangesOf(entries: readonly Entry[]): Exchange[] {
  return readCalls(entries).exchanges;
}

/**
 * {@link exchangesOf}, by call id the indices of the entries that hold the call or a result once more, and the ids that
 * several calls have: gateways that count them anew in each message do that, and which result is whose is not sure. In
 * one plain loop: every rewrite goes over the whole history, and lists made for each entry cost more than all else in here.
 */
export function readCalls(entries: readonly Entry[]): {
  exchanges: Exchange[];
  copies: Map<string, number[]>;
  reused: ReadonlySet<string>;
} {
  const calls = new Map<string, Exchange>();
  const answers = new Map<string, Answer>();
  const copies = new Map<string, number[]>();
  const reused = new Set<string>();
  const repeated = (id: string, at: number): void => void copies.set(id, [...(copies.get(id) ?? []), at]);
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry?.type !== "assistant" && entry?.type !== "user") continue;
    const content = contentOf(entry);
    for (const block of content) {
      if (!isBlock(block)) continue;
      if (entry.type === "assistant" && block.type === "tool_use") {
        const { id, name, input } = block;
        if (typeof id !== "string") continue;
        const first = calls.get(id);
        if (first !== undefined) {
          repeated(id, at);
          if (!isCopy(entry, entries[first.callAt], block)) reused.add(id);
        } else
          calls.set(id, {
            id,
            name: typeof name === "string" ? name : "",
            input: isRecord(input) ? input : {},
            callAt: at,
            answer: undefined,
          });
      } else if (entry.type === "user" && block.type === "tool_result") {
        const id = block["tool_use_id"];
        if (typeof id !== "string") continue;
        if (answers.has(id)) repeated(id, at);
        else answers.set(id, answerAt(at, entry, block, content));
      }
    }
  }
  const exchanges = [...calls.values()];
  for (const exchange of exchanges) exchange.answer = answers.get(exchange.id);
  return { exchanges, copies, reused };
}

/** Whether a call that stands in two entries is one: of the same entry, or of the same message with the same words. */
function isCopy(entry: Entry, first: Entry | undefined, block: Block): boolean {
  if (first === undefined) return false;
  if (entry.uuid !== undefined && entry.uuid === first.uuid) return true;
  const text = JSON.stringify(block);
  return (
    messageIdOf(entry) === messageIdOf(first) &&
    blocksOf(first).some((other) => JSON.stringify(other) === text)
  );
}

function answerAt(at: number, entry: Entry, block: Block, content: readonly unknown[]): Answer {
  return { entry, at, block, text: resultText(block), denial: denialOf(entry, block, content) };
}

/** The mark is the entry's; in an entry with several results it means the one that failed, if that is one alone. */
function denialOf(entry: Entry, block: Block, content: readonly unknown[]): string | undefined {
  const mark =
    block["toolDenialKind"] ?? (isOnlyFailure(block, content) ? entry["toolDenialKind"] : undefined);
  return typeof mark === "string" ? mark : undefined;
}

function isOnlyFailure(block: Block, content: readonly unknown[]): boolean {
  if (content.length === 1) return true;
  const results = content.filter(isResult);
  const failed = results.filter((result) => result["is_error"] === true);
  return results.length === 1 || (failed.length === 1 && failed[0] === block);
}
