import { afterEach, expect } from "vitest";
import {
  say,
  startRehearsal,
  type Actor,
  type MessagesBody,
  type RefusalKind,
  type Rehearsal,
  type RehearsalOptions,
  type Reply,
  type Usage,
  type WireMessage,
} from "../../src/testing/index.ts";

const open: Rehearsal[] = [];

/** Closes what a test left open. Call once at the top of a test file. */
export function closeRehearsalsAfterEach(): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((rehearsal) => rehearsal.close({ check: false })));
  });
}

/** A rehearsal of a scenario, or of one actor who takes every request and without a script always says "ok". */
export async function rehearse(
  script?: readonly Reply[],
  options: Partial<RehearsalOptions> = {},
): Promise<Rehearsal> {
  const all: Actor = { name: "all", when: () => true, script: script ?? (() => say("ok")) };
  const rehearsal = await startRehearsal({ scenario: { name: "test", actors: [all] }, ...options });
  open.push(rehearsal);
  return rehearsal;
}

/** A request body around messages. */
export function bodyOf(messages: WireMessage[], more: Partial<MessagesBody> = {}): MessagesBody {
  return { model: "claude-opus-5", max_tokens: 100, messages, ...more };
}

/** A tool as a request offers it. */
export const toolOf = (name: string, more: object = {}): Record<string, unknown> => ({
  name,
  input_schema: { type: "object", properties: {} },
  ...more,
});

/** A request body around messages that hold calls of `Bash` and their results. */
export function loopOf(messages: WireMessage[], more: Partial<MessagesBody> = {}): MessagesBody {
  return bodyOf(messages, { tools: [toolOf("Bash")], ...more });
}

export const user = (content: WireMessage["content"]): WireMessage => ({ role: "user", content });
export const assistant = (content: WireMessage["content"]): WireMessage => ({ role: "assistant", content });

/** What every client of the API sends along. */
export const CLIENT_HEADERS = { "content-type": "application/json", "anthropic-version": "2023-06-01" };

type HeaderChanges = Record<string, string | undefined>;

/** Sends a body, or a text as it is, to `/v1/messages`. A header set to undefined is left out. */
export function post(
  rehearsal: Rehearsal,
  body: MessagesBody | string,
  headers: HeaderChanges = { "x-api-key": "any" },
  path = "/v1/messages?beta=true",
): Promise<Response> {
  const all: HeaderChanges = { ...CLIENT_HEADERS, ...headers };
  return fetch(rehearsal.url + path, {
    method: "POST",
    headers: Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** What an answer of the scripted API may hold. */
export interface AnswerJson {
  type: string;
  content?: Array<{ type: string; [field: string]: unknown }>;
  stop_reason?: string;
  usage?: Usage;
  error?: { type: string; message: string };
  request_id?: string;
  input_tokens?: number;
}

/** Sends a body and reads the JSON answer. */
export async function ask(rehearsal: Rehearsal, body: MessagesBody): Promise<AnswerJson> {
  return (await (await post(rehearsal, body)).json()) as AnswerJson;
}

/** Sends a body that must be refused with 400, in the API's form and with a row in the journal. */
export async function expectRefusal(
  body: MessagesBody | string,
  kind: RefusalKind,
  message: RegExp,
  headers?: HeaderChanges,
): Promise<void> {
  const rehearsal = await rehearse([]);
  const response = await post(rehearsal, body, headers);

  expect(response.status).toBe(400);
  const json = (await response.json()) as {
    type: string;
    error: { type: string; message: string };
    request_id: string;
  };
  expect(json).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
  expect(json.error.message).toMatch(message);
  expect(json.request_id).toBe(response.headers.get("request-id"));
  expect(rehearsal.journal[0]).toMatchObject({ status: 400, refusal: { kind, message: json.error.message } });
  expect(rehearsal.failures).toEqual([expect.stringContaining(json.error.message)]);
}
