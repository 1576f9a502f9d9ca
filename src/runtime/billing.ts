import { statusCode } from "./status-code.ts";

/** Wordings of an account that no waiting fills. */
const EMPTY_ACCOUNT = "insufficient_quota|credit balance|exceeded your current quota";
/** Wordings that leave no doubt, also in what is else said of bursts. */
const UNMISTAKABLE = `${EMPTY_ACCOUNT}|\\b(?:spend(?:ing)?|credits?|budget|billing)[ _](?:hard[ _])?limit|billing_not_active|payment required|out of credits|insufficient (?:credits?|balance|funds)`;
/** Wordings of account matters; errors of other kinds may mention them as well, as a way to get more. */
const MENTIONS = new RegExp(`${UNMISTAKABLE}|billing|payment`, "i");

/** Said of what passes by itself. */
const PASSES = /\brate limits?\b|\b(?:try again|retry)\s+(?:in|after)\s+\d|retry[_-]?(?:after|delay)/i;

/** Whether error texts speak of an empty account, for which no allowance comes back. */
export function isAccountEmpty(text: string): boolean {
  return new RegExp(EMPTY_ACCOUNT, "i").test(text);
}

/** Whether error texts mention account matters at all. */
export function mentionsBilling(text: string): boolean {
  return MENTIONS.test(text);
}

/**
 * Whether an error is one of the account, which somebody has to pay for. A burst of requests (429) and what names no
 * status may mention payment as a way to be allowed more: there the wording has to be plain, and no moment to try again
 * be named. A server's own trouble (5xx) is never one, whatever it says.
 * @param status HTTP status, where it is known.
 */
export function isBilling(text: string, status: number | undefined): boolean {
  if (status === 402) return true;
  if (status !== undefined && status >= 500) return false;
  if (PASSES.test(text)) return false;
  if (status !== undefined && status !== 429) return MENTIONS.test(text);
  return new RegExp(`${UNMISTAKABLE}|${statusCode("402")}`, "i").test(text);
}
