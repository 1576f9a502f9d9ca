import { expect, it } from "vitest";
import { eventLines, lineState } from "../../src/cli/lines.ts";
import { textsFor } from "../../src/cli/texts.ts";
import type { EventDraft } from "../../src/core/events.ts";

const lines = (...drafts: EventDraft[]): string[] => {
  const state = lineState(0, true);
  return drafts.flatMap((draft) =>
    eventLines({ runId: "r", step: "work", timeMs: 0, ...draft }, state, textsFor("en")),
  );
};

const HOSTILE = "ev\u001b]52;c;aGVsbG8=\u0007il\u001b[2J\u001b]0;owned\u0007\nx\u202ey";

// Fails when a subagent's name is printed as the model gave it.
it("a hostile name of a subagent is its letters, on one line, and short", () => {
  const call: EventDraft = {
    type: "toolCall",
    id: "1",
    agentId: "a",
    name: "Bash",
    input: { command: "ls" },
  };
  const named = (description: string): string[] =>
    lines({ type: "task", phase: "started", taskId: "a", description }, call);
  expect(named(HOSTILE)).toEqual(["    * [evil xy] Bash ls"]);
  expect(named("long ".repeat(4_000))[0]?.length).toBeLessThan(100);
});

it.each<EventDraft>([
  { type: "toolCall", id: "1", name: HOSTILE, input: { command: HOSTILE } },
  { type: "toolResult", id: "1", name: HOSTILE, text: HOSTILE, isError: true, denied: false },
  { type: "toolResult", id: "1", name: HOSTILE, text: HOSTILE, isError: true, denied: true },
  { type: "text", text: HOSTILE },
  { type: "error", kind: "unknown", message: HOSTILE },
  { type: "system", level: "warning", message: HOSTILE },
  { type: "unknown", messageType: HOSTILE },
  { type: "ask", id: "1", phase: "asked", question: HOSTILE, options: [HOSTILE], timeoutMs: 1 },
  { type: "ask", id: "1", phase: "answered", question: HOSTILE, options: [], answer: HOSTILE, timeoutMs: 1 },
  { type: "task", phase: "failed", taskId: "t", description: HOSTILE },
  { type: "step", phase: "started", name: HOSTILE },
  { type: "step", phase: "skipped", name: HOSTILE, note: HOSTILE },
  {
    type: "handoff",
    phase: "done",
    ...{ context: 1, window: 2, at: 1, generation: 1, path: HOSTILE },
    sections: { doing: HOSTILE, decided: HOSTILE, deadEnds: HOSTILE, next: HOSTILE },
  },
])("nothing of $type reaches a terminal but letters", (draft) => {
  // Control characters are what is looked for.

  expect(lines(draft).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
