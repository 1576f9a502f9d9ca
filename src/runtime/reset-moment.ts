import { momentOf, wallTime, zoneBehind, type WallTime, type Zone } from "./zones.ts";

/** What times in error texts are read against. */
export interface LimitClock {
  nowMs: number;
  /** IANA name for times without a zone; default: the system's. */
  timeZone?: string;
}

/** A stated clock time that passed this short ago is meant itself, not the same time tomorrow: servers lag, ms. */
export const JUST_PASSED_MS = 15 * 60_000;

/** Error texts in Chinese state vendors' own time. */
const VENDOR_ZONE = "Asia/Shanghai";

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Behind these words stands when it comes back; a moment anywhere else is that of the request or of what was used. */
const COMES_BACK =
  /\bresets?(?:ting)?(?![a-z])|\bresets?(?=At)|\brenew(?:s|ed|al)?\b|\brefresh(?:es)?\b|\b(?:try|come|back|use it) again\b|\bagain\b|\bretry(?![a-z])|\bavailable\b|\baccess\b|\buntil\b|(?:将|请)(?:在|于)|重置时间/gi;
/** What may stand between. */
const FILLER =
  /^["'\s_:=\-–—·(]*(?:(?:will be|again|back|daily|time|date|on|at|by|after|is|from|为|是)(?![a-z])["'\s_:：=(]*)*/i;

/**
 * When an allowance comes back, by the words of an error, epoch ms.
 * @returns undefined when it is not said, or cannot be told: a date that each country reads its own way, a zone of
 * unknown name.
 */
export function resetMoment(text: string, clock: LimitClock): number | undefined {
  const said = text.replace(/\bmidnight\b/gi, "12am").replace(/\bnoon\b/gi, "12pm");
  const tails = [...said.matchAll(COMES_BACK)].map(({ 0: cue, index }) => said.slice(index + cue.length));
  const own: Zone = /[\u4e00-\u9fff]/.test(text) ? VENDOR_ZONE : clock.timeZone;
  const moments = tails.map((tail) => tail.replace(FILLER, ""));
  return (
    epochBehindBar(text) ??
    first(moments, statedEpoch) ??
    first(moments, (tail) => statedTime(tail, clock.nowMs, own)) ??
    durationOf(said, tails, clock.nowMs)
  );
}

function first<T>(texts: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Epoch ms of a figure in seconds or milliseconds. */
export function epochMs(digits: string): number {
  return Number(digits) * (digits.length <= 10 ? 1_000 : 1);
}

/** `usage limit reached|1788625200` */
function epochBehindBar(text: string): number | undefined {
  const digits = /\|(\d{10}|\d{13})\b/.exec(text)?.[1];
  return digits === undefined ? undefined : epochMs(digits);
}

function statedEpoch(tail: string): number | undefined {
  const digits = /^(\d{10}|\d{13})\b/.exec(tail)?.[1];
  return digits === undefined ? undefined : epochMs(digits);
}

/** `resets_in_seconds: 3600`, `retry after 90`, `try again in 2h 5m`, `resets in about 3 days`. */
function durationOf(text: string, tails: readonly string[], nowMs: number): number | undefined {
  const seconds =
    /(?:(?:resets?_in_seconds|retry[_-]after(?:_seconds)?)"?\s*[:=]\s*"?|retry after )(\d+)\b(?!\s*[a-z])/i.exec(
      text,
    )?.[1];
  if (seconds !== undefined) return nowMs + Number(seconds) * 1_000;
  return first(tails, (tail) => statedDuration(tail, nowMs));
}

function statedDuration(tail: string, nowMs: number): number | undefined {
  const said =
    /^["'\s_:=-]*(?:again\s+)?(?:in|after)["'\s:=]+(?:about\s+)?((?:\d+(?:\.\d+)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])[\s,]*(?:and\s+)?)+)/i.exec(
      tail,
    )?.[1];
  if (said === undefined) return undefined;
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)];
  const waitMs = parts.reduce(
    (sum, [, figure, unit]) => sum + Number(figure) * (UNIT_MS[unit?.toLowerCase() ?? ""] ?? 0),
    0,
  );
  return nowMs + waitMs;
}

/** A day as it is written; without one the next time that the clock shows the hour. */
interface Day {
  year?: number;
  month?: number;
  day?: number;
  /** 0 = Sunday. */
  weekday?: number;
}

const MONTH = `(${MONTHS.join("|")})[a-z]*\\.?`;
const WEEKDAY =
  "(sun(?:day)?|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?)";
const NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]|\\s*[ap]\\.?m)";
const YEAR = "(?:,?\\s+(\\d{4})(?![\\d:]))?";

const ISO_DATE = /^(\d{4})([-/])(\d\d?)\2(\d\d?)(?!\d)/;
const MONTH_DAY = new RegExp(`^(?:${WEEKDAY}\\.?,?\\s+)?${MONTH}\\s*${NUMBER}${YEAR}`, "i");
const DAY_MONTH = new RegExp(`^(?:${WEEKDAY}\\.?,?\\s+)?${NUMBER}\\.?\\s*${MONTH}${YEAR}`, "i");
const WEEKDAY_ALONE = new RegExp(`^${WEEKDAY}\\b\\.?`, "i");
const BEFORE_TIME = /^(?:T|,?\s+(?:at\s+)?)/i;
/** With minutes or a half of the day: a figure alone may be anything. */
const TIME =
  /^(\d{1,2})(?:(?::(\d\d))(?::(\d\d)(?:\.\d+)?)?(?:\s*([ap])\.?m\b\.?)?|\s*([ap])\.?m\b\.?)(?![\d:])/i;

/** `3am`, `12:30 p.m. (Europe/Berlin)`, `Oct 9, 2026 at 5pm`, `3 Dec 09:00 UTC+8`, `Mon 14:00`, `2026-08-25T07:41:44Z`. */
function statedTime(tail: string, nowMs: number, own: Zone): number | undefined {
  const date = dateOf(tail);
  const rest = date === undefined ? tail : date.rest.replace(BEFORE_TIME, "");
  const [clock, hours, minutes = "0", seconds = "0", half, halfAlone] = TIME.exec(rest) ?? [];
  // Of a date its beginning; of a weekday that would be next week's, once it has begun.
  if (clock === undefined && date?.day.day === undefined) return undefined;
  const hour = clock === undefined ? 0 : hourOf(Number(hours), (half ?? halfAlone)?.toLowerCase());
  const behind = zoneBehind(clock === undefined ? (date?.rest ?? "") : rest.slice(clock.length), own);
  if (hour === undefined || behind === "unknown") return undefined;
  return nextMoment(
    date?.day ?? {},
    { hour, minute: Number(minutes), second: Number(seconds) },
    nowMs,
    behind.zone,
  );
}

function dateOf(text: string): { day: Day; rest: string } | undefined {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) {
    const [all, year, , month, day] = iso;
    const read = { year: Number(year), month: Number(month), day: Number(day) };
    return { day: read, rest: text.slice(all.length) };
  }
  const monthDay = MONTH_DAY.exec(text);
  const dayMonth = monthDay === null ? DAY_MONTH.exec(text) : null;
  const written = monthDay ?? dayMonth;
  if (written !== null) {
    const [all, , one, other, year] = written;
    const [month = "", day] = monthDay === null ? [other, one] : [one, other];
    const read = { month: MONTHS.indexOf(month.toLowerCase()) + 1, day: Number(day) };
    const withYear = year === undefined ? read : { ...read, year: Number(year) };
    return { day: withYear, rest: text.slice(all.length) };
  }
  const [all = "", name] = WEEKDAY_ALONE.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { day: { weekday: WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) }, rest: text.slice(all.length) };
}

/** A day without a year may be February 29th. */
const LEAP_YEAR = 2024;

/** 0 for what is no month. */
function daysIn(year: number, month: number): number {
  return month < 1 || month > 12 ? 0 : new Date(Date.UTC(year, month, 0)).getUTCDate();
}

type Clock = Pick<WallTime, "hour" | "minute" | "second">;

/** The next such moment, or the one that has just passed; of a whole date that moment. */
function nextMoment(
  { year, month, day, weekday }: Day,
  clock: Clock,
  nowMs: number,
  zone: Zone,
): number | undefined {
  const today = wallTime(nowMs, zone);
  if (month !== undefined && day !== undefined) {
    if (day < 1 || day > daysIn(year ?? LEAP_YEAR, month)) return undefined;
    if (year !== undefined) return momentOf({ year, month, day, ...clock }, zone);
    const thisYear = momentOf({ year: today.year, month, day, ...clock }, zone);
    // Said in December of a day in January.
    return thisYear >= nowMs - 180 * DAY_MS
      ? thisYear
      : momentOf({ year: today.year + 1, month, day, ...clock }, zone);
  }
  for (let days = 0; days <= 7; days += 1) {
    const at = new Date(Date.UTC(today.year, today.month - 1, today.day + days, 12));
    if (weekday !== undefined && at.getUTCDay() !== weekday) continue;
    const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
    const moment = momentOf({ ...date, ...clock }, zone);
    if (moment > nowMs - JUST_PASSED_MS) return moment;
  }
  return undefined;
}

/** 12am is midnight, 12pm is noon. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "p" ? 12 : 0);
}
