import { describe, expect, it } from "vitest";
import { handoffDue, handoffLine } from "../../src/runtime/handoff-policy.ts";

describe("handoffLine", () => {
  it.each([
    [200_000, undefined, 150_000, 130_000],
    [1_000_000, undefined, 950_000, 930_000],
    [20_000, undefined, 10_000, 1_000],
    [60_000, 20_000, 40_000, 20_000],
  ])("window %d, headroom %s → at %d, warnAt %d", (window, headroom, at, warnAt) => {
    const line = handoffLine({ enabled: true, ...(headroom === undefined ? {} : { headroom }) }, window);
    expect([line.at, line.warnAt, line.maxGenerations]).toEqual([at, warnAt, 8]);
  });

  it("refuses a window that is no size", () => {
    expect(() => handoffLine({ enabled: true }, 0)).toThrow(/window must be a positive number, got 0/);
  });
});

describe("handoffDue", () => {
  const due = { enabled: true, writing: false, sessionId: "s", context: 150_000, at: 150_000 };
  it("is due at the line", () => expect(handoffDue(due)).toBe(true));
  it.each([
    ["handoff is off", { enabled: false }],
    // Fails when the exemption is taken out of handoffDue (`!state.writing`).
    ["this round writes the document", { writing: true, context: 999_999 }],
    ["no session is known", { sessionId: undefined }],
    ["below the line", { context: 149_999 }],
  ])("is not due when %s", (_why, change) => expect(handoffDue({ ...due, ...change })).toBe(false));
});
