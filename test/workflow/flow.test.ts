import { describe, expect, it } from "vitest";
import { runFlow, type Flow, type FlowParts } from "../../src/workflow/flow.ts";

/** What a function that returns this comes to. */
const outcome = async (value: unknown) =>
  runFlow((() => value) as Flow, {} as FlowParts, { context: { request: "", verdicts: [] }, name: "list" });
const settled = (value: unknown) => ({ status: "fulfilled", value });
const step = { ok: true, status: "done", text: "t" };

describe("what a function comes to", () => {
  it.each([[undefined], [null], [7], [true], [[]], [["a", 1]], [{ a: 1 }], [new Map()], [{ results: 3 }]])(
    "is done for %j",
    async (value) => {
      expect(await outcome(value)).toEqual({ ok: true, results: [] });
    },
  );

  it.each([
    ["a text", "said", { ok: true, results: [], text: "said" }],
    ["a step's result", step, { ok: true, results: [step] }],
    ["several", [step, step], { ok: true, results: [step, step] }],
    ["branches that came to something", [settled(step), settled("x")], { ok: true, results: [step] }],
    ["a workflow's result", { ok: true, results: [step] }, { ok: true, results: [step] }],
  ])("is what it says for %s", async (_name, value, expected) => {
    expect(await outcome(value)).toEqual(expected);
  });

  it.each([
    ["a step's result", { ...step, ok: false, status: "failed", error: "no key" }, "no key"],
    ["one of several", [step, { ok: false, stopped: { step: "a", reason: "cold" } }], "cold"],
    ["a status alone", { ok: false, error: undefined, status: "failed" }, "failed"],
    ["no reason", { ok: false }, "it returned ok: false, and no reason"],
    [
      "a branch that was rejected",
      [settled(step), { status: "rejected", reason: new Error("lost") }],
      "lost",
    ],
    ["a branch that came to no good", [settled({ ...step, ok: false, error: "no key" })], "no key"],
    ["results that are none", { ok: false, results: [null] }, "it returned ok: false, and no reason"],
  ])("has failed with a reason for %s", async (_name, value, reason) => {
    const ended = await outcome(value);
    expect(ended).toMatchObject({ ok: false, stopped: { step: "list", reason } });
  });
});
