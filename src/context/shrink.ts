import { shrinkUsage } from "./shrink-usage.ts";
import { charsOf as charsIn } from "./spill-text.ts";
import { relink, replaceResults, withBlocks } from "./transcript-edit.ts";
import {
  blocksOf,
  exchangesOf,
  isProtected,
  messageIdOf,
  type Answer,
  type Block,
  type Entry,
} from "./transcript.ts";

/**
 * How much goes: 1 = all but the most recent results, 2 = all but those of the last round, 3 = all, and the
 * thinking of turns before the last prompt.
 */
export type ShrinkLevel = 1 | 2 | 3;

/**
 * The level to try when what was sent does not fit.
 * @param level of what was sent; undefined = whole.
 * @returns undefined when nothing more can go: what does not fit then does not fit at all.
 */
export function shrunkFurther(level: ShrinkLevel | undefined): ShrinkLevel | undefined {
  return level === undefined ? 1 : level === 1 ? 2 : level === 2 ? 3 : undefined;
}

/** Results that level 1 leaves whole. */
const KEEP_RESULTS = 6;

/** Results below this stay: no line of text would be shorter, and what stands in their place is always below it. */
const MIN_CHARS = 400;

/** How to shrink a history that does not fit. */
export interface ShrinkOptions {
  /** Most recent results that level 1 leaves whole. Default 6. */
  keep?: number;
  /** The line where a result was; `chars` is the length it had. Default: an English sentence. */
  note?: (toolName: string, chars: number) => string;
  /** Keeps a text and returns the pointer line to it; undefined = it could not be kept, then the note stands there. */
  spill?: (text: string) => string | undefined;
}

/** A shrunk history and what that took. */
export interface Shrunk {
  entries: readonly Entry[];
  /** Results that became one line. */
  shrunk: number;
  charsSaved: number;
}

/**
 * Makes a history fit that the API found too long, so that its session can still write a handoff document: the
 * harness sends shrunk results as they are (0.3.332). Tool results become one line each; calls, text and
 * open calls stay, and so does thinking below level 3. The usage figures that entries carry go down with all of it,
 * because the harness measures the session by them and would refuse it without asking the API (0.3.332). A second time
 * changes nothing.
 */
export function shrink(entries: readonly Entry[], level: ShrinkLevel, options: ShrinkOptions = {}): Shrunk {
  const { keep = KEEP_RESULTS, note = leftOutNote, spill } = options;
  const answered = exchangesOf(entries).flatMap(({ id, name, callAt, answer }) =>
    answer === undefined || isProtected(answer.entry)
      ? []
      : [{ id, name, answer, round: messageIdOf(entries[callAt] ?? answer.entry) }],
  );
  const lastRound = answered.at(-1)?.round;
  const firstKept = level === 1 ? answered.length - keep : answered.length;

  const lines = new Map<string, string>();
  let charsSaved = 0;
  answered.forEach(({ id, name, answer, round }, i) => {
    if (i >= firstKept || (round === lastRound && level < 3)) return;
    const chars = charsOf(answer);
    if (chars < MIN_CHARS) return;
    const pointer = answer.text === undefined ? undefined : spill?.(answer.text);
    const line = [pointer, note(name, chars)].find((text) => text !== undefined && text.length < MIN_CHARS);
    if (line === undefined) return;
    lines.set(id, line);
    charsSaved += chars - line.length;
  });
  const shortened = replaceResults(entries, lines);
  const after = level === 3 ? withoutThinking(shortened) : shortened;
  return {
    entries: relink(shortened, shrinkUsage(entries, after)),
    shrunk: lines.size,
    charsSaved: charsSaved + thinkingChars(shortened) - thinkingChars(after),
  };
}

/**
 * Takes out the thinking of turns before the last prompt; undefined where nothing is left. The API wants that of the
 * running turn back, and of a message with an open call nothing may change.
 */
function withoutThinking(entries: readonly Entry[]): ReadonlyArray<Entry | undefined> {
  const lastPrompt = entries.findLastIndex(isPrompt);
  const open = new Set(
    exchangesOf(entries).flatMap(({ answer, callAt }) => {
      const call = entries[callAt];
      return answer === undefined && call !== undefined ? [messageIdOf(call)] : [];
    }),
  );
  return entries.map((entry, i) => {
    if (i >= lastPrompt || entry.type !== "assistant" || isProtected(entry) || open.has(messageIdOf(entry)))
      return entry;
    const blocks = blocksOf(entry);
    const rest = blocks.filter((block) => !isThinking(block));
    if (rest.length === blocks.length) return entry;
    return rest.length === 0 ? undefined : withBlocks(entry, rest);
  });
}

const isThinking = ({ type }: Block): boolean => type === "thinking" || type === "redacted_thinking";

function thinkingChars(entries: ReadonlyArray<Entry | undefined>): number {
  const blocks = entries.flatMap((entry) => (entry === undefined ? [] : blocksOf(entry)));
  return charsIn(blocks.filter(isThinking));
}

function isPrompt(entry: Entry): boolean {
  if (entry.type !== "user" || isProtected(entry)) return false;
  const message = entry["message"];
  const text = typeof message === "object" && message !== null && "content" in message ? message.content : "";
  return typeof text === "string" ? text !== "" : blocksOf(entry).some(({ type }) => type === "text");
}

/** Length of what came back; an image counts with its encoded data, which is what leaves the request. */
function charsOf({ text, block }: Answer): number {
  return text?.length ?? JSON.stringify(block["content"] ?? "").length;
}

function leftOutNote(toolName: string, chars: number): string {
  return `[${toolName || "tool"} result of ${chars} characters left out to make room; make the call again if it is needed]`;
}
