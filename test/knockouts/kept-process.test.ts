import { expect, it } from "vitest";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { rewriting } from "../../src/store/rewriting.ts";
import { say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("a further round goes into the process that is still alive; a later one reads the store", async () => {
  const plain = rewriting(new MemorySessionStore(), []);
  let loads = 0;
  const store = {
    ...plain,
    load: async (...args: Parameters<typeof plain.load>) => {
      loads += 1;
      return plain.load(...args);
    },
  };
  const { runtime } = await stage([main([say("one"), say("two"), say("three")])], { store });
  const { sessionId: resume = "" } = await runtime.run(SPEC, "begin", { keepAlive: true });
  expect(await runtime.run(SPEC, "more", { resume })).toMatchObject({ text: "two", sessionId: resume });
  expect(loads).toBe(0);
  expect(await runtime.run(SPEC, "again", { resume })).toMatchObject({ text: "three", sessionId: resume });
  expect(loads).toBeGreaterThan(0);
});
