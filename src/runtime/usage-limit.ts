import { isAccountEmpty, mentionsBilling } from "./billing.ts";
import { epochMs, resetMoment, type LimitClock } from "./reset-moment.ts";

/** A used-up allowance that comes back by itself. */
export interface UsageLimit {
  /** When, epoch ms; undefined = the text does not say, so it has to be tried. */
  resetsAtMs: number | undefined;
}

/** Limits on what is asked at once, or on its size: no allowance that somebody waits hours for. */
const NOT_OF_THE_MOMENT =
  "(?<!\\b(?:rate|context|tokens?|concurren(?:cy|t)|requests?|connections?|quer(?:y|ies)|calls?|[rtq]p[ms])[ -])";

/** Of a burst, whatever else it is called. */
const BY_THE_MINUTE = /\bper[ _-]?(?:min(?:ute)?|sec(?:ond)?)\b|\b[rtq]p[ms]\b/i;

const ALLOWANCE = "(?:limit|quota|allowance)s?\\b";
const PERIOD = "(?:\\d+-hour|hourly|daily|weekly|monthly|session|opus|sonnet)";
const GONE = "(?:reached|exceeded|hit|exhausted|used up)";

/** Wordings of an allowance that is used up, by people's reports; a burst of requests is none of them. */
const USED_UP: readonly RegExp[] = [
  new RegExp(`usage ${ALLOWANCE}`, "i"),
  new RegExp(`\\b${PERIOD} (?:requests? )?${ALLOWANCE} (?:is |was )?${GONE}`, "i"),
  new RegExp(`(?:hit|reached) your (?:[\\w-]+ ){0,3}${NOT_OF_THE_MOMENT}limit`, "i"),
  new RegExp(`${GONE} (?:your|the) (?:[\\w-]+ ){0,2}${PERIOD} (?:[\\w-]+ )?${ALLOWANCE}`, "i"),
  /\bout of (?:[\w-]+ )?usage\b/i,
  /使用上限|用量上限|额度已用完/,
];

/** Of any limit, perhaps of a size or of spending: an allowance only when it is said to come back. */
const ANY_LIMIT = new RegExp(`${NOT_OF_THE_MOMENT}limit reached`, "i");

/**
 * Reads a used-up allowance out of error texts: `usage limit reached|1788625200`, `resets 5:30am (Asia/Calcutta)`,
 * `resets Oct 9, 3pm`, ISO dates, `try again in 2h 5m`, `"resetsAt":1788625200`. Pass error texts only.
 * @returns undefined when the texts are about something else.
 */
export function usageLimit(texts: readonly string[], clock: LimitClock): UsageLimit | undefined {
  const text = texts.join("\n");
  const stated = /"resetsAt":\s*(\d{10,13})/.exec(text)?.[1];
  if (stated !== undefined && /"status":\s*"rejected"/.test(text)) return { resetsAtMs: epochMs(stated) };
  const isNamed = USED_UP.some((wording) => wording.test(text));
  if (BY_THE_MINUTE.test(text) || isAccountEmpty(text) || !(isNamed || ANY_LIMIT.test(text)))
    return undefined;
  const resetsAtMs = resetMoment(text, clock);
  // A limit that comes back may mention billing as another way.
  return resetsAtMs === undefined && (!isNamed || mentionsBilling(text)) ? undefined : { resetsAtMs };
}
