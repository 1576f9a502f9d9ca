import { z } from "zod";
import { EVENT_LINE_VERSION, type EndLine, type EventLine } from "./event-line.ts";
import type { EventPayloads, EventType } from "./events.ts";

/** A schema for each field: none missing, none too many, and optional where the type says so. */
type Fields<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? z.ZodExactOptional<z.ZodType<T[K]>>
    : z.ZodType<T[K]>;
};

const v = z.literal(EVENT_LINE_VERSION);
const text = z.string();
const flag = z.boolean();
const amount = z.number().nonnegative();
const count = z.int().nonnegative();
const maybeText = text.exactOptional();
const maybeAmount = amount.exactOptional();
const maybeCount = count.exactOptional();

/** Beside the types of `events.ts`, which do not compile with a field that is missing here. */
const PAYLOADS: { readonly [T in EventType]: Fields<EventPayloads[T]> } = {
  text: { text },
  thinking: { text },
  prompt: { text, kind: z.enum(["start", "resume", "round", "handoff", "task"]) },
  toolCall: { id: text, name: text, input: z.record(text, z.unknown()), agentType: maybeText },
  toolResult: { id: text, name: text, text, isError: flag, denied: flag },
  result: { ok: flag, text, costUsd: amount, numTurns: count, durationMs: amount },
  error: {
    message: text,
    kind: z.enum(["fatal", "transient", "limit", "unknown", "overflow", "store", "degraded"]),
  },
  reset: { reason: text },
  system: { message: text, level: z.enum(["info", "warning"]) },
  task: {
    taskId: text,
    phase: z.enum(["started", "progress", "done", "failed", "stopped"]),
    description: text,
  },
  unknown: { messageType: text },
  ask: {
    id: text,
    phase: z.enum(["asked", "answered", "skipped", "timeout", "quota", "nobody"]),
    question: text,
    options: z.array(text),
    answer: maybeText,
    timeoutMs: amount.nullable(),
    permission: z.literal(true).exactOptional(),
  },
  retry: { attempt: count, maxAttempts: count, waitMs: amount, reason: text, untilMs: maybeAmount },
  step: {
    phase: z.enum(["started", "skipped", "done", "failed", "interrupted"]),
    name: text,
    index: maybeCount,
    total: maybeCount,
    costUsd: maybeAmount,
    numTurns: maybeCount,
    durationMs: maybeAmount,
    note: maybeText,
  },
  handoff: {
    phase: z.enum(["near", "writing", "done"]),
    context: amount,
    window: amount,
    at: amount,
    generation: count,
    degraded: flag.exactOptional(),
    path: text.nullable().exactOptional(),
    sections: z.object({ doing: text, decided: text, deadEnds: text, next: text }).exactOptional(),
  },
  usage: {
    context: amount,
    window: amount,
    at: amount.nullable(),
    costUsd: amount,
    costIsEstimate: flag,
    tokens: z.object({ input: amount, cacheRead: amount, cacheWrite: amount, output: amount }),
  },
};

const END: Fields<Omit<EndLine, "type">> = {
  v,
  timeMs: amount,
  exitCode: count,
  status: z.enum(["done", "stopped", "failed", "interrupted"]),
  reason: text.nullable(),
  text: text.nullable(),
  next: text.nullable(),
  error: z.object({ code: text.nullable(), message: text, nextStep: text.nullable() }).nullable(),
  runId: text.nullable(),
  costUsd: amount.nullable(),
  costIsEstimate: flag.nullable(),
  sessionId: text.nullable(),
  paths: z.object({ workspace: text, documents: text, manifest: text, events: text }).nullable(),
};

const eventLines = new Map(
  Object.entries(PAYLOADS).map(([type, payload]) => [
    type,
    z
      .object({
        v,
        seq: z.int().positive(),
        type: z.literal(type),
        ...payload,
        runId: text,
        step: text,
        agentId: maybeText,
        timeMs: amount,
      })
      .meta({ title: `${type} event` }),
  ]),
);
const endLine = z.object({ ...END, type: z.literal("end") }).meta({ title: "end of the command" });

/**
 * A line of `events/<run>.jsonl` and of `--json`. Fields may be added in later versions, so unknown ones are let
 * through; they are not in what it returns.
 */
export const lineSchema = z.union([...eventLines.values(), endLine]) as z.ZodType<EventLine | EndLine>;

/** The part of {@link lineSchema} for events of one type; undefined for a type that this version does not know. */
export function eventLineSchema(type: string): z.ZodType<EventLine> | undefined {
  return eventLines.get(type) as z.ZodType<EventLine> | undefined;
}

/** The same as JSON Schema (draft 2020-12), as it is published. */
export function lineJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(lineSchema, { io: "input" });
  return { $schema, title: "A line of flower --json and of events/<run>.jsonl", ...schema };
}
