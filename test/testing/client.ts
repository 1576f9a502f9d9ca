import { afterEach } from "vitest";
import {
  say,
  startRehearsal,
  type Actor,
  type MessagesBody,
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

export const user = (content: WireMessage["content"]): WireMessage => ({ role: "user", content });
export const assistant = (content: WireMessage["content"]): WireMessage => ({ role: "assistant", content });

/** Sends a body, or a text as it is, to `/v1/messages`. */
export function post(
  rehearsal: Rehearsal,
  body: MessagesBody | string,
  headers: Record<string, string> = { "x-api-key": "any" },
  path = "/v1/messages?beta=true",
): Promise<Response> {
  return fetch(rehearsal.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
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
