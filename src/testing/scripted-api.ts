import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { FlowerError } from "../core/errors.ts";
import { Casting } from "./casting.ts";
import type { RehearsalClock } from "./clock.ts";
import { checkHeaders } from "./headers.ts";
import { describeFault, describeMessage, type JournalRow } from "./journal.ts";
import { promptBlocks, type PromptBlock } from "./prompt-blocks.ts";
import { PromptCache } from "./prompt-cache.ts";
import { readBody } from "./read-body.ts";
import type { Refusal } from "./refusal.ts";
import { buildMessage, type ApiMessage } from "./reply-message.ts";
import { viewRequest, type RehearsalRequest } from "./request-view.ts";
import type { ErrorReply, FixedReply, MessageReply, Scenario } from "./scenario.ts";
import { checkForm, checkWindow } from "./strictness.ts";
import { ThinkingRecord } from "./thinking-record.ts";
import type { MessagesBody } from "./wire.ts";

/** What goes back over the wire. */
export type Answer =
  | Exclude<FixedReply, { kind: "message" }>
  | ({ kind: "message"; message: ApiMessage; stream: boolean } & Pick<
      MessageReply,
      "delayMs" | "dropAfterBlocks" | "stallAfterBlocks"
    >);

/** How the scripted API counts and what it lets in. */
export interface ApiOptions {
  scenario: Scenario;
  clock: RehearsalClock;
  inputTokensPerByte: number;
  /** The window of a model in tokens. */
  windowOf: (model: string) => number;
  /** The only key that is let in; undefined lets any in. */
  apiKey: string | undefined;
  keepBodies: boolean;
}

/** The scripted Messages API without its socket: requests in, answers out, everything noted. */
export class ScriptedApi {
  readonly journal: JournalRow[] = [];
  readonly failures: string[] = [];
  readonly #options: ApiOptions;
  readonly #casting: Casting;
  readonly #cache = new PromptCache();
  readonly #thinking = new ThinkingRecord();
  readonly #bodies: string[] = [];
  readonly #run = randomBytes(4).toString("hex");
  #ids = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#casting = new Casting(options.scenario);
  }

  /** Answers `POST /v1/messages`. */
  answer(headers: IncomingHttpHeaders, text: string): Answer {
    const row = this.#newRow(text);
    const { body, refusal } = this.#admit(headers, text);
    if (body === undefined) return this.#refuse(row, refusal);

    const blocks = promptBlocks(body);
    const request = viewRequest(body, headers, this.#tokensOf(blocks.at(-1)?.prefixBytes ?? 0));
    Object.assign(row, this.#describe(request));
    const broken = this.#check(body, request);
    if (broken !== undefined) return this.#refuse(row, broken);

    const { reply, problem } = this.#casting.cue(request);
    if (problem !== undefined) return this.#fail(row, problem);
    if (reply.kind === "message") return this.#perform(row, reply, body, blocks);
    row.status = reply.kind === "error" ? reply.status : null;
    row.reply = describeFault(reply);
    return reply;
  }

  /** Answers `POST /v1/messages/count_tokens`; not in the journal. */
  countTokens(headers: IncomingHttpHeaders, text: string): ErrorReply | { input_tokens: number } {
    const { body, refusal } = this.#admit(headers, text);
    if (body === undefined) return toError(refusal);
    return { input_tokens: this.#tokensOf(promptBlocks(body).at(-1)?.prefixBytes ?? 0) };
  }

  /** The body of a journal row as it came. */
  body(index: number): MessagesBody {
    const text = this.#bodies[index];
    if (text === undefined) {
      const why = this.#options.keepBodies
        ? `there are ${this.journal.length} requests`
        : "keepBodies is off";
      throw new FlowerError("rehearsal", `No body of request ${index}: ${why}.`);
    }
    return JSON.parse(text) as MessagesBody;
  }

  /** Failures so far, and steps that were not played. */
  problems(): string[] {
    return [...this.failures, ...this.#casting.leftovers()];
  }

  #admit(headers: IncomingHttpHeaders, text: string): ReturnType<typeof readBody> {
    const refusal = checkHeaders(headers, this.#options.apiKey);
    return refusal === undefined ? readBody(text) : { refusal };
  }

  #check(body: MessagesBody, request: RehearsalRequest): Refusal | undefined {
    return (
      checkForm(body) ??
      this.#thinking.check(body) ??
      checkWindow(body, request.inputTokens, this.#options.windowOf(body.model))
    );
  }

  #perform(row: JournalRow, reply: MessageReply, body: MessagesBody, blocks: readonly PromptBlock[]): Answer {
    const split = this.#cache.use(blocks, this.#options.clock.now());
    const message = buildMessage(
      reply,
      body.model,
      split,
      (bytes) => this.#tokensOf(bytes),
      (prefix) => this.#nextId(prefix),
    );
    const { delayMs, dropAfterBlocks, stallAfterBlocks } = reply;
    this.#thinking.note(message.content.slice(0, dropAfterBlocks ?? stallAfterBlocks));
    row.cacheRead = message.usage.cache_read_input_tokens;
    row.cacheWrite = message.usage.cache_creation_input_tokens;
    row.cacheWrite1h = message.usage.cache_creation.ephemeral_1h_input_tokens;
    row.outputTokens = message.usage.output_tokens;
    row.reply = describeMessage(message.content, message.stop_reason);
    if (dropAfterBlocks !== undefined) row.reply += `, dropped after ${dropAfterBlocks} blocks`;
    if (stallAfterBlocks !== undefined) row.reply += `, stalled after ${stallAfterBlocks} blocks`;
    return {
      kind: "message",
      message,
      stream: body.stream === true,
      ...(delayMs === undefined ? {} : { delayMs }),
      ...(dropAfterBlocks === undefined ? {} : { dropAfterBlocks }),
      ...(stallAfterBlocks === undefined ? {} : { stallAfterBlocks }),
    };
  }

  #refuse(row: JournalRow, refusal: Refusal): ErrorReply {
    row.refusal = refusal;
    const { expectRefusals } = this.#options.scenario;
    const expected = expectRefusals === true || expectRefusals?.includes(refusal.kind) === true;
    if (!expected)
      this.failures.push(`request ${row.index} was refused (${refusal.kind}): ${refusal.message}`);
    return this.#answerWithError(row, toError(refusal));
  }

  #fail(row: JournalRow, problem: string): ErrorReply {
    this.failures.push(`request ${row.index}: ${problem}`);
    return this.#answerWithError(row, {
      kind: "error",
      status: 400,
      type: "invalid_request_error",
      message: `Rehearsal "${this.#options.scenario.name}": ${problem}`,
    });
  }

  #answerWithError(row: JournalRow, error: ErrorReply): ErrorReply {
    row.status = error.status;
    row.reply = describeFault(error);
    return error;
  }

  #newRow(text: string): JournalRow {
    const row: JournalRow = {
      index: this.journal.length,
      timeMs: this.#options.clock.now(),
      actor: null,
      sessionId: undefined,
      agentId: undefined,
      model: "",
      status: 200,
      inputTokens: 0,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWrite1h: 0,
      outputTokens: 0,
      messageCount: 0,
      lastUserText: "",
      reply: "",
    };
    this.journal.push(row);
    if (this.#options.keepBodies) this.#bodies.push(text);
    return row;
  }

  #describe(request: RehearsalRequest): Partial<JournalRow> {
    const { sessionId, agentId, model, inputTokens, lastUserText } = request;
    const actor = this.#casting.nameOf(request);
    return {
      actor,
      sessionId,
      agentId,
      model,
      inputTokens,
      lastUserText,
      messageCount: request.messages.length,
    };
  }

  #tokensOf(bytes: number): number {
    return Math.ceil(bytes * this.#options.inputTokensPerByte);
  }

  /** Unique over rehearsals as well: a session may go on in another one. */
  #nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#run}${String(this.#ids).padStart(6, "0")}`;
  }
}

function toError({ status, type, message }: Refusal): ErrorReply {
  return { kind: "error", status, type, message };
}
