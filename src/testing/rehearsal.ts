import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText, FlowerError } from "../core/errors.ts";
import { sendAnswer, sendError, sendJson } from "./answer-writer.ts";
import { runningClock, type RehearsalClock } from "./clock.ts";
import type { JournalRow } from "./journal.ts";
import { apiError, type Scenario } from "./scenario.ts";
import { ScriptedApi } from "./scripted-api.ts";
import type { MessagesBody } from "./wire.ts";

/** How to rehearse. */
export interface RehearsalOptions {
  scenario: Scenario;
  /** Default: the system's clock. */
  clock?: RehearsalClock;
  /** Input tokens for each byte of tools, system and messages. Default 0.25. */
  inputTokensPerByte?: number;
  /**
   * Window of all models in tokens. Default: 200,000 for Haiku 4.5, 1,000,000 for others, as the harness (0.3.332)
   * believes. `max_tokens` must fit in as well, and the harness asks for 64,000 (Haiku 4.5: 32,000) of its own accord.
   */
  contextWindow?: number;
  /** The only key that is let in (others get 401). Default: any, but there must be one. */
  apiKey?: string;
  /** Keep the bodies of requests for {@link Rehearsal.body}. Default true. */
  keepBodies?: boolean;
}

/** A scripted Messages API that is running. */
export interface Rehearsal {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Environment that leads a harness here: `ANTHROPIC_BASE_URL` and a key. */
  env: Readonly<Record<string, string>>;
  clock: RehearsalClock;
  /** Every request to `/v1/messages`, in the order of arrival. */
  journal: readonly JournalRow[];
  /** What went against the scenario or, unexpectedly, against the API's rules. */
  failures: readonly string[];
  /**
   * The parsed body of a journal row.
   * @throws FlowerError `rehearsal` when it was not kept
   */
  body(index: number): MessagesBody;
  /** @throws FlowerError `rehearsal` when there are failures or steps left over */
  assertDone(): void;
  /**
   * Ends all connections, then does as {@link Rehearsal.assertDone} unless `check` is false. Further calls do nothing.
   * @throws FlowerError `rehearsal`
   */
  close(options?: { check?: boolean }): Promise<void>;
}

const DUMMY_KEY = "sk-ant-rehearsal";

/** Starts a scripted Messages API on a free port of 127.0.0.1. */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { scenario, clock = runningClock(), inputTokensPerByte = 0.25, keepBodies = true, apiKey } = options;
  const windowOf = (model: string): number =>
    options.contextWindow ?? (model.includes("haiku-4-5") ? 200_000 : 1_000_000);
  const api = new ScriptedApi({ scenario, clock, inputTokensPerByte, windowOf, apiKey, keepBodies });
  const server = createServer((request, response) => {
    serve(api, request, response).catch((error: unknown) => {
      api.failures.push(`${request.method ?? ""} ${request.url ?? ""}: ${errorText(error)}`);
      request.socket.destroy();
    });
  });
  // Idle connections stay: one that closed just as the client reused it would look like a fault of the play.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const assertDone = (): void => {
    const problems = api.problems();
    if (problems.length === 0) return;
    throw new FlowerError("rehearsal", `Rehearsal "${scenario.name}" failed:\n- ${problems.join("\n- ")}`, {
      nextStep: "Compare the scenario with the journal of the rehearsal.",
      data: { problems },
    });
  };
  let closed = false;
  return {
    url,
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: apiKey ?? DUMMY_KEY },
    clock,
    journal: api.journal,
    failures: api.failures,
    body: (index) => api.body(index),
    assertDone,
    close: async ({ check = true } = {}) => {
      if (closed) return;
      closed = true;
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await ended;
      if (check) assertDone();
    },
  };
}

async function serve(api: ScriptedApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const route = `${request.method ?? ""} ${path}`;
  const text = await readAll(request);
  if (text === undefined) return;
  switch (route) {
    case "POST /v1/messages":
      return sendAnswer(api.answer(request.headers, text), response);
    case "POST /v1/messages/count_tokens": {
      const count = api.countTokens(request.headers, text);
      if ("kind" in count) sendError(count, response);
      else sendJson(200, count, response);
      return;
    }
    case "HEAD /":
    case "GET /":
      response.writeHead(200).end();
      return;
    default:
      api.failures.push(`${route}: the scripted API has no such endpoint`);
      sendError(apiError(404, `Not found: ${route}`), response);
  }
}

/** The body of a request; undefined when the client went away before its end. */
async function readAll(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
