import { expect, it } from "vitest";
import type { Entry } from "../../src/context/transcript.ts";
import { RewriteBook, type ServedBy } from "../../src/runtime/rewrite-book.ts";
import { resumedHistory } from "../../src/runtime/resumed-history.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { TranscriptParts } from "../context/transcript-parts.ts";
import { tempDir } from "../support/rehearse.ts";

const KEY = { projectKey: ".", sessionId: "s" };
const THREAD = { ...KEY, subpath: "subagents/agent-a" };
const OPUS: ServedBy = { model: "claude-opus-5", endpoint: "here" };

/** Old looks, and a reply of this moment that is too long to be worth another place in the cache. */
function looks(): Entry[] {
  const parts = new TranscriptParts();
  for (let n = 0; n < 8; n += 1) parts.round(`t${n}`, "ls", "x".repeat(200));
  const timestamp = new Date().toISOString();
  parts.says("last", { type: "text", text: "y".repeat(400_000) }, { timestamp });
  return parts.entries;
}

/** A session that ran on opus; `openAs` is it in another process, and what was said at its load. */
async function ranOnOpus() {
  const [store, dir] = [new MemorySessionStore(), await tempDir()];
  const open = (servedBy: ServedBy) => {
    const said: string[] = [];
    const options = { expire: true, trim: false, keepDenials: 1, locale: "en" } as const;
    const parts = {
      options,
      workbench: undefined,
      book: new RewriteBook(dir),
      say: (line: string) => said.push(line),
    };
    return { history: resumedHistory(store, parts, { ttl: "5m", servedBy }), said };
  };
  const { history } = open(OPUS);
  for (const key of [KEY, THREAD]) await history.append(key, looks());
  return async (servedBy: ServedBy, key = KEY): Promise<{ expired: number; said: string }> => {
    const { history, said } = open(servedBy);
    const loaded = JSON.stringify(await history.load(key));
    // Each result is there twice: in the message, and beside it.
    return { expired: 8 - (loaded.split("x".repeat(200)).length - 1) / 2, said: said.join() };
  };
}

it.each([
  ["the same one", OPUS, 0],
  ["another model", { ...OPUS, model: "claude-sonnet-5" }, 2],
  ["another endpoint", { ...OPUS, endpoint: "there" }, 2],
  ["a model that nobody named", { ...OPUS, model: "" }, 0],
])("what was served just now is in the cache of whom it was served by: %s", async (_who, now, expired) => {
  const openAs = await ranOnOpus();
  const loaded = await openAs(now);
  expect(loaded.expired).toBe(expired);
  expect(loaded.said).toMatch(
    expired === 0 ? /^\d+ characters of old results stay for now/ : /^the history was rewritten/,
  );
});

it("a second load by another model finds what the first one left", async () => {
  const openAs = await ranOnOpus();
  const sonnet = { ...OPUS, model: "claude-sonnet-5" };
  const first = await openAs(sonnet);
  expect(await openAs(sonnet)).toEqual(first);
});

it("subagents have models of their own", async () => {
  const openAs = await ranOnOpus();
  expect((await openAs({ ...OPUS, model: "claude-sonnet-5" }, THREAD)).expired).toBe(0);
});
