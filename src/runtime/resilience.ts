import { connect } from "node:net";
import { FlowerError } from "../core/errors.ts";
import { JUST_PASSED_MS } from "./reset-moment.ts";

/** How transient faults are waited out. Public; every field has a default. */
export interface Resilience {
  /** Tries of one step, the first included. Default 6. */
  maxAttempts?: number;
  /** First wait, ms; doubles. Default 4,000. */
  backoffMs?: number;
  /** Longest wait, ms. Default 120,000. */
  maxBackoffMs?: number;
  /** Between two looks at the endpoint, ms. Default 15,000. */
  probeIntervalMs?: number;
  /** The endpoint is given up after this, ms. Default 3,600,000. */
  giveUpMs?: number;
  /**
   * Silence of a stream, while no tool runs, after which the turn is ended and the session resumed, ms; threefold while
   * nothing but subagents run. Default 600,000.
   */
  silenceMs?: number;
  /** Wait until a used-up allowance comes back, however long that takes. Default true. */
  waitLimits?: boolean;
  /** Between two tries when nobody says when it comes back, ms. Default 300,000. */
  limitPollMs?: number;
  /** A wait for a limit ends a third of this to all of it later: servers lag, and many runs come back, ms. Default 30,000. */
  limitJitterMs?: number;
}

/** {@link Resilience} with its defaults filled in. */
export function resolveResilience(option: boolean | Resilience): Required<Resilience> {
  const given = typeof option === "boolean" ? {} : option;
  return {
    maxAttempts: option === false ? 1 : 6,
    backoffMs: 4_000,
    maxBackoffMs: 120_000,
    probeIntervalMs: 15_000,
    giveUpMs: 3_600_000,
    silenceMs: 600_000,
    waitLimits: option !== false,
    limitPollMs: 300_000,
    limitJitterMs: 30_000,
    ...given,
  };
}

/**
 * Wait before try `attempt` (2 = the first repetition): doubling, ±25 % so that many runs do not come back at once.
 * After a 429 the longest one at once: the harness has waited out a `retry-after` of up to a minute by itself, and of a
 * longer one it tells nothing (0.3.332).
 */
export function backoffMs(
  { attempt, status }: { attempt: number; status?: number | undefined },
  resilience: Required<Resilience>,
  random: () => number = Math.random,
): number {
  const doubled = resilience.backoffMs * 2 ** (attempt - 2);
  const plain = status === 429 ? resilience.maxBackoffMs : Math.min(resilience.maxBackoffMs, doubled);
  return Math.round(plain * (0.75 + 0.5 * random()));
}

/** Host and port that a request goes to first: the proxy when one applies, else the endpoint. */
export interface Endpoint {
  host: string;
  port: number;
  viaProxy: boolean;
}

/** The first that is set is used for addresses of either kind (0.3.332). */
const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

const DEFAULT_BASE_URL = "https://api.anthropic.com";

/**
 * Where the harness connects to, from `ANTHROPIC_BASE_URL`, `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
 * @throws FlowerError `credentials` like {@link endpointUrl}.
 */
export function endpoint(env: Readonly<Record<string, string | undefined>>): Endpoint {
  const url = endpointUrl(env);
  const proxy = proxyFor(url, env);
  const target = proxy ?? url;
  return { host: bareHost(target), port: portOf(target), viaProxy: proxy !== undefined };
}

/**
 * The endpoint's address: `ANTHROPIC_BASE_URL`, else the API's own.
 * @throws FlowerError `credentials` when that is no address; it is not in the message, as it may hold a password.
 */
export function endpointUrl(env: Readonly<Record<string, string | undefined>>): URL {
  const address = value(env, "ANTHROPIC_BASE_URL") ?? DEFAULT_BASE_URL;
  if (URL.canParse(address)) return new URL(address);
  throw new FlowerError("credentials", "ANTHROPIC_BASE_URL holds no address", {
    nextStep: "set it to one such as https://gateway.example.com",
  });
}

/** The proxy that requests to an address go through; undefined = none. */
export function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): URL | undefined {
  const proxy = PROXIES.map((name) => value(env, name)).find((found) => found !== undefined);
  const exempt = (value(env, "NO_PROXY") ?? value(env, "no_proxy") ?? "")
    .split(/[\s,]+/)
    .map((host) => host.replace(/^\*?\./, ""))
    .filter((host) => host !== "");
  const withPort = `${url.hostname}:${portOf(url)}`;
  const direct = exempt.some(
    (host) => host === "*" || host === withPort || url.hostname === host || url.hostname.endsWith(`.${host}`),
  );
  if (proxy === undefined || direct) return undefined;
  const address = proxy.includes("://") ? proxy : `http://${proxy}`;
  // Of what is no address there is nothing to wait for; the harness says what it thinks of it.
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** The host of an address as sockets want it: an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** The port of an address, in figures. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function value(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name];
}

/** One look: DNS and a TCP connection, no HTTP, no credentials. */
export async function reachable({ host, port }: Endpoint, timeoutMs = 5_000): Promise<boolean> {
  try {
    return await new Promise((resolve) => {
      // By name: a host may have addresses of both kinds, of which one answers.
      const socket = connect({ host, port });
      const done = (ok: boolean): void => {
        socket.destroy();
        resolve(ok);
      };
      socket.setTimeout(timeoutMs, () => done(false));
      socket.once("connect", () => done(true));
      socket.once("error", () => done(false));
    });
  } catch {
    return false;
  }
}

/** Waits until the endpoint can be reached; false when it was given up or the signal fired. */
export async function waitReachable(
  target: Endpoint,
  resilience: Required<Resilience>,
  signal: AbortSignal,
): Promise<boolean> {
  // Wall clock: a laptop that slept through the wait has waited.
  const deadline = Date.now() + resilience.giveUpMs;
  for (;;) {
    if (await reachable(target)) return true;
    if (signal.aborted || Date.now() >= deadline) return false;
    await pause(resilience.probeIntervalMs, signal);
  }
}

/** Longest single timer: a machine that slept notices soon that the time has come, ms. */
const LOOK_AT_CLOCK_MS = 15_000;

/** How soon to try again when the stated moment has just passed, ms. */
const PASSED_POLL_MS = 30_000;

/** Allowances come back within a month; a moment later than this is a figure misread, perhaps beyond all dates, ms. */
const FURTHEST_MS = 35 * 86_400_000;

/** When to try again after a used-up allowance, epoch ms; a moment that passed long ago or is far off says nothing. */
export function limitOver(
  resetsAtMs: number | undefined,
  resilience: Required<Resilience>,
  nowMs: number,
  random: () => number = Math.random,
): number {
  if (resetsAtMs !== undefined && resetsAtMs > nowMs && resetsAtMs - nowMs < FURTHEST_MS)
    return resetsAtMs + Math.round((resilience.limitJitterMs * (1 + 2 * random())) / 3);
  const passedMs = resetsAtMs === undefined ? -1 : nowMs - resetsAtMs;
  const justPassed = passedMs >= 0 && passedMs < JUST_PASSED_MS;
  const pollMs = justPassed ? Math.min(PASSED_POLL_MS, resilience.limitPollMs) : resilience.limitPollMs;
  return nowMs + Math.round(pollMs * (0.75 + 0.5 * random()));
}

/** Waits until a moment by wall clock; returns early when the signal fires. */
export async function pauseUntil(untilMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = untilMs - Date.now(); leftMs > 0 && !signal.aborted; leftMs = untilMs - Date.now())
    await pause(Math.min(leftMs, LOOK_AT_CLOCK_MS), signal);
}

/** Sleeps; returns early when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
