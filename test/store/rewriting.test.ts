import { expect, it } from "vitest";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { rewriting, type RewritePass } from "../../src/store/rewriting.ts";

const KEY = { projectKey: "project", sessionId: "session" };
const AGENT = { ...KEY, subpath: "subagents/agent-a" };
const STORED = [
  { type: "user", uuid: "1" },
  { type: "assistant", uuid: "2" },
];

const dropFirst: RewritePass = (entries) => entries.slice(1);
const count: RewritePass = (entries) => entries.map((entry) => ({ ...entry, of: entries.length }));

it.each([
  ["the main thread", KEY],
  ["a subagent", AGENT],
])("rewrites what is loaded of %s, pass after pass, and nothing that is stored", async (_whose, key) => {
  const inner = new MemorySessionStore();
  const store = rewriting(inner, [dropFirst, count]);
  await store.append(key, STORED);
  expect(await store.load(key)).toEqual([{ type: "assistant", uuid: "2", of: 1 }]);
  expect(await rewriting(inner, [count, dropFirst]).load(key)).toEqual([
    { type: "assistant", uuid: "2", of: 2 },
  ]);
  expect(await inner.load(key)).toEqual(STORED);
});

it("calls no pass for a key that was never written", async () => {
  const store = rewriting(new MemorySessionStore(), [
    () => {
      throw new Error("called");
    },
  ]);
  expect(await store.load(KEY)).toBeNull();
});
