import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isGlance } from "../../src/context/glance.ts";
import { rewriteTranscript, type RewriteOptions } from "./rewrite-options.ts";
import { blocksOf, type Entry } from "../../src/context/transcript.ts";
import { interruptedNote, staleNote } from "../../src/documents/wording.ts";
import { callIds, contentFor, TranscriptParts, wayFromLeaf } from "./transcript-parts.ts";

const NOTES: RewriteOptions["notes"] = {
  stale: (command, rounds) => staleNote(command, rounds, "en"),
  interrupted: interruptedNote("en"),
};

/** A transcript that the real harness wrote; see the readme beside it. */
function persisted(name: string): Entry[] {
  const url = new URL(`../fixtures/persisted/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

const callOf = (entries: readonly Entry[], command: string): string =>
  String(
    entries
      .flatMap(blocksOf)
      .findLast((block) => (block["input"] as { command?: string } | undefined)?.command === command)?.["id"],
  );

describe("a session that the harness wrote", () => {
  const before = persisted("main");
  const { entries: after, report } = rewriteTranscript(before, { notes: NOTES, isGlance });

  it("loses one of two denials, its errors and its stale glances", () => {
    expect(report).toMatchObject({
      expired: 6,
      trimmed: 0,
      denialsPruned: 1,
      residuePruned: 3,
      bridged: 0,
      repaired: 0,
    });
    expect(callIds(before).filter((id) => !callIds(after).includes(id))).toEqual([
      callOf(before, "echo denied"),
    ]);
    expect(after.some((entry) => entry["isApiErrorMessage"] === true)).toBe(false);
    expect(contentFor(after, callOf(before, "pwd"))).toBe(NOTES.interrupted);
    expect(contentFor(after, callOf(before, "echo denied again"))).toContain("Use Agent instead.");
    expect(contentFor(after, callOf(before, "git status -s"))).toBe(NOTES.stale("git status -s", 11));
    expect(contentFor(after, callOf(before, "ls -a"))).toContain("b.txt");
  });

  it("keeps every other entry as it is, and the way from its newest entry", () => {
    const gone = new Set(before.map(({ uuid }) => uuid));
    for (const { uuid } of after) gone.delete(uuid);
    expect(gone.size).toBe(3);
    expect(wayFromLeaf(after)).toEqual(wayFromLeaf(before).filter((uuid) => !gone.has(uuid)));
    const others = (entries: readonly Entry[]): Entry[] =>
      entries.filter(({ type }) => !["user", "assistant", "last-prompt"].includes(type));
    expect(others(after)).toEqual(others(before));
  });

  it("trims, and changes nothing a second time", () => {
    const options: RewriteOptions = { notes: NOTES, isGlance, spill: (text) => `[${text.length}]` };
    const once = rewriteTranscript(before, options);
    // Fewer large results than trim keeps.
    expect(once.report.trimmed).toBe(0);
    expect(rewriteTranscript(once.entries, options).entries).toEqual(once.entries);
    expect(rewriteTranscript(after, { notes: NOTES, isGlance }).entries).toEqual(after);
  });

  it("holds when it was killed after each of its entries", () => {
    for (let length = 1; length <= before.length; length += 1) {
      const { entries } = rewriteTranscript(before.slice(0, length), { notes: NOTES, isGlance });
      const answered = entries.flatMap(blocksOf).flatMap((block) => block["tool_use_id"] ?? []);
      expect(answered.sort()).toEqual(callIds(entries).sort());
    }
  });

  it("of a subagent is rewritten the same way", () => {
    const sub = persisted("subagent");
    const { entries, report } = rewriteTranscript(sub, { notes: NOTES, isGlance, keepDenials: 0 });
    expect(report).toMatchObject({ denialsPruned: 1, expired: 0, repaired: 0, bridged: 0 });
    expect(callIds(entries)).toHaveLength(1);
    expect(wayFromLeaf(entries)).toContain(sub.find(({ type }) => type === "user")?.uuid);
  });
});

describe("options", () => {
  const parts = new TranscriptParts();
  for (let n = 0; n < 30; n += 1)
    parts.round(`g${n}`, "git status -s", n % 2 === 0 ? "x".repeat(2_000) : "clean");
  for (const id of ["d0", "d1"]) {
    parts.bash(id, id, "rm x");
    parts.denied(id);
  }
  const reportOf = (more: Partial<RewriteOptions>): object =>
    rewriteTranscript(parts.entries, { notes: NOTES, ...more }).report;

  it.each<[string, Partial<RewriteOptions>, object]>([
    ["nothing on", {}, { expired: 0, trimmed: 0, denialsPruned: 1 }],
    ["expire alone takes any length", { isGlance }, { expired: 24, trimmed: 0 }],
    ["trim alone keeps twenty", { spill: () => "[p]" }, { expired: 0, trimmed: 0 }],
    ["expire leaves large results to trim", { isGlance, spill: () => "[p]" }, { expired: 12, trimmed: 0 }],
    ["no denials kept", { keepDenials: 0 }, { denialsPruned: 2 }],
  ])("%s", (_name, options, expected) => {
    expect(reportOf(options)).toMatchObject(expected);
  });
});

it("never touches compact summaries, meta entries and what it does not know", () => {
  const parts = new TranscriptParts();
  parts.prompt("Summary of 500 lines.", { isCompactSummary: true });
  parts.prompt("<local-command-caveat>", { isMeta: true });
  parts.bash("m1", "t1", "ls");
  parts.result("t1", "x".repeat(5_000), { isMeta: true });
  parts.entries.push(
    { type: "summary", summary: "x", leafUuid: "u1" },
    { type: "from-the-future", deep: [{}] },
  );
  const options = { notes: NOTES, isGlance: () => true, spill: () => "[p]" };
  expect(rewriteTranscript(parts.entries, options).entries).toEqual(parts.entries);
});
