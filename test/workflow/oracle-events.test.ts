import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Event, EventDraft } from "../../src/core/events.ts";
import { lastEventsOf, newestEventFile, recentEvents } from "../../src/workflow/oracle-events.ts";
import { tempDir } from "../support/rehearse.ts";

const TOKENS = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const event = (draft: EventDraft, step = "work"): Event => ({
  ...draft,
  runId: "r",
  step,
  timeMs: Date.UTC(2030, 0, 2, 3, 4, 5),
});
const text = (said: string): Event => event({ type: "text", text: said });
const gauge = (context: number): Event =>
  event({
    type: "usage",
    context,
    window: 200_000,
    at: 150_000,
    costUsd: 1.234,
    costIsEstimate: false,
    tokens: TOKENS,
  });

describe("recent events", () => {
  it.each<[string, Event, string | undefined]>([
    ["text of a subagent", event({ type: "text", text: "hi", agentId: "a1" }), "work/agent a1: says: hi"],
    [
      "a call",
      event({ type: "toolCall", id: "1", name: "Bash", input: { command: "ls -l" } }),
      'work: calls Bash {"command":"ls -l"}',
    ],
    [
      "a refused call",
      event({ type: "toolResult", id: "1", name: "Bash", text: "no", isError: true, denied: true }),
      "work: Bash was refused: no",
    ],
    [
      "an answered question",
      event({
        type: "ask",
        id: "1",
        phase: "answered",
        question: "which?",
        options: ["a", "b"],
        answer: "b",
        timeoutMs: null,
      }),
      "work: question to the person, answered: which? [a | b] -> b",
    ],
    [
      "a wait for an allowance",
      event({ type: "retry", attempt: 1, maxAttempts: 6, waitMs: 5, reason: "limit", untilMs: 0 }),
      "work: waits until 1970-01-01T00:00:00.000Z: limit",
    ],
    [
      "the end of a step",
      event({ type: "step", phase: "done", name: "work", index: 3, total: 3, costUsd: 0.5 }),
      "work: step work (3 of 3) done, 0.50 USD",
    ],
    [
      "a handoff",
      event({
        type: "handoff",
        phase: "done",
        context: 5,
        window: 9,
        at: 4,
        generation: 1,
        path: "/n/handoff-work.md",
      }),
      "work: handoff done at 5 of 9 tokens: /n/handoff-work.md",
    ],
    [
      "the gauge",
      gauge(7),
      "work: context 7 of 200000 tokens, handoff at 150000, this step has cost 1.23 USD",
    ],
    ["what no step said", event({ type: "system", level: "warning", message: "w" }, ""), "run: warning: w"],
    ["what tells nothing", event({ type: "unknown", messageType: "x" }), undefined],
  ])("%s", (_name, given, line) => {
    expect(recentEvents([given])).toEqual(line === undefined ? [] : [`03:04:05 ${line}`]);
  });

  it("are the last ones in their order, with the gauge's last reading only", () => {
    const events = [text("a"), gauge(1), text("b"), gauge(2), text("c")];
    expect(recentEvents(events).map((line) => line.slice(15, 24))).toEqual([
      "says: a",
      "says: b",
      "context 2",
      "says: c",
    ]);
    expect(recentEvents(events, 2)).toHaveLength(2);
    expect(recentEvents(Array.from({ length: 99 }, (_, i) => text(String(i)))).at(0)).toMatch(/says: 39$/);
  });

  it("are short lines without control sequences, however long or hostile a text is", () => {
    const [line = ""] = recentEvents([text(`\u001b]52;c;eA==\u0007a\nb \u202e${"x".repeat(2 ** 20)}`)]);
    expect(line).toMatch(/^03:04:05 work: says: a b x+…$/);
    expect(line.length).toBe(240);
  });
});

describe("the event file", () => {
  it("that was written last is read from its end, without lines that are cut, damaged or of a newer version", async () => {
    const runDir = await tempDir();
    expect(newestEventFile(runDir)).toBeUndefined();
    const dir = join(runDir, "events");
    await mkdir(dir);
    const row = (said: string, v = 1): string => JSON.stringify({ v, seq: 1, ...text(said) });
    const path = join(dir, "20300101-000000-aaaaaa.jsonl");
    await writeFile(
      path,
      [
        row("x".repeat(2 ** 20)),
        row("kept"),
        "{",
        row("newer", 2),
        "7",
        '{"v":1,"type":"text"}',
        row("last"),
        '{"v":1,"ty',
      ].join("\n"),
    );
    const older = join(dir, "20300102-000000-bbbbbb.jsonl");
    await writeFile(older, row("older"));
    await utimes(older, 1, 1);
    expect(newestEventFile(runDir)).toBe(path);
    expect(recentEvents(lastEventsOf(path)).map((line) => line.slice(21))).toEqual(["kept", "last"]);
  });
});
