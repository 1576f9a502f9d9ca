/**
 * Why the scripted API refused a request:
 *
 * - `shape`: no JSON, a field or header missing, a value of the wrong type or out of range, a message where it may
 *   not stand, blanks at the end of a final assistant message
 * - `pairing`: tool calls and tool results that do not match, or stand in a request without tools
 * - `emptyText`: an empty text block or a message without content
 * - `thinking`: thinking of the running tool loop dropped or changed
 * - `cacheMarks`: more than four `cache_control` marks, or a longer-lived one behind a shorter
 * - `window`: more input, or input and `max_tokens`, than the window holds
 * - `authentication`: no key, or not the one that `apiKey` demands
 */
export type RefusalKind =
  "shape" | "pairing" | "emptyText" | "thinking" | "cacheMarks" | "window" | "authentication";

/** A request turned down, as the client gets to see it. */
export interface Refusal {
  kind: RefusalKind;
  /** HTTP status. */
  status: number;
  /** The API's error type, e.g. `invalid_request_error`. */
  type: string;
  message: string;
}

/** A refusal with HTTP 400, the API's answer to a request that is wrong in itself. */
export function invalid(kind: RefusalKind, message: string): Refusal {
  return { kind, status: 400, type: "invalid_request_error", message };
}
