import { describe, expect, it } from "vitest";
import { pruneDenials, pruneResidue } from "../../src/context/prune.ts";
import { callIds, contentFor, entryOf, TranscriptParts, wayFromLeaf } from "./transcript-parts.ts";

const NOTE = "[interrupted]";

describe("denied calls", () => {
  it("go with their results, the newest stays", () => {
    const parts = new TranscriptParts();
    for (const id of ["d0", "d1", "d2"]) {
      parts.bash(`m-${id}`, id, "rm x");
      parts.denied(id);
    }
    const { entries, done } = pruneDenials()(parts.entries);
    expect(callIds(entries)).toEqual(["d2"]);
    expect(done.denialsPruned).toBe(2);
    expect(done.charsSaved).toBe(2 * ("rm x".length + "Use Agent instead.".length));
    expect(callIds(pruneDenials({ keep: 0 })(parts.entries).entries)).toEqual([]);
    expect(callIds(pruneDenials({ keep: 2 })(parts.entries).entries)).toEqual(["d1", "d2"]);
  });

  it("take neither siblings nor thinking and text of their message with them, and the chain stays whole", () => {
    const parts = new TranscriptParts();
    const start = parts.prompt("Do it.");
    const thinking = parts.says("m1", { type: "thinking", thinking: "Hm.", signature: "s" });
    const text = parts.says("m1", { type: "text", text: "Looking." });
    const a = parts.bash("m1", "a", "ls");
    const b = parts.bash("m1", "b", "rm x");
    const c = parts.bash("m1", "c", "pwd");
    const resultA = parts.result("a", "x", { parentUuid: a.uuid });
    const resultC = parts.result("c", "/w", { parentUuid: c.uuid });
    // The conversation goes on from the last result, here the refused one's.
    parts.denied("b", { parentUuid: b.uuid });
    const next = parts.says("m2", { type: "text", text: "Good." });
    parts.entries.push({ type: "last-prompt", leafUuid: b.uuid });

    const { entries } = pruneDenials({ keep: 0 })(parts.entries);
    expect(entries.slice(0, 4)).toEqual([start, thinking, text, a]);
    expect(entryOf(entries, c.uuid)["parentUuid"]).toBe(a.uuid);
    expect(entries).toContain(resultA);
    expect(entries).toContain(resultC);
    expect(entryOf(entries, next.uuid)["parentUuid"]).toBe(a.uuid);
    expect(entries.at(-1)).toEqual({ type: "last-prompt", leafUuid: a.uuid });
    expect(entries).toHaveLength(parts.entries.length - 2);
  });

  it("do not take the way past the other calls of their message when they came first and were answered last", () => {
    const parts = new TranscriptParts();
    parts.prompt("Do it.");
    const [a, b, c] = ["a", "b", "c"].map((id) => parts.bash("m1", id, id));
    for (const call of [b!, c!]) parts.result(call === b ? "b" : "c", "x", { parentUuid: call.uuid });
    parts.denied("a", { parentUuid: a!.uuid });
    const next = parts.says("m2", { type: "text", text: "Good." });
    // The harness finds parallel calls from one of their message that is on the way.
    const { entries } = pruneDenials({ keep: 0 })(parts.entries);
    expect(wayFromLeaf(entries)).toEqual([next.uuid, c!.uuid, b!.uuid, parts.entries[0]!.uuid]);
  });

  it("leave several results of one entry apart: only those that failed are meant", () => {
    const parts = new TranscriptParts();
    parts.add({
      type: "assistant",
      message: {
        id: "m1",
        content: ["a", "b"].map((id) => ({ type: "tool_use", id, name: "Bash", input: { command: id } })),
      },
    });
    parts.add({
      type: "user",
      toolDenialKind: "permission-rule",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "fine" },
          { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
        ],
      },
    });
    expect(callIds(pruneDenials({ keep: 0 })(parts.entries).entries)).toEqual(["a"]);
  });

  it("stay where several of one entry failed: nobody can tell which of them the mark means", () => {
    const parts = new TranscriptParts();
    parts.bash("m1", "a", "npm test");
    parts.bash("m1", "b", "rm x");
    const failed = (id: string, fields: object = {}) => {
      return { type: "tool_result", tool_use_id: id, content: `${id} failed`, is_error: true, ...fields };
    };
    const content = [failed("a"), failed("b")];
    parts.add({ type: "user", toolDenialKind: "permission-rule", message: { role: "user", content } });
    expect(pruneDenials({ keep: 0 })(parts.entries).entries).toEqual(parts.entries);
    // A mark of the block's own says it.
    content[1] = failed("b", { toolDenialKind: "permission-rule" });
    delete parts.entries.at(-1)?.["toolDenialKind"];
    expect(callIds(pruneDenials({ keep: 0 })(parts.entries).entries)).toEqual(["a"]);
  });

  it.each<[string, object]>([
    ["a person's words are in it", { holdsPersonsWords: true }],
    ["only its wording looks like one", { toolDenialKind: undefined }],
    ["a person said no", { toolDenialKind: "user-rejected" }],
    ["it is meta", { isMeta: true }],
  ])("stay when %s", (_name, fields) => {
    const parts = new TranscriptParts();
    parts.bash("m1", "d", "rm x");
    parts.denied("d", fields);
    expect(pruneDenials({ keep: 0 })(parts.entries).entries).toEqual(parts.entries);
  });
});

describe("residue", () => {
  it("errors of the API go, also in the middle, and what hung on them hangs on the message before", () => {
    const parts = new TranscriptParts();
    const start = parts.prompt("Do it.");
    const error = { type: "text", text: "Prompt is too long" };
    parts.says("e1", error, { isApiErrorMessage: true });
    parts.add({
      type: "assistant",
      error: "server_error",
      message: { id: "e2", model: "<synthetic>", content: [error] },
    });
    const again = parts.prompt("Again.");
    const end = parts.says("e3", error, { isApiErrorMessage: true });
    const { entries, done } = pruneResidue(NOTE)(parts.entries);
    expect(entries).toEqual([start, { ...again, parentUuid: start.uuid }]);
    expect(done.residuePruned).toBe(3);
    expect(wayFromLeaf(entries)).toEqual([again.uuid, start.uuid]);
    expect(entries).not.toContain(end);
  });

  it("keeps what the harness itself says that is no error, and words that only quote one", () => {
    const parts = new TranscriptParts();
    parts.says("s1", { type: "text", text: "No response requested." }, { isApiErrorMessage: false });
    parts.says("s2", { type: "text", text: "The log says: API Error: 500, Prompt is too long" });
    parts.says("s3", { type: "text", text: "API Error" }, { isApiErrorMessage: true, isMeta: true });
    parts.round("t1", "cat log", "The user doesn't want to proceed with this tool use.");
    expect(pruneResidue(NOTE)(parts.entries).entries).toEqual(parts.entries);
  });

  it.each<[string, string, object, boolean]>([
    ["filled in after a kill", "anything", { toolDenialKind: "interrupted" }, true],
    ["ended by an interrupt", "anything", { toolDenialKind: "user-rejected" }, true],
    ["known by wording alone", "[Tool call interrupted: the session ended", {}, true],
    ["refused while ending", "The user doesn't want to take this action right now. STOP", {}, true],
    [
      "a question that nobody answered",
      "why",
      { toolDenialKind: "user-rejected", permissionDecision: {} },
      false,
    ],
    ["a person's no", "no", { toolDenialKind: "user-rejected", holdsPersonsWords: true }, false],
    ["a mere failure", "Exit code 1", {}, false],
    ["a refusal", "Tool call interrupted", { toolDenialKind: "permission-rule" }, false],
  ])("a result becomes a note, its call stays: %s", (_name, content, fields, expected) => {
    const parts = new TranscriptParts();
    parts.bash("m1", "t", "sleep");
    const block = { type: "tool_result", tool_use_id: "t", content, is_error: true };
    parts.add({ type: "user", message: { role: "user", content: [block] }, ...fields });
    const { entries, done } = pruneResidue(NOTE)(parts.entries);
    expect(contentFor(entries, "t")).toBe(expected ? NOTE : content);
    expect(done.residuePruned).toBe(expected ? 1 : 0);
    expect(callIds(entries)).toEqual(["t"]);
    expect(pruneResidue(NOTE)(entries)).toEqual({ entries, done: { residuePruned: 0, charsSaved: 0 } });
  });
});
