import { describe, expect, it } from "vitest";
import { say as reply, call, type FixedReply } from "../../src/testing/index.ts";
import { NOTHING_DONE } from "../../src/context/rewrite-pass.ts";
import { RewriteBook } from "../../src/runtime/rewrite-book.ts";
import { resumedHistory, rewriteMessage } from "../../src/runtime/resumed-history.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { TranscriptParts } from "../context/transcript-parts.ts";
import { agedStore } from "../support/aged-store.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

it("says in one line what a rewrite did, and nothing of one that did nothing", () => {
  expect(rewriteMessage(NOTHING_DONE, 0)).toBeUndefined();
  expect(
    rewriteMessage({ ...NOTHING_DONE, expired: 1, residuePruned: 2, bridged: 1, charsSaved: 900 }, 0),
  ).toBe(
    "the history was rewritten for this resume: 1 old look expired, 2 leftovers of errors removed, " +
      "1 lost parent bridged; 900 characters less",
  );
  expect(rewriteMessage({ ...NOTHING_DONE, repaired: 3, charsSaved: -180 }, 0)).toMatch(
    /3 open calls closed; 0 characters/,
  );
  expect(rewriteMessage(NOTHING_DONE, 812)).toMatch(/^812 characters .* stay for now/);
  expect(rewriteMessage({ ...NOTHING_DONE, repaired: 1 }, 812)).toMatch(
    /1 open call closed.*; 812 characters/,
  );
});

it("says it of main threads alone", async () => {
  const said: string[] = [];
  const store = new MemorySessionStore();
  const parts = new TranscriptParts();
  parts.bash("m1", "t1", "make");
  const key = { projectKey: ".", sessionId: "s" };
  for (const subpath of [undefined, "subagents/agent-a"])
    await store.append(subpath === undefined ? key : { ...key, subpath }, parts.entries);
  const options = { expire: true, trim: false, keepDenials: 1, locale: "en" } as const;
  const history = resumedHistory(
    store,
    {
      options,
      workbench: undefined,
      book: new RewriteBook(await tempDir()),
      say: (line) => said.push(line),
    },
    { ttl: "5m", servedBy: { model: "m", endpoint: "e" } },
  );
  await history.load({ ...key, subpath: "subagents/agent-a" });
  expect(said).toEqual([]);
  await history.load(key);
  expect(said).toHaveLength(1);
});

describe("a session that is resumed on the real harness", () => {
  const LOOKS = 12;
  const script = (request: { turnCount: number }): FixedReply =>
    request.turnCount < LOOKS
      ? call("Bash", { command: `git log -${request.turnCount + 1} --oneline; ls` })
      : reply("one");

  it.each([
    ["keeps old looks while the API has them in its cache", false, 0],
    ["loses old looks when the cache is cold anyway", true, LOOKS - 6],
  ])(
    "%s",
    async (_what, cold, expired) => {
      const memory = new MemorySessionStore();
      const store = cold ? agedStore(memory) : memory;
      const first = await stage([main(script)], { store });
      const { sessionId = "" } = await first.runtime.run(SPEC, "do it");
      await first.runtime.close();
      const again = await stage([main(() => reply("two"))], { store, workspace: first.workspace });
      await again.runtime.run(SPEC, "go on", { resume: sessionId });
      const resent = messagesText(again.rehearsal, 0);
      expect(resent.match(/git log -\d+ --oneline; ls/g)).toHaveLength(LOOKS + expired);
    },
    60_000,
  );
});
