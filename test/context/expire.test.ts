import { describe, expect, it } from "vitest";
import { expireGlances, type ExpireOptions } from "../../src/context/expire.ts";
import { interruptedNote, staleNote } from "../../src/documents/wording.ts";
import { contentFor, TranscriptParts } from "./transcript-parts.ts";

const note = (command: string, rounds: number): string => `[\`${command}\` is stale (${rounds})]`;
const policy = (more: Partial<ExpireOptions> = {}): ExpireOptions => ({
  isGlance: (command) => command.startsWith("git "),
  note,
  ...more,
});

/** Rounds `g0`, `g1` … of a glance each. */
function glances(count: number): TranscriptParts {
  const parts = new TranscriptParts();
  parts.prompt("Do it.");
  for (let n = 0; n < count; n += 1) parts.round(`g${n}`, "git status", `?? file${n}`);
  return parts;
}

const staleIn = (parts: TranscriptParts, more: Partial<ExpireOptions> = {}): string[] => {
  const { entries, done } = expireGlances(policy(more))(parts.entries);
  const stale = Array.from({ length: 100 }, (_, n) => `g${n}`).filter((id) =>
    String(contentFor(entries, id)).includes("is stale"),
  );
  expect(done.expired).toBe(stale.length);
  return stale;
};

describe("which glances expire", () => {
  it.each([
    [0, undefined, []],
    [6, undefined, []],
    [8, undefined, ["g0", "g1"]],
    [3, 2, ["g0"]],
    [3, 0, ["g0", "g1", "g2"]],
  ])("of %i, keeping %s", (count, keep, expected) => {
    expect(staleIn(glances(count), keep === undefined ? {} : { keep })).toEqual(expected);
  });

  it("counts only glances: other commands and tools neither expire nor take a place", () => {
    const parts = glances(2);
    parts.round("t1", "npm test", "failed");
    parts.says("m", { type: "tool_use", id: "r1", name: "Read", input: { file_path: "git log" } });
    parts.result("r1", "text");
    parts.round("g2", "git status", "clean");
    const { entries } = expireGlances(policy({ keep: 1 }))(parts.entries);
    expect(contentFor(entries, "t1")).toBe("failed");
    expect(contentFor(entries, "r1")).toBe("text");
    expect(staleIn(parts, { keep: 1 })).toEqual(["g0", "g1"]);
  });

  it("takes refused and interrupted calls for no glances, and leaves pictures", () => {
    const parts = glances(1);
    parts.bash("m1", "g1", "git push");
    parts.denied("g1");
    parts.round("g2", "git log", interruptedNote("en"), { toolDenialKind: "interrupted" });
    parts.round("g3", "git diff", [{ type: "image", source: {} }]);
    expect(staleIn(parts, { keep: 1 })).toEqual([]);
    expect(staleIn(parts, { keep: 0 })).toEqual(["g0"]);
  });

  it("leaves large results to trim, when trim is on", () => {
    const parts = new TranscriptParts();
    parts.round("g0", "git diff", "x".repeat(2_000));
    parts.round("g1", "git diff", "x".repeat(1_999));
    expect(staleIn(parts, { keep: 0, trimMinChars: 2_000 })).toEqual(["g1"]);
    expect(staleIn(parts, { keep: 0 })).toEqual(["g0", "g1"]);
  });
});

it("says which command and how many of the model's messages ago, in the message and the copy beside it", () => {
  const parts = new TranscriptParts();
  parts.says("m1", { type: "text", text: "Look." });
  const call = parts.bash("m1", "g0", "git status");
  parts.bash("m1", "t0", "make");
  parts.result("t0", "ok");
  const result = parts.result("g0", [{ type: "text", text: "clean" }], { parentUuid: call.uuid });
  parts.round("t1", "make", "ok");
  parts.says("m3", { type: "text", text: "Done." });
  const { entries, done } = expireGlances(policy({ keep: 0 }))(parts.entries);
  const text = note("git status", 2);
  expect(contentFor(entries, "g0")).toBe(text);
  expect(entries.find(({ uuid }) => uuid === result.uuid)).toEqual({
    ...result,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "g0", content: text }] },
    toolUseResult: text,
  });
  expect(done.charsSaved).toBe("clean".length - text.length);
  expect(contentFor(entries, "t0")).toBe("ok");
});

it.each(["en", "zh", "pt", "de"] as const)("knows its own note again, however old (%s)", (locale) => {
  const parts = glances(9);
  const pass = expireGlances(policy({ note: (command, rounds) => staleNote(command, rounds, locale) }));
  const once = pass(parts.entries).entries;
  // A fork stores what was loaded; the session then goes on, and the notes keep their number.
  const forked = new TranscriptParts();
  forked.entries.push(...once);
  forked.round("t9", "make", "ok");
  const twice = pass(forked.entries);
  expect(twice.entries).toEqual(forked.entries);
  expect(twice.done).toEqual({ expired: 0, charsSaved: 0 });
});
