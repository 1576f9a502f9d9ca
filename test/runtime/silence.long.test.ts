import { expect, it } from "vitest";
import { call, hang, say, type FixedReply } from "../../src/testing/index.ts";
import { FAST, main, SPEC, stage } from "../support/stage.ts";

// Fails when the watchdog is taken out of the session: the step would wait for the harness's own time-out.
it("a stream that is silent while no tool runs is ended, and the same session goes on", async () => {
  let hung = false;
  const { runtime, rehearsal, seen } = await stage(
    [
      main((request): FixedReply => {
        if (request.turnCount === 0) return call("Bash", { command: "echo x" });
        if (hung) return say("went on");
        hung = true;
        return hang();
      }),
    ],
    { resilience: { ...FAST, silenceMs: 2_000 } },
  );
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: true, text: "went on", attempts: 2 });
  expect(result.errors.join()).toMatch(/nothing came/);
  expect(seen.ofType("retry")).toHaveLength(1);
  expect(new Set(rehearsal.journal.map((row) => row.sessionId)).size).toBe(1);
});

// Fails when a call counts as under way until its batch ends: the harness runs it while the reply is still streamed.
it("a stream that is silent behind a call that has its result is ended as well", async () => {
  let stalled = false;
  const { runtime, seen } = await stage(
    [
      main((): FixedReply => {
        if (stalled) return say("went on");
        stalled = true;
        return { ...call("Bash", { command: "echo x" }), stallAfterBlocks: 1 };
      }),
    ],
    { resilience: { ...FAST, silenceMs: 2_000 } },
  );
  expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "went on" });
  expect(seen.ofType("toolResult")).toHaveLength(1);
  expect(seen.ofType("retry")).toHaveLength(1);
}, 60_000);

it("a tool that says nothing for longer is left alone", async () => {
  const { runtime, seen } = await stage([main([call("Bash", { command: "sleep 4" }), say("done")])], {
    resilience: { ...FAST, silenceMs: 2_000 },
  });
  expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "done", attempts: 1 });
  expect(seen.ofType("retry")).toEqual([]);
});
