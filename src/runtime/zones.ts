/** A time zone: IANA name, or minutes ahead of UTC; undefined = the system's. */
export type Zone = string | number | undefined;

/**
 * Names of zones as people write them, summer time or not. Not here: those that several countries use for times of
 * their own (CST, IST, AST), of which a guess would be hours off.
 */
const NAMES: Readonly<Record<string, string>> = {
  Z: "UTC",
  UTC: "UTC",
  GMT: "UTC",
  PT: "America/Los_Angeles",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  PACIFIC: "America/Los_Angeles",
  MT: "America/Denver",
  MST: "America/Denver",
  MDT: "America/Denver",
  MOUNTAIN: "America/Denver",
  CT: "America/Chicago",
  CDT: "America/Chicago",
  CENTRAL: "America/Chicago",
  ET: "America/New_York",
  EST: "America/New_York",
  EDT: "America/New_York",
  EASTERN: "America/New_York",
  BST: "Europe/London",
  WET: "Europe/Lisbon",
  CET: "Europe/Paris",
  CEST: "Europe/Paris",
  EET: "Europe/Athens",
  EEST: "Europe/Athens",
  BEIJING: "Asia/Shanghai",
  CHINA: "Asia/Shanghai",
  SGT: "Asia/Singapore",
  HKT: "Asia/Hong_Kong",
  JST: "Asia/Tokyo",
  KST: "Asia/Seoul",
};

const OFFSET =
  /^\s*\(?\s*(?:(?:UTC|GMT)\s*([+\-−])\s*(\d{1,2})(?::?(\d\d))?|([+\-−])(\d\d)(?::?(\d\d))?)(?!\d|[-/]\d|\s*[ap]\.?m)/i;
/** `Pacific Time`, `Eastern Daylight Time`. */
const NAMED_TIME = /^\s*\(?\s*([a-z]+)(?:\s+(?:standard|daylight|summer))?\s+time\b/i;
const IANA = /^\s*\(?\s*([a-z]+(?:\/[\w+-]+)+)/i;
const IN_BRACKETS = /^\s*\(\s*([a-z][\w:-]*)\s*\)/i;
const CAPITALS = /^\s*\(?\s*(Z|[A-Z]{2,5})\b/;
/** Mostly no zone at all. */
const SMALL = /^\s*([a-z]{3,4})\b/;

/** The reader's own time, in words. */
const OWN = /^(?:local|your)$/i;

/**
 * The zone that a text begins with, right behind a time.
 * @param own for a time without one.
 * @returns `unknown` for a zone that is named and cannot be told.
 */
export function zoneBehind(text: string, own: Zone): { zone: Zone } | "unknown" {
  const offset = OFFSET.exec(text);
  if (offset !== null) {
    const [sign, hours, minutes = "0"] = offset.slice(offset[1] === undefined ? 4 : 1);
    return { zone: (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) };
  }
  const name = (NAMED_TIME.exec(text) ??
    IANA.exec(text) ??
    IN_BRACKETS.exec(text) ??
    CAPITALS.exec(text))?.[1];
  const zone = NAMES[(name ?? SMALL.exec(text)?.[1] ?? "").toUpperCase()];
  if (zone !== undefined) return { zone };
  if (name === undefined || OWN.test(name)) return { zone: own };
  return name.includes("/") && isZone(name) ? { zone: name } : "unknown";
}

/** What a clock on a wall shows; months from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const asUtc = ({ year, month, day, hour, minute, second }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** What a wall clock in a zone shows at a moment, epoch ms. */
export function wallTime(ms: number, zone: Zone): WallTime {
  const offsetMs = typeof zone === "number" ? zone * 60_000 : 0;
  const format = new Intl.DateTimeFormat("en-US", {
    ...(zone === undefined ? {} : { timeZone: typeof zone === "number" ? "UTC" : zone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = new Map(format.formatToParts(ms + offsetMs).map(({ type, value }) => [type, Number(value)]));
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
export function momentOf(wall: WallTime, zone: Zone): number {
  const wanted = asUtc(wall);
  let guess = wanted;
  // Twice: the first step may land on the other side of a change of summer time.
  for (let step = 0; step < 2; step += 1) guess += wanted - asUtc(wallTime(guess, zone));
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
