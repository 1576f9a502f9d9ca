import { describe, expect, it } from "vitest";
import { bridgeParents, repairCalls } from "../../src/context/rewrite-repair.ts";
import { blocksOf, type Entry } from "../../src/context/transcript.ts";
import { contentFor, entryOf, TranscriptParts, wayFromLeaf } from "./transcript-parts.ts";

const NOTE = "[interrupted]";
const repair = repairCalls(NOTE);
const bridge = bridgeParents();

const resultIds = (entries: readonly Entry[]): unknown[] =>
  entries.flatMap(blocksOf).flatMap((block) => block["tool_use_id"] ?? []);

describe("calls without a result", () => {
  it("in the middle get a note, and what followed on the call follows on the note", () => {
    const parts = new TranscriptParts();
    parts.prompt("Do it.");
    const call = parts.bash("m1", "t1", "make");
    const next = parts.prompt("Are you there?");
    parts.says("m2", { type: "text", text: "Yes." });
    const { entries, done } = repair(parts.entries);
    const made = entries[2]!;
    expect(blocksOf(made)).toEqual([
      { type: "tool_result", tool_use_id: "t1", content: NOTE, is_error: true },
    ]);
    expect(made).toMatchObject({ type: "user", parentUuid: call.uuid, sourceToolAssistantUUID: call.uuid });
    expect(entryOf(entries, next.uuid)["parentUuid"]).toBe(made.uuid);
    expect(done.repaired).toBe(1);
    expect(wayFromLeaf(entries)).toHaveLength(5);
  });

  it("beside answered ones get theirs right behind the answer, before anything else comes", () => {
    const parts = new TranscriptParts();
    parts.prompt("Do it.");
    const a = parts.bash("m1", "a", "ls");
    const b = parts.bash("m1", "b", "make");
    const c = parts.bash("m1", "c", "pwd");
    const answer = parts.result("a", "x", { parentUuid: a.uuid });
    const next = parts.prompt("Go on.");
    const { entries } = repair(parts.entries);
    expect(resultIds(entries)).toEqual(["a", "b", "c"]);
    expect(contentFor(entries, "a")).toBe("x");
    expect(entries.slice(5, 7).map((entry) => entry["parentUuid"])).toEqual([b.uuid, c.uuid]);
    expect(entryOf(entries, c.uuid)).toBe(c);
    expect(entryOf(entries, next.uuid)["parentUuid"]).toBe(answer.uuid);
  });

  it("at the end, and in a message that holds several calls", () => {
    const parts = new TranscriptParts();
    const calls = ["a", "b"].map((id) => ({ type: "tool_use", id, name: "Read", input: {} }));
    const call = parts.add({ type: "assistant", message: { id: "m1", role: "assistant", content: calls } });
    parts.result("a", "x");
    const { entries, done } = repair(parts.entries);
    expect(resultIds(entries)).toEqual(["a", "b"]);
    expect(entries.at(-1)!["parentUuid"]).toBe(call.uuid);
    expect(done.repaired).toBe(1);
  });

  it("get the same entry at every load, so that what the session appended after it still finds it", () => {
    const parts = new TranscriptParts();
    parts.bash("m1", "t1", "make");
    const [, made] = repair(parts.entries).entries;
    expect(made!.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
    // The note itself was never stored.
    const next = parts.prompt("Go on.", { parentUuid: made!.uuid });
    const again = bridge(repair(parts.entries).entries);
    expect(again.done.bridged).toBe(0);
    expect(wayFromLeaf(again.entries)).toEqual([next.uuid, made!.uuid, "u0"]);
  });

  it("lend their session and branch to the note", () => {
    const parts = new TranscriptParts();
    const fields = { sessionId: "s", isSidechain: true, agentId: "a1", cwd: "/w", requestId: "r" };
    parts.says("m1", { type: "tool_use", id: "t1", name: "Read", input: {} }, fields);
    const made = repair(parts.entries).entries[1]!;
    expect(made).toMatchObject({ sessionId: "s", isSidechain: true, agentId: "a1", cwd: "/w" });
    expect(made).not.toHaveProperty("requestId");
  });

  it("are left alone when there are none", () => {
    const parts = new TranscriptParts();
    parts.round("t1", "ls", "x");
    expect(repair(parts.entries)).toEqual({ entries: parts.entries, done: {} });
  });
});

describe("lost parents", () => {
  it("are bridged to the message physically before, each one counted", () => {
    const parts = new TranscriptParts();
    parts.prompt("One.");
    const second = parts.prompt("Two.");
    parts.entries.push({ type: "mode", mode: "normal" });
    const third = parts.prompt("Three.", { parentUuid: "never-written-1" });
    const fourth = parts.says("m1", { type: "text", text: "Four." }, { parentUuid: "never-written-2" });
    const { entries, done } = bridge(parts.entries);
    expect(done.bridged).toBe(2);
    expect(wayFromLeaf(entries)).toEqual([fourth.uuid, third.uuid, second.uuid, "u0"]);
  });

  it("are bridged within one conversation, the main thread's or a subagent's", () => {
    const parts = new TranscriptParts();
    const side = (agentId: string, parentUuid?: string) => {
      const fields = { isSidechain: true, agentId, ...(parentUuid === undefined ? {} : { parentUuid }) };
      return parts.says(`m-${parts.entries.length}`, { type: "text", text: agentId }, fields);
    };
    parts.prompt("One.");
    const main = parts.says("m1", { type: "text", text: "Two." });
    const first = side("a1");
    const other = side("a2");
    const lost = parts.prompt("Three.", { parentUuid: "never-written-1" });
    const lostSide = side("a1", "never-written-2");
    const lostStart = side("a3", "never-written-3");
    const { entries, done } = bridge(parts.entries);
    expect(done.bridged).toBe(3);
    const parentOf = ({ uuid }: { uuid: string }) => entryOf(entries, uuid)["parentUuid"];
    expect(parentOf(lost)).toBe(main.uuid);
    expect(parentOf(lostSide)).toBe(first.uuid);
    expect(parentOf(lostStart)).toBeNull();
    expect(parentOf(other)).toBe(first.uuid);
  });

  it("of the very first entry become none", () => {
    const parts = new TranscriptParts();
    const first = parts.prompt("One.", { parentUuid: "never-written" });
    expect(bridge(parts.entries).entries).toEqual([{ ...first, parentUuid: null }]);
  });

  it("in deleted context behind a compaction do not bring the old context back as the latest", () => {
    const parts = new TranscriptParts();
    parts.prompt("Days old.");
    const boundary = parts.add({ type: "system", subtype: "compact_boundary", parentUuid: null });
    const summary = parts.prompt("Summary.", { isCompactSummary: true });
    const newest = parts.prompt("Now.", { parentUuid: "in-deleted-context" });
    const { entries } = bridge(parts.entries);
    expect(wayFromLeaf(entries)).toEqual([newest.uuid, summary.uuid, boundary.uuid]);
  });

  it("that are no messages are passed over, up to the nearest message", () => {
    const parts = new TranscriptParts();
    const call = parts.bash("m1", "t1", "make");
    parts.add({ type: "progress", data: { percent: 10 } });
    parts.add({ type: "hook_progress", data: {} });
    const result = parts.result("t1", "ok");
    const { entries, done } = bridge(parts.entries);
    expect(entries).toHaveLength(4);
    expect(entryOf(entries, result.uuid)["parentUuid"]).toBe(call.uuid);
    expect(done.bridged).toBe(1);
    expect(bridge(entries)).toEqual({ entries, done: { bridged: 0 } });
  });

  it("are never looked for under ids of other kinds of entries", () => {
    const parts = new TranscriptParts();
    const first = parts.prompt("One.");
    const second = parts.prompt("Two.");
    // The snapshot carries the id of a message that comes later.
    parts.entries.splice(1, 0, { type: "file-history-snapshot", messageId: second.uuid, snapshot: {} });
    expect(bridge(parts.entries)).toEqual({ entries: parts.entries, done: { bridged: 0 } });
    expect(wayFromLeaf(parts.entries)).toEqual([second.uuid, first.uuid]);
  });

  it("that form a ring end", () => {
    const entries: Entry[] = [
      { type: "progress", uuid: "p1", parentUuid: "p2" },
      { type: "progress", uuid: "p2", parentUuid: "p1" },
      { type: "user", uuid: "u1", parentUuid: "p1", message: { role: "user", content: "x" } },
    ];
    expect(entryOf(bridge(entries).entries, "u1")["parentUuid"]).toBeNull();
  });
});
