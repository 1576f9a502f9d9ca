import { expect, it } from "vitest";
import { expireGlances } from "../../src/context/expire.ts";
import { liveMessages, newestLeaf } from "../../src/context/live-branch.ts";
import { pruneDenials } from "../../src/context/prune.ts";
import { applyPasses, type Pass } from "../../src/context/rewrite-pass.ts";
import type { Entry } from "../../src/context/transcript.ts";
import { trimLarge } from "../../src/context/trim.ts";
import { contentFor, TranscriptParts } from "./transcript-parts.ts";

const LARGE = "x".repeat(2_000);

/** Rounds 0 and 1, then a branch of three rounds that was left, then one that goes on from round 1 with one round. */
function forked(round: (parts: TranscriptParts, id: string) => void): { entries: Entry[]; left: string } {
  const parts = new TranscriptParts();
  parts.prompt("begin");
  for (const id of ["t0", "t1"]) round(parts, id);
  const fork = parts.entries.at(-1)!.uuid;
  for (const id of ["left0", "left1", "left2"]) round(parts, id);
  const left = parts.entries.at(-1)!.uuid!;
  parts.prompt("again", { parentUuid: fork });
  round(parts, "t2");
  return { entries: parts.entries, left };
}

const look = (parts: TranscriptParts, id: string): void => parts.round(id, "ls", LARGE);
const refusal = (parts: TranscriptParts, id: string): void => {
  parts.bash(`msg-${id}`, id, "rm x");
  parts.denied(id);
};

it.each<[string, (parts: TranscriptParts, id: string) => void, Pass]>([
  ["expire", look, expireGlances({ keep: 2, isGlance: () => true, note: () => "[stale]" })],
  ["trim", look, trimLarge({ keep: 2 })],
  ["prune", refusal, pruneDenials({ keep: 2 })],
])("%s counts on the branch that goes on, and leaves others", (_name, round, pass) => {
  const { entries, left } = forked(round);
  const changed = (leaf?: string | null): string[] => {
    const after = applyPasses(entries, [pass], leaf).entries;
    return ["t0", "t1", "left0", "left1", "left2", "t2"].filter(
      (id) => contentFor(after, id) !== contentFor(entries, id),
    );
  };
  expect(changed()).toEqual(["t0"]);
  expect(changed(left)).toEqual(["t0", "t1", "left0"]);
  expect(changed(null)).toEqual([]);
});

it("rounds ago are those of the branch, without errors of the API", () => {
  const { entries } = forked(look);
  const parts = new TranscriptParts();
  const error = parts.says("e", { type: "text", text: "529" }, { isApiErrorMessage: true });
  const all = [...entries, { ...error, uuid: "e", parentUuid: entries.at(-1)!.uuid }];
  expect([...liveMessages(all)]).toEqual([
    ["msg-t2", 0],
    ["msg-t1", 1],
    ["msg-t0", 2],
  ]);
});

it("behind a compact boundary there is what it preserves, and nothing else from before", () => {
  const parts = new TranscriptParts();
  parts.round("t0", "ls", "x");
  parts.round("t1", "ls", "x");
  const uuids = parts.entries.slice(-2).map(({ uuid }) => uuid);
  const compactMetadata = { preservedMessages: { anchorUuid: "summary", uuids } };
  parts.add({ type: "system", subtype: "compact_boundary", parentUuid: null, compactMetadata });
  parts.prompt("Summary.", { uuid: "summary", isCompactSummary: true });
  parts.round("t2", "ls", "x");
  expect([...liveMessages(parts.entries).keys()]).toEqual(["msg-t2", "msg-t1"]);
});

it("a subagent's history goes on from its newest entry, a main thread's from its own", () => {
  const parts = new TranscriptParts();
  const main = parts.prompt("main");
  const side = parts.prompt("side", { isSidechain: true });
  expect(newestLeaf([main, side])).toBe(main.uuid);
  expect(newestLeaf([side])).toBe(side.uuid);
  expect(newestLeaf([{ type: "summary" }])).toBeNull();
});
