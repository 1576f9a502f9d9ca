import { expect, it } from "vitest";
import { randomUUID } from "node:crypto";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, drop, say, type FixedReply } from "../../src/testing/index.ts";
import { DOCUMENT, grow, main, SPEC, stage, sub } from "../support/stage.ts";

it("a session that is gone from the store starts over with the whole task, not with the short prompt", async () => {
  const { runtime, rehearsal, seen } = await stage([main([say("done")])]);
  const result = await runtime.run(SPEC, "go on", { resume: randomUUID(), freshPrompt: "the whole task" });
  expect(result).toMatchObject({ ok: true, text: "done", attempts: 1 });
  expect(rehearsal.journal.map((row) => row.lastUserText.split("\n")[0])).toEqual(["the whole task"]);
  expect(seen.ofType("system").map((event) => event.message)).toContainEqual(
    expect.stringContaining("is gone from the store"),
  );
});

it("says of each prompt why it was sent, and counts tokens while the round runs", async () => {
  let written = false;
  const { runtime, seen } = await stage(
    [
      main((request) => {
        if (/under exactly these headings/.test(request.lastUserText)) {
          written = true;
          return say(DOCUMENT);
        }
        if (!written) return grow;
        if (/connection was lost|^again/.test(request.lastUserText)) return say("on");
        return drop();
      }),
    ],
    { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
  );
  const first = await runtime.run(SPEC, "do it", { keepAlive: true });
  await runtime.run(SPEC, "again", { resume: first.sessionId ?? "" });
  expect(seen.ofType("prompt").map((event) => event.kind)).toEqual([
    "start",
    "handoff",
    "start",
    "resume",
    "round",
  ]);
  const inRound = seen.ofType("usage").slice(0, 2);
  expect(inRound.every((event) => event.tokens.output > 0)).toBe(true);
  // Tokens of one message are counted once, however many parts it came in.
  const last = seen.ofType("usage").at(-1);
  expect(last?.tokens.output).toBeLessThan(first.tokens.main.output + 1_000);
});

// Fails when the level is first known at the main thread's first boundary: subagents may work for hours until then.
it("says how full the context is from the first reply on, of a session that goes on as well", async () => {
  const spec = coordinator("work", "", { worker: worker("works", "You work.") });
  const script = [
    main((request): FixedReply =>
      request.lastUserText === ""
        ? say("done")
        : call("Agent", { description: "p", prompt: "p", subagent_type: "worker" }),
    ),
    sub(() => say("a report")),
  ];
  const { runtime, seen } = await stage(script);
  const first = await runtime.run(spec, "do it");
  await runtime.run(spec, "more", { resume: first.sessionId ?? "" });
  await runtime.close();
  const rounds = seen.events.filter(
    ({ type }) => type === "prompt" || type === "usage" || type === "toolResult",
  );
  const levels = rounds.flatMap((event, i) => {
    const before = rounds[i - 1];
    return before?.type === "prompt" && event.type === "usage" ? [event.context] : [];
  });
  expect(levels).toHaveLength(2);
  expect(levels[1]).toBeGreaterThan(levels[0] ?? Infinity);
});
