import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorReply } from "./scenario.ts";
import type { Answer } from "./scripted-api.ts";
import { streamText } from "./sse.ts";

/** Plays an answer over the wire, faults of the connection included. */
export async function sendAnswer(answer: Answer, response: ServerResponse): Promise<void> {
  if (answer.kind === "hang") return;
  // Not to keep a process alive that has closed its rehearsal in the meantime.
  if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { ref: false });
  if (answer.kind === "drop") response.socket?.destroy();
  else if (answer.kind === "error") sendError(answer, response);
  else sendMessage(answer, response);
}

/** An error in the API's form, with an id for the request in header and body. */
export function sendError({ status, type, message, headers }: ErrorReply, response: ServerResponse): void {
  const requestId = newRequestId();
  const body = { type: "error", error: { type, message }, request_id: requestId };
  sendJson(status, body, response, { "request-id": requestId, ...headers });
}

/** A whole JSON answer. */
export function sendJson(
  status: number,
  body: unknown,
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function sendMessage(
  { message, stream, dropAfterBlocks, stallAfterBlocks }: Extract<Answer, { kind: "message" }>,
  response: ServerResponse,
): void {
  const type = stream ? "text/event-stream" : "application/json";
  const blocks = dropAfterBlocks ?? stallAfterBlocks;
  const text = stream ? streamText(message, blocks) : JSON.stringify(message);
  response.writeHead(200, { "content-type": type, "request-id": newRequestId() });
  if (blocks === undefined) {
    response.end(text);
    return;
  }
  // Without streaming no block arrives by itself: half of the JSON goes out.
  response.write(stream ? text : text.slice(0, text.length / 2), () => {
    if (dropAfterBlocks !== undefined) response.destroy();
  });
}

function newRequestId(): string {
  return `req_${randomBytes(8).toString("hex")}`;
}
