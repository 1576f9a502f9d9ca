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

/** Events that carry somebody else's words. */
const saying = (words: string): EventDraft[] => [
  { type: "toolCall", id: "1", name: words, input: { command: words } },
  { type: "toolResult", id: "1", name: words, text: words, isError: true, denied: false },
  { type: "toolResult", id: "1", name: words, text: words, isError: true, denied: true },
  { type: "text", text: words },
  { type: "error", kind: "unknown", message: words },
  { type: "system", level: "warning", message: words },
  { type: "unknown", messageType: words },
  { type: "ask", id: "1", phase: "asked", question: words, options: [words], timeoutMs: 1 },
  { type: "ask", id: "1", phase: "answered", question: words, options: [], answer: words, timeoutMs: 1 },
  { type: "task", phase: "failed", taskId: "t", description: words },
  { type: "step", phase: "started", name: words },
  { type: "step", phase: "skipped", name: words, note: words },
  {
    type: "handoff",
    phase: "done",
    ...{ context: 1, window: 2, at: 1, generation: 1, path: words },
    sections: { doing: words, decided: words, deadEnds: words, next: words },
  },
];

it.each(saying(HOSTILE))("nothing of $type reaches a terminal but letters", (draft) => {
  // Control characters are what is looked for.

  expect(lines(draft).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

it("says below a question what an Enter does", () => {
  const asked = { type: "ask", id: "1", phase: "asked", question: "?", options: [], timeoutMs: 1 } as const;
  expect(lines(asked).at(-1)).toContain("Enter to skip");
  expect(lines({ ...asked, permission: true }).at(-1)).toContain("Enter: no");
});

// Fails when a second line looks like one of flower's own.
it.each(saying("one\ntwo"))("a further line of $type stands at no edge", (draft) => {
  const rows = lines(draft).join("\n").split("\n");
  expect(rows.filter((row) => row.startsWith("two"))).toEqual([]);
});
