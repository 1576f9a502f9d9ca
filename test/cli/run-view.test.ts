import { describe, expect, it } from "vitest";
import { foldEvents, type RunView } from "../../src/cli/run-view.ts";
import type { EventDraft } from "../../src/core/events.ts";
import { NO_TOKENS } from "../../src/core/tokens.ts";

const STARTED: EventDraft = { type: "step", phase: "started", name: "work", index: 3, total: 3 };
const START: EventDraft = { type: "prompt", kind: "start", text: "do it" };
const FAULT: EventDraft = { type: "retry", attempt: 2, maxAttempts: 6, waitMs: 5_000, reason: "529" };
const ASKED: EventDraft = {
  type: "ask",
  id: "ask-1",
  phase: "asked",
  question: "Red?\u001b[2J",
  options: ["yes", "no"],
  timeoutMs: 60_000,
};
const AGENT: EventDraft = {
  type: "task",
  taskId: "a1",
  agentId: "a1",
  phase: "started",
  description: "Write it",
};
const bash = (command: string, agentId?: string): EventDraft => ({
  type: "toolCall",
  id: "t",
  name: "Bash",
  input: { command },
  ...(agentId === undefined ? {} : { agentId }),
});
const usage = (context: number, costUsd: number): EventDraft => ({
  type: "usage",
  context,
  window: 200_000,
  at: 150_000,
  costUsd,
  costIsEstimate: costUsd === 0.5,
  tokens: NO_TOKENS,
});
const ended = (phase: "done" | "failed", costUsd: number): EventDraft => ({
  type: "step",
  phase,
  name: "work",
  costUsd,
  numTurns: 1,
  durationMs: 1,
  ...(phase === "failed" ? { note: "no more" } : {}),
});

/** One event a second, from second 1 on. */
function seen(...drafts: EventDraft[]): RunView {
  return foldEvents(
    drafts.map((draft, i) => ({ ...draft, runId: "r", step: "work", timeMs: 1_000 * (i + 1) })),
  );
}

describe("what a run is doing, by its events", () => {
  it.each<[string, EventDraft[], Partial<RunView>]>([
    ["nothing yet", [], { startedMs: null, step: null, lastEvent: null, questions: [], agents: [] }],
    [
      "a step, since when",
      [STARTED],
      {
        startedMs: 1_000,
        step: {
          id: "work",
          name: "work",
          phase: "started",
          index: 3,
          total: 3,
          startedMs: 1_000,
          endedMs: null,
          note: null,
        },
      },
    ],
    [
      "the level",
      [STARTED, usage(5, 0.1), usage(9, 0.2)],
      { level: { context: 9, window: 200_000, at: 150_000 } },
    ],
    [
      "a level that somebody else's usage does not take away",
      [STARTED, usage(9, 0.1), usage(0, 0.2)],
      { level: { context: 9, window: 200_000, at: 150_000 }, stepUsd: 0.2 },
    ],
    [
      "a level that begins anew after a handoff",
      [
        STARTED,
        usage(9, 0.1),
        { type: "handoff", phase: "done", context: 9, window: 200_000, at: 8, generation: 1, path: null },
      ],
      { level: { context: 0, window: 200_000, at: 8 } },
    ],
    [
      "an open question without its control characters",
      [STARTED, ASKED],
      {
        questions: [
          { id: "ask-1", question: "Red?", options: ["yes", "no"], askedMs: 2_000, untilMs: 62_000 },
        ],
      },
    ],
    ["an answered one", [STARTED, ASKED, { ...ASKED, phase: "answered", answer: "yes" }], { questions: [] }],
    [
      "one without a limit",
      [{ ...ASKED, timeoutMs: null }],
      { questions: [expect.objectContaining({ untilMs: null })] as never },
    ],
    [
      "a wait after a fault",
      [STARTED, START, FAULT],
      { wait: { kind: "fault", reason: "529", untilMs: 8_000, attempt: 2, maxAttempts: 6 } },
    ],
    [
      "a wait for the allowance",
      [STARTED, { ...FAULT, untilMs: 99_000 }],
      { wait: { kind: "limit", reason: "529", untilMs: 99_000, attempt: 2, maxAttempts: 6 } },
    ],
    [
      "a wait that is over",
      [STARTED, FAULT, { type: "prompt", kind: "resume", text: "again" }],
      { wait: null },
    ],
    [
      "a subagent's prompt ends no wait",
      [STARTED, FAULT, { type: "prompt", kind: "task", text: "x", agentId: "a1" }],
      { wait: expect.objectContaining({ kind: "fault" }) as never },
    ],
    [
      "a subagent, and what it does",
      [STARTED, AGENT, bash("node --test", "a1")],
      {
        doing: null,
        agents: [{ id: "a1", description: "Write it", startedMs: 2_000, doing: "Bash node --test" }],
      },
    ],
    ["one that came back", [STARTED, AGENT, { ...AGENT, phase: "done" }], { agents: [] }],
    ["one whose session ended", [STARTED, AGENT, { type: "reset", reason: "new" }], { agents: [] }],
    ["what the main thread does", [STARTED, bash("ls\n-la")], { doing: "Bash ls -la" }],
    ["a call under way, since when", [STARTED, bash("ls")], { call: "Bash ls", callMs: 2_000 }],
    [
      "thinking after it, whatever a subagent does",
      [
        STARTED,
        AGENT,
        bash("ls"),
        { type: "toolResult", id: "t", name: "Bash", text: "", isError: false, denied: false },
        bash("pwd", "a1"),
      ],
      { call: null, callMs: 4_000, doing: "Bash ls" },
    ],
    [
      "the document being written",
      [STARTED, { type: "handoff", phase: "writing", context: 1, window: 2, at: 1, generation: 1 }],
      { writesHandoff: true, handoffs: 0 },
    ],
    [
      "a change of generation that is over",
      [
        STARTED,
        { type: "handoff", phase: "writing", context: 1, window: 2, at: 1, generation: 1 },
        { type: "handoff", phase: "done", context: 1, window: 2, at: 1, generation: 1, path: null },
      ],
      { writesHandoff: false, handoffs: 1 },
    ],
    [
      "cost of steps that ended and of the one that runs",
      [STARTED, usage(1, 0.1), ended("done", 0.25), STARTED, usage(1, 0.5)],
      { endedUsd: 0.25, stepUsd: 0.5, costIsEstimate: true },
    ],
    [
      "a figure that comes when its step is booked",
      [STARTED, ended("done", 0.25), usage(1, 0.4)],
      { endedUsd: 0, stepUsd: 0.25 },
    ],
    [
      "a step that failed, and why",
      [STARTED, ended("failed", 0.1)],
      { step: expect.objectContaining({ phase: "failed", endedMs: 2_000, note: "no more" }) as never },
    ],
    [
      "the last event in one line, also of a megabyte",
      [{ type: "text", text: `a\u001b]0;x\u0007${"b".repeat(1 << 20)}` }],
      { lastEvent: { type: "text", phase: null, timeMs: 1_000, text: `a${"b".repeat(158)}…` } },
    ],
    [
      "one of a type that is not known",
      [{ type: "later" } as never],
      { lastEvent: { type: "later", phase: null, timeMs: 1_000, text: "" } },
    ],
  ])("%s", (_name, drafts, expected) => {
    expect(seen(...drafts)).toMatchObject(expected);
  });
});
