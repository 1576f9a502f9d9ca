import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect as tlsConnect } from "node:tls";
import type { Duplex } from "node:stream";
import { errorText } from "../core/errors.ts";
import { readReply, type Trial } from "./trial-reply.ts";
import { bareHost, endpointUrl, portOf, proxyFor } from "./resilience.ts";

/** Cheapest of the names that Anthropic's endpoint knows; asked for when no model is set. */
const CHEAP_MODEL = "claude-haiku-4-5";
/** A local model may have to be loaded first, ms. */
const TIMEOUT_MS = 60_000;
/** More of a reply tells nothing, bytes. */
const MAX_REPLY_BYTES = 64 * 1024;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Asks the endpoint for one token, as the harness would, through the same proxies, and says what came back. Never throws.
 * @param env with the credentials put in.
 * @param options `timeoutMs` for the whole, default 60,000.
 */
export async function tryEndpoint(env: Env, { timeoutMs = TIMEOUT_MS } = {}): Promise<Trial> {
  const model = trialModel(env);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const body = JSON.stringify({ model, max_tokens: 1, messages: [{ role: "user", content: "hi" }] });
    const reply = await post(messagesUrl(endpointUrl(env)), { env, body, signal: controller.signal });
    return "kind" in reply ? reply : readReply({ ...reply, model });
  } catch (error) {
    if (controller.signal.aborted) return { kind: "silent", seconds: Math.round(timeoutMs / 1_000) };
    const { code = "" } = error as NodeJS.ErrnoException;
    const detail = code === "" ? errorText(error) : code;
    return { kind: CERTIFICATE.test(code) ? "certificate" : "unreachable", detail };
  } finally {
    clearTimeout(timer);
  }
}

/** Codes of Node for a certificate that it does not trust. */
const CERTIFICATE = /CERT|UNABLE_TO_|ERR_TLS_/;

/** The name to ask for: that of the environment without the harness's `[1m]`, and no alias that only the harness knows. */
export function trialModel(env: Env): string {
  const name = (env["ANTHROPIC_MODEL"] ?? "").replace(/\[1m\]$/i, "");
  const alias = /^(?:opus|sonnet|haiku)$/i.test(name)
    ? env[`ANTHROPIC_DEFAULT_${name.toUpperCase()}_MODEL`]
    : name;
  const chosen = (alias ?? "").replace(/\[1m\]$/i, "");
  return chosen === "" || /^(?:default|opusplan)$/i.test(chosen) ? CHEAP_MODEL : chosen;
}

function messagesUrl(base: URL): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/messages`;
  return url;
}

interface Reply {
  status: number;
  location: string | undefined;
  body: string;
}

async function post(
  url: URL,
  { env, body, signal }: { env: Env; body: string; signal: AbortSignal },
): Promise<Reply | Trial> {
  const proxy = proxyFor(url, env);
  const headers = {
    // Through a tunnel Node would add port 80 to it (20.20).
    host: url.host,
    ...credentialHeaders(env),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "anthropic-version": "2023-06-01",
  };
  if (url.protocol === "http:") {
    if (proxy === undefined) return answer(httpRequest(url, { method: "POST", headers, signal }), body);
    const through = {
      ...addressOf(proxy),
      path: url.href,
      headers: { ...headers, ...proxyHeaders(proxy) },
    };
    return answer(requestOver(proxy)({ ...through, method: "POST", signal }), body);
  }
  if (proxy === undefined) return answer(httpsRequest(url, { method: "POST", headers, signal }), body);
  const tunnel = await connectThrough(proxy, url, signal);
  if ("kind" in tunnel) return tunnel;
  const createConnection = () => tlsConnect({ socket: tunnel.socket, servername: bareHost(url) });
  return answer(httpsRequest(url, { method: "POST", headers, signal, createConnection }), body);
}

function credentialHeaders(env: Env): Record<string, string> {
  const { ANTHROPIC_API_KEY: key = "", ANTHROPIC_AUTH_TOKEN: token = "" } = env;
  return {
    ...(key === "" ? {} : { "x-api-key": key }),
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
  };
}

const requestOver = (url: URL): typeof httpRequest =>
  url.protocol === "https:" ? httpsRequest : httpRequest;

const addressOf = (url: URL): RequestOptions => ({ host: bareHost(url), port: portOf(url) });

function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function connectThrough(
  proxy: URL,
  url: URL,
  signal: AbortSignal,
): Promise<{ socket: Duplex } | Trial> {
  const path = `${url.hostname}:${portOf(url)}`;
  const options = {
    ...addressOf(proxy),
    method: "CONNECT",
    path,
    headers: { host: path, ...proxyHeaders(proxy) },
    signal,
  };
  return new Promise((resolve, reject) => {
    requestOver(proxy)(options)
      .once("error", reject)
      .once("connect", ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) {
          resolve({ socket });
          return;
        }
        socket.destroy();
        resolve({ kind: "proxyRefuses", status: statusCode });
      })
      .end();
  });
}

async function answer(sent: ReturnType<typeof httpRequest>, body: string): Promise<Reply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("error", reject).once("response", resolve).end(body);
  });
  let text = "";
  for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    // Leaving the loop ends the connection.
    if (text.length > MAX_REPLY_BYTES) break;
  }
  return { status: response.statusCode ?? 0, location: response.headers.location, body: text };
}
