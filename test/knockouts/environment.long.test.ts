import { describe, expect, it } from "vitest";
import { harnessEnvironment } from "../../src/harness/environment.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

describe("the harness's environment", () => {
  const made = (noCompaction: boolean) =>
    harnessEnvironment({
      base: { ANTHROPIC_API_KEY: "inherited-key", FLOWER_NOTIFY: "webhook:https://x.example/token" },
      credentials: { ANTHROPIC_API_KEY: "resolved-key", ANTHROPIC_MODEL: "a-model" },
      configDir: undefined,
      window: 200_000,
      noCompaction,
      longCache: false,
      extra: {},
    });

  it("holds no API key, whether inherited or resolved", () => {
    expect(Object.values(made(true)).join()).not.toMatch(/inherited-key|resolved-key/);
    expect(made(true)).toMatchObject({ ANTHROPIC_MODEL: "a-model" });
  });

  it("holds no address of a notification", () => {
    expect(made(true)).not.toHaveProperty("FLOWER_NOTIFY");
  });

  it("turns the harness's own compaction off only where flower hands over", () => {
    expect(made(true)).toHaveProperty("DISABLE_AUTO_COMPACT", "1");
    expect(made(false)).not.toHaveProperty("DISABLE_AUTO_COMPACT");
  });
});

it.each([
  [{ cacheTtl: "1h" as const }, "1h", undefined],
  // Another endpoint than Anthropic's may refuse to be asked.
  [{}, undefined, undefined],
])(
  "a coordinator's prompts are kept for an hour, its workers' for five minutes: %j",
  async (options, main1, sub1) => {
    const { runtime, rehearsal } = await stage(
      [
        main([call("Agent", { description: "d", prompt: "look", subagent_type: "worker" }), say("done")]),
        sub([say("found")]),
      ],
      options,
    );
    const spec = coordinator("work", "", { worker: worker("works", "You work.") });
    await runtime.run(spec, "do it");
    const ttl = (index: number): unknown => {
      const marks = JSON.stringify(rehearsal.body(index)).match(/"cache_control":\{[^}]*\}/g) ?? [];
      expect(marks.length).toBeGreaterThan(0);
      return /"ttl":"(\w+)"/.exec(marks.join())?.[1];
    };
    expect([0, 1, 2].map(ttl)).toEqual([main1, sub1, main1]);
  },
);

it("an agent that is asked to run in the background still answers in the foreground", async () => {
  const { runtime } = await stage([
    main((r) => {
      const [report] = r.toolResults;
      if (report !== undefined)
        return say(report.text.includes("what the worker found") ? "heard" : "launched");
      return call("Agent", {
        description: "d",
        prompt: "look",
        subagent_type: "worker",
        run_in_background: true,
      });
    }),
    sub([say("what the worker found")]),
  ]);
  const spec = coordinator("work", "", { worker: worker("works", "You work.") });
  expect((await runtime.run(spec, "do it")).text).toBe("heard");
});

it("sessions with different first prompts share everything in front of their messages", async () => {
  const { runtime, rehearsal } = await stage([main([say("one"), say("two")])]);
  await runtime.run(SPEC, "begin");
  await runtime.run(SPEC, "something else entirely, much longer than before");
  const [first, second] = rehearsal.journal;
  expect(second?.sessionId).not.toBe(first?.sessionId);
  expect(rehearsal.body(1).system).toEqual(rehearsal.body(0).system);
});
