import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventLine, type EndLine } from "../../src/core/event-line.ts";
import { lineJsonSchema, lineSchema } from "../../src/core/event-schema.ts";
import type { Event, EventPayloads, EventType } from "../../src/core/events.ts";

const SAMPLES: { [T in EventType]: EventPayloads[T] } = {
  text: { text: "a" },
  thinking: { text: "" },
  prompt: { text: "a", kind: "resume" },
  toolCall: { id: "t", name: "Bash", input: { command: "ls" } },
  toolResult: { id: "t", name: "Bash", text: "a", isError: false, denied: true },
  result: { ok: true, text: "a", costUsd: 0.1, numTurns: 3, durationMs: 12 },
  error: { message: "a", kind: "limit" },
  reset: { reason: "a" },
  system: { message: "a", level: "info" },
  task: { taskId: "t", phase: "progress", description: "a" },
  unknown: { messageType: "a" },
  ask: { id: "q", phase: "asked", question: "a", options: ["x"], timeoutMs: null },
  retry: { attempt: 1, maxAttempts: 6, waitMs: 4_000, reason: "a" },
  step: { phase: "started", name: "work" },
  handoff: { phase: "near", context: 1, window: 2, at: 2, generation: 1 },
  usage: {
    context: 1,
    window: 2,
    at: null,
    costUsd: 0,
    costIsEstimate: false,
    tokens: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
  },
};
const END: EndLine = {
  v: 1,
  type: "end",
  timeMs: 1,
  exitCode: 0,
  status: "done",
  reason: null,
  text: "a",
  next: null,
  error: null,
  runId: null,
  costUsd: null,
  costIsEstimate: null,
  sessionId: null,
  paths: null,
};
const LINES: ReadonlyArray<readonly [string, object]> = [
  ...Object.entries(SAMPLES).map(([type, payload]) => {
    const event = { type, ...payload, runId: "r", step: "work", timeMs: 1 } as Event;
    return [type, eventLine(event, 1)] as const;
  }),
  ["end", END],
];
// What is published, as somebody else's program reads it.
const published = z.fromJSONSchema(lineJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
const takes = (line: object): readonly boolean[] => [
  lineSchema.safeParse(line).success,
  published.safeParse(line).success,
];

describe("the schema of an event line", () => {
  it("is published as it is", async () => {
    await expect(`${JSON.stringify(lineJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      "../../docs/reference/events.schema.json",
    );
    const found: unknown = createRequire(import.meta.url)("flower-agent/events.schema.json");
    expect(found).toEqual(lineJsonSchema());
  });

  it.each(LINES)("takes %s whole, needs each of its fields, and lets later ones through", (_type, line) => {
    expect(lineSchema.parse(line)).toEqual(line);
    expect(takes(line)).toEqual([true, true]);
    expect(takes({ ...line, later: 1 })).toEqual([true, true]);
    for (const field of Object.keys(line)) {
      const lacking = Object.fromEntries(Object.entries(line).filter(([name]) => name !== field));
      expect(takes(lacking), field).toEqual([false, false]);
    }
  });

  it.each([
    ["a type that nobody knows", { type: "other" }],
    ["a version to come", { v: 2 }],
    ["no number", { seq: 0 }],
    ["an agent that is no text", { agentId: null }],
  ])("refuses %s", (_what, wrong) => {
    expect(takes({ ...LINES[0]?.[1], ...wrong })).toEqual([false, false]);
  });
});
