import { FlowerError } from "../core/errors.ts";

/** Where notices go. */
export type NotifyTarget =
  | { kind: "bell" }
  | { kind: "desktop" }
  | { kind: "command"; command: string }
  /** `body`: what the other side reads. */
  | { kind: "webhook"; url: string; body: "json" | "ntfy" | "slack" };

/** Switches off what the configuration says. */
const NONE = "none";

const WAYS = "bell, desktop, command:<shell command>, webhook:<url>, ntfy:<url>, slack:<url>";

/** Commas also stand in commands and addresses: one parts two ways only where the next one begins. */
const BETWEEN = /,(?=\s*(?:(?:bell|desktop|none)\s*(?:,|$)|(?:command|webhook|ntfy|slack):))/;

/** The ways of a line of the configuration, comma-separated. Empty = none. */
export function splitWays(line: string): string[] {
  return line
    .split(BETWEEN)
    .map((way) => way.trim())
    .filter((way) => way !== "");
}

/**
 * Reads `bell`, `desktop`, `command:…`, `webhook:…`, `ntfy:…`, `slack:…` and `none`. Of a webhook, ntfy.sh and Slack are known by
 * their hosts.
 * @throws FlowerError `usage`; it never quotes an address or a command, which may hold a token.
 */
export function notifyTargets(ways: readonly string[]): NotifyTarget[] {
  return ways.filter((way) => way.trim() !== NONE).map(targetOf);
}

function targetOf(way: string): NotifyTarget {
  const [, kind = "", rest] = /^([a-z]*)(?::([^]*))?$/.exec(way.trim()) ?? [];
  const value = rest?.trim() ?? "";
  if (rest === undefined && (kind === "bell" || kind === "desktop")) return { kind };
  if (kind === "command" && value !== "") return { kind, command: value };
  if (kind === "webhook") return { kind, url: address(value, kind), body: bodyOf(value) };
  if (kind === "ntfy" || kind === "slack") return { kind: "webhook", url: address(value, kind), body: kind };
  throw new FlowerError(
    "usage",
    `no way to notify: ${kind === "command" ? "the command is empty" : named(kind)}`,
    {
      nextStep: `the ways are ${WAYS}`,
    },
  );
}

const named = (kind: string): string => (kind === "" ? "it has no name" : kind.slice(0, 20));

function address(value: string, kind: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (isHttp && (kind !== "ntfy" || topicOf(url) !== "")) return value;
  throw new FlowerError(
    "usage",
    `the address behind ${kind}: is ${isHttp ? "without a topic" : "no http or https address"}`,
    {
      nextStep:
        kind === "ntfy" ? "write it as ntfy:https://ntfy.sh/topic" : `write it as ${kind}:https://host/path`,
    },
  );
}

function bodyOf(value: string): "json" | "ntfy" | "slack" {
  const url = new URL(value);
  if (url.hostname === "hooks.slack.com") return "slack";
  return url.hostname === "ntfy.sh" && topicOf(url) !== "" ? "ntfy" : "json";
}

/** The last part of an address's path. */
export function topicOf(url: URL): string {
  return url.pathname.split("/").findLast((part) => part !== "") ?? "";
}

/** A target's name for a person. Of an address the host alone: the rest is as good as a password. */
export function targetName(target: NotifyTarget): string {
  return target.kind === "webhook" ? `webhook (${new URL(target.url).host})` : target.kind;
}
