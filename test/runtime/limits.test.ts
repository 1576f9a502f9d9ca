import { describe, expect, it } from "vitest";
import { backoffMs, limitOver, resolveResilience } from "../../src/runtime/resilience.ts";
import { apiError, call, say, type FixedReply } from "../../src/testing/index.ts";
import { FAST, main, messagesText, SPEC, stage } from "../support/stage.ts";

const SHORT = { ...FAST, limitPollMs: 300, limitJitterMs: 100 };

/** Refuses until the model was asked to go on, as many times as told. */
const limited = (refusals: number, text: () => string): (() => FixedReply) => {
  let refused = 0;
  return () => {
    refused += 1;
    return refused <= refusals
      ? apiError(429, text(), { headers: { "retry-after": "300" } })
      : say("went on");
  };
};

describe("a used-up allowance", () => {
  it.each<[string, () => string]>([
    [
      "until the moment that is stated",
      () => `Claude AI usage limit reached|${Math.ceil(Date.now() / 1_000) + 2}`,
    ],
    ["by trying when nobody says until when", () => "Claude AI usage limit reached|invalid"],
  ])("is waited for %s, in the same session, and counts as no failed attempt", async (_name, text) => {
    const reply = limited(1, text);
    const { runtime, rehearsal, seen } = await stage(
      [
        main((request) => {
          if (request.turnCount === 0) return call("Bash", { command: "echo before" });
          return reply();
        }),
      ],
      { resilience: SHORT },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "went on", attempts: 1 });
    const [wait] = seen.ofType("retry");
    expect(wait?.untilMs).toBeGreaterThan(wait?.timeMs ?? Infinity);
    expect(seen.ofType("retry")).toHaveLength(1);
    const last = rehearsal.journal.at(-1);
    expect(last?.timeMs).toBeGreaterThanOrEqual(wait?.untilMs ?? Infinity);
    expect(new Set(rehearsal.journal.map((row) => row.sessionId)).size).toBe(1);
    expect(messagesText(rehearsal, last?.index ?? 0)).not.toMatch(/usage limit/);
  });

  it("is waited for also when it is used up at the very start", async () => {
    const reply = limited(1, () => "Claude AI usage limit reached|invalid");
    const { runtime } = await stage([main(reply)], {
      resilience: SHORT,
    });
    expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "went on", attempts: 1 });
  });

  it("ends the step at once when it should not be waited for, with what to do", async () => {
    const { runtime, seen } = await stage([main(() => apiError(429, "5-hour limit reached ∙ resets 3am"))], {
      resilience: { ...SHORT, waitLimits: false },
    });
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, attempts: 1 });
    expect(result.error).toMatch(/resets 3am.*run again when it is over/s);
    expect(seen.ofType("retry")).toEqual([]);
  });
});

describe("limitOver", () => {
  const resilience = resolveResilience(true);
  it.each([
    ["a stated moment, a little later", 5_000, 1_000, 0.5, 5_000 + 20_000],
    ["a stated moment, never exactly then", 5_000, 1_000, 0, 5_000 + 10_000],
    ["a moment that has just passed: soon", 900, 1_000, 0.5, 1_000 + 30_000],
    ["a moment that passed long ago says nothing", 900, 2_000_000, 0.5, 2_000_000 + 300_000],
    ["a moment beyond all dates says nothing", 1e17, 1_000, 0.5, 1_000 + 300_000],
    ["nothing stated", undefined, 1_000, 0, 1_000 + 225_000],
  ])("%s", (_name, resets, nowMs, random, until) =>
    expect(limitOver(resets, resilience, nowMs, () => random)).toBe(until),
  );
});

describe("backoffMs", () => {
  const resilience = resolveResilience(true);
  it.each([
    [2, undefined, 4_000],
    [3, 529, 8_000],
    [6, 500, 64_000],
    [9, 500, 120_000],
    [2, 429, 120_000],
  ])("before try %i after %s: %i ms", (attempt, status, ms) => {
    expect(backoffMs({ attempt, status }, resilience, () => 0.5)).toBe(ms);
    expect(backoffMs({ attempt, status }, resilience, () => 0)).toBe(0.75 * ms);
  });
});
