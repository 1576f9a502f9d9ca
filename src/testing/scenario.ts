import type { RefusalKind } from "./refusal.ts";
import type { RehearsalRequest } from "./request-view.ts";

/** What the scripted model writes; ids and signatures are added when it is sent. */
export type ReplyBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; name: string; input: Readonly<Record<string, unknown>> };

/** Token figures as the API reports them. */
export interface Usage {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  output_tokens: number;
}

/** A message of the model. Made by {@link say}, {@link think}, {@link call}, {@link together}. */
export interface MessageReply {
  kind: "message";
  content: readonly ReplyBlock[];
  /** Default: `tool_use` when there is a tool call, else `end_turn`. */
  stopReason?: string;
  /** Put over the counted figures. */
  usage?: Partial<Usage>;
  /** Wait before the answer begins. Default 0. */
  delayMs?: number;
  /** Destroy the socket once this many blocks are out, in the middle of the message. */
  dropAfterBlocks?: number;
  /** Send nothing more once this many blocks are out; the connection stays open. */
  stallAfterBlocks?: number;
}

/** An error of the API. Made by {@link apiError}. */
export interface ErrorReply {
  kind: "error";
  /** HTTP status. */
  status: number;
  /** The API's error type, e.g. `overloaded_error`. */
  type: string;
  message: string;
  /** e.g. `{ "retry-after": "2" }`. */
  headers?: Readonly<Record<string, string>>;
  delayMs?: number;
}

/** The socket is destroyed before any header. Made by {@link drop}. */
export interface DropReply {
  kind: "drop";
  delayMs?: number;
}

/** Never answered; the connection stays open until the client or the rehearsal closes it. Made by {@link hang}. */
export interface HangReply {
  kind: "hang";
}

/** An answer that is settled. */
export type FixedReply = MessageReply | ErrorReply | DropReply | HangReply;

/** One step of a script: an answer, or a function that makes it from the request. */
export type Reply = FixedReply | ((request: RehearsalRequest) => FixedReply);

/** One of those who speak to the model: the main thread, a kind of subagent, a judge. */
export interface Actor {
  /** For the journal and for error messages. */
  name: string;
  /** Whether a request is this actor's; the first actor of the scenario that says so has it. Must have no effects. */
  when: (request: RehearsalRequest) => boolean;
  /**
   * A list is used up in order, over all sessions and retries of the actor; what is left over fails the rehearsal.
   * A function may answer any number of times; `undefined` means that it does not know the request.
   */
  script: readonly Reply[] | ((request: RehearsalRequest) => FixedReply | undefined);
}

/** A whole play. */
export interface Scenario {
  name: string;
  actors: readonly Actor[];
  /** Refusals that belong to the play (all, or those of these kinds) and are no failure. Default: none. */
  expectRefusals?: true | readonly RefusalKind[];
}

/** The model writes text. */
export function say(text: string): MessageReply {
  return { kind: "message", content: [{ type: "text", text }] };
}

/** The model thinks; put it before text or calls with {@link together}. */
export function think(thinking: string): MessageReply {
  return { kind: "message", content: [{ type: "thinking", thinking }] };
}

/** The model calls a tool. Several calls put {@link together} are parallel. */
export function call(name: string, input: Readonly<Record<string, unknown>>): MessageReply {
  return { kind: "message", content: [{ type: "tool_use", name, input }] };
}

/** One message of several parts, in this order. Other settings of later parts win. */
export function together(...parts: readonly MessageReply[]): MessageReply {
  const content = parts.flatMap((part) => part.content);
  return parts.reduce<MessageReply>((whole, part) => ({ ...whole, ...part, content }), {
    kind: "message",
    content,
  });
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The API answers with an error. Its `type` defaults to the one that belongs to the status, else `api_error`. */
export function apiError(
  status: number,
  message: string,
  options: { type?: string; headers?: Readonly<Record<string, string>>; delayMs?: number } = {},
): ErrorReply {
  return {
    kind: "error",
    status,
    message,
    ...options,
    type: options.type ?? ERROR_TYPES[status] ?? "api_error",
  };
}

/** The connection breaks before an answer. */
export function drop(): DropReply {
  return { kind: "drop" };
}

/** No answer ever comes. */
export function hang(): HangReply {
  return { kind: "hang" };
}
