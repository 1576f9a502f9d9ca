import { charsOf } from "./spill-text.ts";
import { blocksOf, isRecord, messageIdOf, type Entry } from "./transcript.ts";

/** What a session started with, tokens: what its first request read. Undefined when no reply came. */
export const firstContextOf = (main: readonly Entry[]): number | undefined => answersIn(main)[0]?.tokens;

/** What its last request that was answered read, tokens. */
export const lastContextOf = (main: readonly Entry[]): number | undefined => answersIn(main).at(-1)?.tokens;

/** Tokens of a character where a session does not tell, and the fewest: four to a token, as in English. */
const LEAST_TOKENS_PER_CHAR = 0.25;
/** The most: scripts with a token for each character. */
const MOST_TOKENS_PER_CHAR = 1;

/**
 * What the request holds that comes behind the last answered one, tokens: what that one read, and an estimate of what
 * came since, from its characters and what the session's own have cost so far. 0 when no reply came.
 */
export function nextContextOf(main: readonly Entry[]): number {
  const answers = answersIn(main);
  const [first, last] = [answers[0], answers.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const measured = (last.tokens - first.tokens) / charsBetween(main, first.at, last.at);
  // Nothing between them is no number, after a compaction it is negative.
  const perChar = Math.min(
    MOST_TOKENS_PER_CHAR,
    Math.max(LEAST_TOKENS_PER_CHAR, Number.isFinite(measured) ? measured : 0),
  );
  return Math.ceil(last.tokens + perChar * charsBetween(main, last.at, main.length));
}

/** An answered request: what it read by the transcript's usage figures (0.3.332), and where its reply begins. */
interface Answer {
  tokens: number;
  at: number;
}

function answersIn(main: readonly Entry[]): Answer[] {
  const answers = new Map<unknown, Answer>();
  main.forEach((entry, at) => {
    if (entry.type !== "assistant" || isApiError(entry)) return;
    const { usage = {} } = (entry["message"] ?? {}) as { usage?: Record<string, unknown> };
    const tokens = READ.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0);
    // One entry holds one block of a message.
    const id = messageIdOf(entry) ?? at;
    if (tokens > 0) answers.set(id, { tokens, at: answers.get(id)?.at ?? at });
  });
  return [...answers.values()];
}

const READ = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];

const isApiError = (entry: Entry): boolean => entry["isApiErrorMessage"] === true;

function charsBetween(main: readonly Entry[], from: number, to: number): number {
  const said = main
    .slice(from, to)
    .filter((entry) => (entry.type === "user" || entry.type === "assistant") && !isApiError(entry));
  return said.reduce((sum, entry) => sum + charsOfMessage(entry), 0);
}

/** A picture, a signature or an id says little of the request's size; text and what stands in calls and results does. */
function charsOfMessage(entry: Entry): number {
  const message = entry["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  if (typeof content === "string") return content.length;
  return blocksOf(entry).reduce(
    (sum, block) => sum + charsOf([block["text"], block["thinking"], block["input"], block["content"]]),
    0,
  );
}
