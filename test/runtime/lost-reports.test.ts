import { expect, it } from "vitest";
import { withLostReports } from "../../src/runtime/lost-reports.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { contentFor, TranscriptParts } from "../context/transcript-parts.ts";

const KEY = { projectKey: ".", sessionId: "s" };
const NOTE = "[interrupted]";
const REPORT = { agentId: "a", content: [{ type: "text", text: "3 tests fail" }] };

/** Two calls with the same prompt, the second one lost, and threads of them by their words. */
async function lostCall(first: object, threads: Readonly<Record<string, string>>): Promise<unknown> {
  const parts = new TranscriptParts();
  for (const id of ["t1", "t2"]) {
    parts.says(`m-${id}`, { type: "tool_use", id, name: "Agent", input: { prompt: "run the tests" } });
    parts.result(id, id === "t1" ? "3 tests fail" : NOTE, id === "t1" ? first : {});
  }
  const store = new MemorySessionStore();
  for (const [id, words] of Object.entries(threads)) {
    const thread = new TranscriptParts();
    thread.prompt("run the tests");
    thread.says("m", { type: "text", text: words });
    await store.append({ ...KEY, subpath: `subagents/agent-${id}` }, thread.entries);
  }
  const given = { store, key: KEY, originals: parts.entries, note: NOTE, workbench: undefined };
  return contentFor(await withLostReports(parts.entries, given), "t2");
}

const DONE = "All done: 3 tests fail";
const HALF = "Half of the tests ran";

it.each([
  ["names its agent", { toolUseResult: REPORT }, { a: DONE }],
  ["names none", { toolUseResult: "3 tests fail" }, { a: DONE }],
])(
  "a lost call without a thread gets no words of an earlier one whose result %s",
  async (_how, first, threads) => {
    expect(await lostCall(first, threads)).toBe(NOTE);
  },
);

it.each([
  ["names its agent", { toolUseResult: REPORT }, { b: HALF, a: DONE }],
  ["names none", { toolUseResult: "3 tests fail" }, { a: DONE, b: HALF }],
])("a lost call gets its own thread's words, beside a call whose result %s", async (_how, first, threads) => {
  const report = await lostCall(first, threads);
  expect(report).toContain(HALF);
  expect(report).not.toContain(DONE);
});
