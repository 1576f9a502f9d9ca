import { statusCode } from "./status-code.ts";

/** Wordings by which the API, gateways and local servers say that the input does not fit. */
const DOES_NOT_FIT: readonly RegExp[] = [
  /prompt is too long/i,
  /prompt too long/i,
  /context[ _-]?length[ _]?exceeded/i,
  /exceeds? (?:the |your )?(?:maximum |model'?s? |available )?context (?:length|window|limit|size)/i,
  /context window exceeds? limit/i,
  /context (?:(?:window|length|size) )?limit (?:was |has been )?(?:reached|exceeded|hit)/i,
  /maximum (?:context|prompt) length/i,
  /model'?s? context (?:length|window)/i,
  /(?:than|exceeds?|within|above|of) the (?:model'?s? )?context (?:length|window)/i,
  /too many total text bytes/i,
  /context size (?:has been |was )?exceeded/i,
  /token count.{0,40}exceeds? the (?:limit|maximum)/i,
  /input is too long/i,
  /range of input length should be/i,
  /exceed(?:s|ed)? (?:the |your )?model'?s? token limit/i,
  /input length and `?max_tokens`? exceed/i,
  /input (?:token count|length).{0,40}exceeds? the maximum/i,
  /exceeds? the maximum (?:size|number of (?:input )?tokens|allowed input length)/i,
  /must have less than \d+ tokens/i,
  /less than the context length/i,
  // The harness's words for the stop reason `model_context_window_exceeded`, which it tells nobody (0.3.332).
  /(?:reached|hit) (?:its|the(?: model'?s)?) context window limit/i,
  /request_too_large/i,
  /ContextWindowExceeded/i,
  /model_context_window_exceeded/i,
  /Prompt\s*超长/,
  /(?:上下文|输入).{0,8}(?:超长|超出|超过)/,
];

/** A limit, an overload or a server's own trouble: whatever else the text says, it is no overflow. */
const VETO: readonly RegExp[] = [
  new RegExp(statusCode("429"), "i"),
  new RegExp(
    `${statusCode(String.raw`5\d\d`)}(?=[^\\d]{0,20}(?:body|error|internal|server|bad gateway|unavailable|overloaded|\\{|:))`,
    "i",
  ),
  /throttl/i,
  /rate[ _-]?limit/i,
  /tokens per min/i,
  /available quota/i,
  /overloaded/i,
];

/** A retry wrapper's text names every attempt; only the last one says how it ended. */
function lastAttempt(text: string): string {
  const last = /\blast(?: error| attempt)?:\s*(.+)$/is.exec(text);
  return last?.[1] ?? text;
}

/** Whether error texts name a rate limit, an overload or a server's own trouble. */
export function namesOtherLimit(...texts: readonly string[]): boolean {
  return texts.map(lastAttempt).some((text) => VETO.some((pattern) => pattern.test(text)));
}

/**
 * Whether error texts say "the context does not fit". Judges wording only: pass error texts, never what a model or a
 * tool wrote. A 429 or 5xx named in any of the texts vetoes.
 */
export function isOverflow(...texts: readonly string[]): boolean {
  const judged = texts.map(lastAttempt);
  return (
    !namesOtherLimit(...texts) && judged.some((text) => DOES_NOT_FIT.some((pattern) => pattern.test(text)))
  );
}
