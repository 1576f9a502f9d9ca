import { describe, expect, it } from "vitest";
import type { RewritePlan } from "../../src/context/policies.ts";
import { rewriteWhenItPays } from "../../src/context/rewrite-when.ts";
import { blocksOf, messageIdOf, type Entry } from "../../src/context/transcript.ts";
import { notesIn } from "../../src/store/rewriting.ts";
import { randomTranscript } from "./random-transcript.ts";
import { contentFor, TranscriptParts } from "./transcript-parts.ts";

const PLAN: RewritePlan = {
  prune: {},
  expire: { isGlance: (command) => /^(git status|ls)/.test(command) },
  trim: { keep: 2, spill: (text) => `[${text.length} characters are in /spill/x.txt]` },
};
const NOTES = notesIn("en");
const T0 = Date.UTC(2026, 0, 1);
const COLD = T0 + 3_600_000;
const WARM = T0 + 60_000;

/** All replies at once, so that the last one is `T0`. */
const timed = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) =>
    entry.type === "assistant" ? { ...entry, timestamp: new Date(T0).toISOString() } : entry,
  );
const load = (entries: readonly Entry[], nowMs: number, horizon?: string) =>
  rewriteWhenItPays(entries, PLAN, NOTES, { nowMs, ttl: "5m", horizon });
const messages = (entries: readonly Entry[]): string[] =>
  entries.filter((entry) => "message" in entry).map((entry) => JSON.stringify(entry["message"]));
const ids = (entries: readonly Entry[], type: string, field: string): unknown[] =>
  entries.flatMap(blocksOf).flatMap((block) => (block.type === type ? [block[field]] : []));

/** The first place from another on where a session can have been: no message of the model and its results on both sides. */
function betweenRounds(entries: readonly Entry[], from: number): number {
  const isWithin = (at: number): boolean => {
    const begun = new Set(
      entries
        .slice(0, at)
        .filter(({ type }) => type === "assistant")
        .map(messageIdOf),
    );
    const made = new Set(ids(entries.slice(0, at), "tool_use", "id"));
    const rest = entries.slice(at);
    return (
      rest.some((entry) => entry.type === "assistant" && begun.has(messageIdOf(entry))) ||
      ids(rest, "tool_result", "tool_use_id").some((id) => made.has(id))
    );
  };
  let at = from;
  while (isWithin(at)) at += 1;
  return at;
}

describe("a history of any kind", () => {
  it("that is loaded while its cache is warm begins as it was served when it was cold, or was worth a rewrite", () => {
    let postponed = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const all = timed(randomTranscript(seed, 40));
      const half = all.slice(0, betweenRounds(all, Math.floor(all.length * 0.6)));
      const first = load(half, COLD);
      expect(first.postponedChars).toBe(0);
      const second = load(all, WARM, first.horizon);
      const [was, is] = [messages(first.entries), messages(second.entries)];
      if (second.horizon !== first.horizon) continue;
      postponed += 1;
      expect(is.slice(0, was.length)).toEqual(was);
      expect(second.entries.some((entry) => entry["isApiErrorMessage"] === true)).toBe(false);
      expect(new Set(ids(second.entries, "tool_result", "tool_use_id"))).toEqual(
        new Set(ids(second.entries, "tool_use", "id")),
      );
    }
    expect(postponed).toBeGreaterThan(50);
  });
});

describe("a warm history", () => {
  /** Old looks, then so many characters that are no results. */
  const parts = (looks: number, lookChars: number, behindChars: number): Entry[] => {
    const built = new TranscriptParts();
    built.prompt("begin");
    for (let n = 0; n < looks; n += 1) built.round(`t${n}`, "ls", "x".repeat(lookChars));
    built.says("last", { type: "text", text: "y".repeat(behindChars) });
    return timed(built.entries);
  };

  it("stays as it is when much would be written anew for little", () => {
    const loaded = load(parts(20, 500, 400_000), WARM);
    expect(loaded).toMatchObject({ horizon: undefined, report: { expired: 0 } });
    expect(loaded.postponedChars).toBeGreaterThan(5_000);
  });

  it("is rewritten when that pays within as many requests as there have been", () => {
    const entries = parts(60, 1_900, 100);
    const loaded = load(entries, WARM);
    expect(loaded).toMatchObject({
      horizon: entries.at(-1)?.uuid,
      postponedChars: 0,
      report: { expired: 54 },
    });
  });

  it("of a cache that is kept for an hour costs more to write anew", () => {
    const entries = parts(60, 1_900, 100);
    const moment = { nowMs: COLD - 1, ttl: "1h", horizon: undefined } as const;
    expect(rewriteWhenItPays(entries, PLAN, NOTES, moment).report.expired).toBe(54);
    const longer = parts(20, 1_900, 15_000);
    expect(load(longer, WARM).report.expired).toBe(14);
    expect(rewriteWhenItPays(longer, PLAN, NOTES, moment).report.expired).toBe(0);
  });

  it("is not what an error of the API makes of a cold one, nor do errors count as requests", () => {
    const built = new TranscriptParts();
    for (let n = 0; n < 20; n += 1) built.round(`t${n}`, "ls", "x".repeat(500));
    built.says("last", { type: "text", text: "y".repeat(400_000) });
    const replies = timed(built.entries);
    for (let n = 0; n < 5_000; n += 1)
      built.says(`e${n}`, { type: "text", text: "API Error: 529" }, { isApiErrorMessage: true });
    const errors = built.entries.slice(replies.length);
    const after = errors.map((entry) => ({ ...entry, timestamp: new Date(COLD).toISOString() }));
    expect(load([...replies, ...after], COLD).report.expired).toBe(14);
    const own = after.slice(0, 1).map((entry: Entry) => ({
      ...entry,
      isApiErrorMessage: false,
      message: { ...(entry["message"] as object), model: "<synthetic>" },
    }));
    expect(load([...replies, ...own], COLD).report.expired).toBe(14);
    expect(load([...replies, ...after], WARM).report.expired).toBe(0);
  });

  it("loses errors of the API and gets results for open calls all the same", () => {
    const built = new TranscriptParts();
    for (let n = 0; n < 9; n += 1) built.round(`t${n}`, "ls", "x");
    built.says("e", { type: "text", text: "API Error: 529" }, { isApiErrorMessage: true });
    built.bash("m", "open", "make");
    const { entries, report } = load(timed(built.entries), WARM);
    expect(report).toMatchObject({ expired: 0, residuePruned: 1, repaired: 1 });
    expect(JSON.stringify(entries)).not.toContain("529");
    expect(contentFor(entries, "open")).toBeDefined();
  });
});
