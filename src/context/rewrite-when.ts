import { newestLeaf } from "./live-branch.ts";
import { rewriteTranscript, type RewriteNotes, type RewriteReport } from "./rewrite.ts";
import type { RewritePlan } from "./policies.ts";
import { charsOf } from "./spill-text.ts";
import { isRecord, messageIdOf, type Entry } from "./transcript.ts";

/** For how long the API's prompt cache is asked to keep something. */
export type CacheTtl = "5m" | "1h";

/** {@link CacheTtl} in ms. */
export const CACHE_TTL_MS: Readonly<Record<CacheTtl, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** What reading from and writing to the API's prompt cache costs, in plain input tokens (Anthropic's price list). */
const READ_PRICE = 0.1;
const WRITE_PRICE: Readonly<Record<CacheTtl, number>> = { "5m": 1.25, "1h": 2 };

/** When a history is loaded, and what the API may still have of it. */
export interface LoadMoment {
  /** Infinity: nothing, wherever the last reply came from. */
  nowMs: number;
  ttl: CacheTtl;
  /** Uuid of the entry that the session went on from at the history's last rewrite; undefined = none was rewritten yet. */
  horizon: string | undefined;
  /** Uuid of the entry that the session goes on from now. Default: the newest. */
  leaf?: string;
}

/** A history on its way into a session. */
export interface LoadedHistory {
  entries: readonly Entry[];
  report: RewriteReport;
  /** For the next load. */
  horizon: string | undefined;
  /** Characters that a rewrite would have saved now, and that are not worth the cache that it would throw away. */
  postponedChars: number;
}

/**
 * Rewrites a history that is loaded, where it pays. A change in the middle throws the API's cache away from there on,
 * so while that is warm the history stays as it was served last, but for what must never be in it: calls without
 * results, lost parents, errors of the API. It is rewritten when the cache is cold anyway, or when reading less
 * in as many requests as there have been so far is worth more than writing the rest anew.
 */
export function rewriteWhenItPays(
  entries: readonly Entry[],
  plan: RewritePlan,
  notes: RewriteNotes,
  { nowMs, ttl, horizon, leaf = newestLeaf(entries) ?? undefined }: LoadMoment,
): LoadedHistory {
  const whole = rewriteTranscript(entries, plan, notes, leaf);
  const fresh = { ...whole, horizon: leaf, postponedChars: 0 };
  if (nowMs - lastReplyMs(entries) >= CACHE_TTL_MS[ttl]) return fresh;

  // As an earlier rewrite left it, and what came after that as it is.
  const served = rewriteTranscript(entries, plan, notes, horizon ?? null);
  const from = firstDifference(served.entries, whole.entries);
  if (from === undefined) return fresh;
  const behind = messageChars(whole.entries.slice(from));
  const saved = messageChars(served.entries.slice(from)) - behind;
  const gain = READ_PRICE * saved * requestsIn(entries);
  if (gain > (WRITE_PRICE[ttl] - READ_PRICE) * behind) return fresh;
  return { ...served, horizon, postponedChars: Math.max(0, saved) };
}

/** What the harness writes for an error of the API is no reply: nothing came of the request, nor was it kept. */
/** A message by the model `<synthetic>` is the harness's own, such as that no reply was asked for (0.3.332). */
function isReply(entry: Entry): boolean {
  const message = entry["message"];
  if (isRecord(message) && message["model"] === "<synthetic>") return false;
  return entry.type === "assistant" && entry["isApiErrorMessage"] !== true;
}

/** Epoch ms of the model's last reply; without one nothing is in the cache. */
function lastReplyMs(entries: readonly Entry[]): number {
  const at = entries.findLast(isReply)?.["timestamp"];
  const ms = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? -Infinity : ms;
}

const requestsIn = (entries: readonly Entry[]): number =>
  new Set(entries.filter(isReply).map(messageIdOf)).size;

const messageChars = (entries: readonly Entry[]): number => charsOf(entries.map((entry) => entry["message"]));

/** Where two histories begin to differ in what the API gets to see. */
function firstDifference(one: readonly Entry[], other: readonly Entry[]): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let i = 0; i < length; i += 1) {
    const [a, b] = [one[i]?.["message"], other[i]?.["message"]];
    if (a !== b && JSON.stringify(a) !== JSON.stringify(b)) return i;
  }
  return undefined;
}
