import { expect, it } from "vitest";
import { MemorySessionStore } from "../../src/store/index.ts";
import { say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

const PROJECT = ".";

/** A session of two turns, whose store is looked into. */
async function twoTurns() {
  const store = new MemorySessionStore();
  const staged = await stage([main((request) => say(`answer ${request.turnCount}`))], { store });
  const { runtime } = staged;
  const { sessionId = "" } = await runtime.run(SPEC, "the first question");
  await runtime.run(SPEC, "the second question", { resume: sessionId });
  const entries = async (id: string) => (await store.load({ projectKey: PROJECT, sessionId: id })) ?? [];
  return { ...staged, sessionId, entries };
}

it.runIf(LONG)(
  "a fork has the whole history and leaves the session that it came from as it was",
  async () => {
    const { runtime, rehearsal, sessionId, entries } = await twoTurns();
    const before = await entries(sessionId);
    const forked = await runtime.run({ ...SPEC, name: "fork" }, "another way", {
      resume: sessionId,
      fork: true,
    });
    expect(forked).toMatchObject({ ok: true, text: "answer 2" });
    expect(forked.sessionId).not.toBe(sessionId);
    const sent = messagesText(rehearsal, 2);
    expect(sent).toMatch(/the first question.*answer 0.*the second question.*answer 1.*another way/s);
    expect(await entries(sessionId)).toEqual(before);
  },
);

it.runIf(LONG)("a resume at a message knows nothing of what came after it", async () => {
  const { runtime, rehearsal, sessionId, entries } = await twoTurns();
  const at =
    (await entries(sessionId)).find((entry) => JSON.stringify(entry).includes("answer 0"))?.uuid ?? "";
  const result = await runtime.run(SPEC, "from there", { resume: sessionId, fork: true, resumeAt: at });
  expect(result).toMatchObject({ ok: true, text: "answer 1" });
  const sent = messagesText(rehearsal, 2);
  expect(sent).toMatch(/the first question.*answer 0.*from there/s);
  expect(sent).not.toContain("the second question");
});

it("a message that the session does not have is said, with what to do", async () => {
  const { runtime, sessionId } = await twoTurns();
  const result = await runtime.run(SPEC, "x", {
    resume: sessionId,
    resumeAt: "11111111-1111-4111-8111-111111111111",
  });
  expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
  expect(result.error).toMatch(/name a session and a message of this run directory/);
});
