import { isAccountEmpty, mentionsBilling } from "./billing.ts";

/** A used-up allowance that comes back by itself. */
export interface UsageLimit {
  /** When, epoch ms; undefined = the text does not say, so it has to be tried. */
  resetsAtMs: number | undefined;
}

/** What times in error texts are read against. */
export interface LimitClock {
  nowMs: number;
  /** IANA name for times without a zone; default: the system's. */
  timeZone?: string;
}

/** Limits on what is asked at once, or on its size: no allowance that somebody waits hours for. */
const NOT_OF_THE_MOMENT =
  "(?<!\\b(?:rate|context|tokens?|concurren(?:cy|t)|requests?|connections?|quer(?:y|ies)|calls?|[rtq]p[ms])[ -])";

/** Wordings of an allowance that is used up, by people's reports; a burst of requests is none of them. */
const USED_UP: readonly RegExp[] = [
  /usage limits?\b/i,
  /\b(?:\d+-hour|hourly|daily|weekly|monthly|session|opus|sonnet) (?:requests? )?limit (?:reached|exceeded|hit)/i,
  new RegExp(`(?:hit|reached) your (?:[\\w-]+ ){0,3}${NOT_OF_THE_MOMENT}limit`, "i"),
  /\bout of (?:[\w-]+ )?usage\b/i,
  /使用上限|用量上限|额度已用完/,
];

/** Of any limit, perhaps of a size or of spending: an allowance only when it is said to come back. */
const ANY_LIMIT = new RegExp(`${NOT_OF_THE_MOMENT}limit reached`, "i");

/** A stated clock time that passed this short ago is meant itself, not the same time tomorrow: servers lag, ms. */
export const JUST_PASSED_MS = 15 * 60_000;

/** Error texts in Chinese state vendors' own time. */
const VENDOR_ZONE = "Asia/Shanghai";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Names of zones as people write them, summer time or not. */
const ZONES: Readonly<Record<string, string>> = {
  UTC: "UTC",
  GMT: "UTC",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  MST: "America/Denver",
  MDT: "America/Denver",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  EST: "America/New_York",
  EDT: "America/New_York",
  BST: "Europe/London",
  CET: "Europe/Paris",
  CEST: "Europe/Paris",
  JST: "Asia/Tokyo",
  KST: "Asia/Seoul",
};

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

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
  if (isAccountEmpty(text) || !(isNamed || ANY_LIMIT.test(text))) return undefined;
  const resetsAtMs = resetOf(text.replace(/\bat midnight\b/i, "at 12am"), clock);
  // A limit that comes back may mention billing as another way.
  return resetsAtMs === undefined && (!isNamed || mentionsBilling(text)) ? undefined : { resetsAtMs };
}

/** A clock time before a duration: hours may also be named of what was used up. */
function resetOf(text: string, clock: LimitClock): number | undefined {
  return (
    statedEpoch(text) ?? statedDate(text, clock) ?? statedTime(text, clock) ?? statedDuration(text, clock)
  );
}

function statedEpoch(text: string): number | undefined {
  const digits = /(?:\||resets?_?at"?\s*[:=]\s*"?|resets? (?:at )?)(\d{10}|\d{13})\b/i.exec(text)?.[1];
  return digits === undefined ? undefined : epochMs(digits);
}

function epochMs(digits: string): number {
  return Number(digits) * (digits.length <= 10 ? 1_000 : 1);
}

/** `2026-08-25 07:41:44`, `2026-12-01 at 00:00 UTC`, `2026-08-25T07:41:44Z`, `2026-12-01`: its beginning. */
function statedDate(text: string, { timeZone }: LimitClock): number | undefined {
  const found =
    /(\d{4})-(\d\d)-(\d\d)(?:(?:T| at | )(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", zone] = found;
  const local = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 1, d = 1, h = 0, mi = 0, s = 0] = local;
  if (zone !== undefined) {
    const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
    const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
    return Date.UTC(y, mo - 1, d, h, mi, s) - offset * 60_000;
  }
  const vendor = /[\u4e00-\u9fff]/.test(text) ? VENDOR_ZONE : timeZone;
  return inZone({ year: y, month: mo, day: d, hour: h, minute: mi, second: s }, vendor);
}

/** `try again in 2h 5m`, `resets in 3 days`, `retry after 90 seconds`, `"resets_in_seconds": 3600`. */
function statedDuration(text: string, { nowMs }: LimitClock): number | undefined {
  const seconds =
    /(?:(?:resets?_in_seconds|retry[_-]after(?:_seconds)?)"?\s*[:=]\s*"?|retry after )(\d+)\b(?!\s*[a-z])/i.exec(
      text,
    )?.[1];
  if (seconds !== undefined) return nowMs + Number(seconds) * 1_000;
  const said =
    /(?:\bin|after)\s+(?:about\s+)?((?:\d+(?:\.\d+)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])[\s,]*(?:and\s+)?)+)/i.exec(
      text,
    )?.[1];
  if (said === undefined) return undefined;
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)];
  const waitMs = parts.reduce(
    (sum, [, figure, unit]) => sum + Number(figure) * (UNIT_MS[unit?.toLowerCase() ?? ""] ?? 0),
    0,
  );
  return nowMs + waitMs;
}

/**
 * `resets 3am`, `try again at 12:30 p.m. (Europe/Berlin)`, `resets 17:30 PST`, `resets Oct 9, 2026 at 5pm`, `resets Mon 14:00`:
 * the next such moment, or the one that has just passed.
 */
function statedTime(text: string, { nowMs, timeZone }: LimitClock): number | undefined {
  const found =
    /(?:resets?\s+(?:(?:on|at)\s+)?|again\s+(?:on|at|after)\s+)(?:[a-z]{3}[a-z]*,?\s+(?=[a-z]{3}))?(?:([a-z]{3})[a-z]*\.?\s*(?:(\d{1,2})(?:st|nd|rd|th)?)?(?:,?\s+(\d{4})\b)?,?\s+(?:at\s+)?)?(\d{1,2})(?!\d|\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])\b)(?::(\d\d))?(?:\s*([ap]\.?m))?\.?(?:\s*\(([\w/+-]+)\)|\s+([a-z]{3,4})\b)?/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [, name, dayOfMonth, yearText, hourText, minuteText = "0", half, zoneText, short = ""] = found;
  const named = ZONES[(zoneText ?? short).toUpperCase()] ?? fixedZone(zoneText);
  const zone = named !== undefined && isZone(named) ? named : timeZone;
  const hour = hourOf(Number(hourText), half?.toLowerCase().replace(".", ""));
  if (hour === undefined) return undefined;
  const today = partsIn(nowMs, zone);
  const time = { hour, minute: Number(minuteText), second: 0 };
  const month = MONTHS.indexOf(name?.toLowerCase() ?? "");
  if (month >= 0 && dayOfMonth !== undefined) {
    const date = { month: month + 1, day: Number(dayOfMonth), ...time };
    if (yearText !== undefined) return inZone({ year: Number(yearText), ...date }, zone);
    const thisYear = inZone({ year: today.year, ...date }, zone);
    // Said in December of a day in January.
    return thisYear >= nowMs - 180 * 86_400_000 ? thisYear : inZone({ year: today.year + 1, ...date }, zone);
  }
  const weekday = WEEKDAYS.indexOf(name?.toLowerCase() ?? "");
  for (let days = 0; days <= 7; days += 1) {
    const noon = Date.UTC(today.year, today.month - 1, today.day + days, 12);
    const day = new Date(noon);
    if (weekday >= 0 && day.getUTCDay() !== weekday) continue;
    const moment = inZone(
      { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate(), ...time },
      zone,
    );
    if (moment > nowMs - JUST_PASSED_MS) return moment;
  }
  return undefined;
}

/** The name of `UTC+8`, whose sign is the other way round (POSIX); other names stay as they are. */
function fixedZone(name: string | undefined): string | undefined {
  return name?.replace(
    /^(?:UTC|GMT)([+-])0?(\d{1,2})$/i,
    (_all, sign: string, hours: string) => `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`,
  );
}

/** 12am is midnight, 12pm is noon. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "pm" ? 12 : 0);
}

interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

function partsIn(ms: number, timeZone: string | undefined): WallTime {
  const format = new Intl.DateTimeFormat("en-US", {
    ...(timeZone === undefined ? {} : { timeZone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

/** Epoch ms of a wall clock's time in a zone. */
function inZone(wall: WallTime, timeZone: string | undefined): number {
  const asUtc = ({ year, month, day, hour, minute, second }: WallTime): number =>
    Date.UTC(year, month - 1, day, hour, minute, second);
  const wanted = asUtc(wall);
  let guess = wanted;
  // Twice: the first step may land on the other side of a change of summer time.
  for (let step = 0; step < 2; step += 1) guess += wanted - asUtc(partsIn(guess, timeZone));
  return guess;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
