import { describe, expect, it } from "vitest";
import { checkRun } from "../../src/runtime/check-run.ts";
import { judge } from "../../src/roles/roles.ts";
import type { RunStepOptions } from "../../src/runtime/contract.ts";
import { main, SPEC, stage } from "../support/stage.ts";
import { say } from "../../src/testing/index.ts";

describe("a step", () => {
  const open = new AbortController().signal;

  it.each<[string, string, RunStepOptions]>([
    ["the prompt of a step is empty", " ", {}],
    ["`fork` is given without", "go", { fork: true }],
    ["`resumeAt` is given without", "go", { resumeAt: "uuid" }],
    [
      "`handOverFirst` is given without",
      "go",
      { handOverFirst: { prompt: String, reason: "level", context: 0 } },
    ],
  ])("is refused: %s", (message, prompt, options) => {
    expect(() => checkRun(SPEC, prompt, options, open)).toThrow(message);
  });

  it.each<[object, RegExp]>([
    [{ resume: "s", forkk: true }, /wrong form: .*"forkk"/],
    [{ stepName: 3 }, /wrong `stepName`/],
    [{ onEvent: "x" }, /wrong `onEvent`: is no function/],
    [{ resume: "" }, /wrong `resume`/],
  ])("is refused with %j", (options, message) => {
    expect(() => checkRun(SPEC, "go", options, open)).toThrow(message);
  });

  it("that works in a copy is refused without one", () => {
    const spec = judge({ mode: "verdict" });
    expect(() => checkRun(spec, "rule", {}, open)).toThrow(/"verdict" works in a copy, and has none/);
    expect(() => checkRun(spec, "rule", { copyMount: { copy: "/tmp/x", readOnly: [] } }, open)).not.toThrow();
    expect(() => checkRun(judge({ mode: "verdict", run: false }), "rule", {}, open)).not.toThrow();
  });

  it.each<[string, RunStepOptions]>([
    ["with a session", { resume: "s", fork: true, resumeAt: "uuid" }],
    ["without one and without what needs it", { fork: false }],
  ])("passes %s", (_name, options) => {
    expect(() => checkRun(SPEC, "go", options, open)).not.toThrow();
  });

  it("is refused by a runtime that was closed", async () => {
    const { runtime } = await stage([main(() => say("done"))]);
    await runtime.run(SPEC, "go");
    await runtime.close();
    await expect(runtime.run(SPEC, "go on")).rejects.toMatchObject({
      code: "usage",
      message: "the runtime is closed",
    });
  });
});
