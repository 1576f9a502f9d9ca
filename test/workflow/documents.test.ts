import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clarifyStep } from "../../src/workflow/clarify.ts";
import type { StarterContext, StarterParts } from "../../src/workflow/context.ts";
import { goalStep } from "../../src/workflow/goal.ts";
import { Workflow, type WorkflowResult } from "../../src/workflow/workflow.ts";
import { BRIEF, FakeHost, failure, GOAL, starterParts } from "./fake-host.ts";

const note = (parts: StarterParts, name: string): string => join(parts.workbench.paths.notes, name);

async function clarifyAndGoal(
  parts: StarterParts,
): Promise<{ context: StarterContext; ended: WorkflowResult }> {
  const context: StarterContext = { request: "make a converter", verdicts: [] };
  const flow = new Workflow([clarifyStep(parts), goalStep(parts)]);
  return { context, ended: await flow.run(parts.host, context) };
}

describe("clarify", () => {
  it("freezes the four sections alone; the goal is derived from them by a session of its own", async () => {
    const host = new FakeHost({
      clarify: [`I looked around.\n\n${BRIEF}\n## Plan\nsecret plan\n`],
      goal: [GOAL],
    });
    const parts = await starterParts(host);
    const { context } = await clarifyAndGoal(parts);
    expect(host.call("clarify").prompt).toBe("make a converter");
    expect(context.brief).toContain("no packages");
    expect(context.brief).not.toMatch(/looked around/);
    expect(await readFile(note(parts, "brief.md"), "utf8")).toBe(context.brief);
    expect(host.call("goal").prompt).toBe(context.brief);
    expect(host.call("goal").options.resume).toBeUndefined();
  });

  it("asks once more in the same session, naming what is missing", async () => {
    const half = BRIEF.replace("no packages", "(empty)");
    const host = new FakeHost({ clarify: [half], "clarify#round2": [BRIEF], goal: [GOAL] });
    await clarifyAndGoal(await starterParts(host));
    const again = host.call("clarify#round2");
    expect(again.prompt).toContain('"Boundaries"');
    expect(again.prompt).not.toContain('"Goal"');
    expect(again.options.resume).toBe("session of clarify");
  });

  it("stops after the second try; nothing is frozen", async () => {
    const host = new FakeHost({ clarify: ["what?"], "clarify#round2": ["## Goal\nx"] });
    const parts = await starterParts(host);
    const { ended } = await clarifyAndGoal(parts);
    expect(ended.stopped?.step).toBe("clarify");
    expect(ended.stopped?.reason).toContain("without text: Acceptance criteria");
    expect(await readdir(parts.workbench.paths.notes)).toEqual([]);
  });

  it("gives the person's words to a session that was cut before the brief", async () => {
    const host = new FakeHost({ clarify: [BRIEF], goal: [GOAL] });
    host.sessions["clarify"] = { sessionId: "s1" };
    const parts = await starterParts(host);
    await new Workflow([clarifyStep(parts, { words: "also tables" })]).run(host, {
      request: "make a converter",
      verdicts: [],
    });
    expect(host.call("clarify").options.resume).toBe("s1");
    expect(host.call("clarify").prompt).toMatch(/woken[\s\S]*also tables/);
    // What it was asked first is in its history.
    expect(host.call("clarify").prompt).not.toContain("converter");
  });

  it("gives them to the successor of a session that handed over as well", async () => {
    const host = new FakeHost({ clarify: [BRIEF] });
    host.sessions["clarify"] = { sessionId: "s1", handoff: "frozen" };
    host.handoffs["clarify"] = "You take over.";
    const step = clarifyStep(await starterParts(host), { words: "also tables" });
    await new Workflow([step]).run(host, { request: "make a converter", verdicts: [] });
    expect(host.call("clarify").prompt).toMatch(/^You take over\.[\s\S]*also tables/);
  });

  it("puts an old goal away when the brief is new", async () => {
    const host = new FakeHost({ clarify: [BRIEF], goal: [failure("no connection")] });
    const parts = await starterParts(host, { locale: "zh" });
    await writeFile(note(parts, "goal.md"), GOAL);
    const { ended, context } = await clarifyAndGoal(parts);
    expect(ended.stopped).toEqual({ step: "goal", reason: "no connection" });
    expect(context.goal).toBeUndefined();
    expect(await readdir(parts.workbench.paths.notes)).toEqual(["archive", "需求.md"]);
    const [stamp = ""] = await readdir(note(parts, "archive"));
    expect(await readFile(note(parts, join("archive", stamp, "goal.md")), "utf8")).toBe(GOAL);
  });
});

describe("documents on disk", () => {
  it.each([
    ["en", "brief.md", "goal.md"],
    ["zh", "brief.md", "goal.md"],
    ["en", "需求.md", "目标.md"],
    ["de", "需求.md", "goal.md"],
  ] as const)("%s: %s and %s skip their steps and fill the context", async (locale, brief, goal) => {
    const host = new FakeHost({});
    const parts = await starterParts(host, { locale });
    await writeFile(note(parts, brief), BRIEF);
    await writeFile(note(parts, goal), GOAL);
    const { context, ended } = await clarifyAndGoal(parts);
    expect(ended).toEqual({ ok: true, results: [] });
    expect(context.brief).toBe(BRIEF);
    expect(context.goal?.checks).toEqual(["run it, see HTML", "run the tests, see 0"]);
    expect((await readdir(parts.workbench.paths.notes)).sort()).toEqual([brief, goal].sort());
  });

  it.each([
    ["a brief with an empty section", BRIEF.replace("no packages", "(空)"), GOAL, ["clarify", "goal"]],
    ["a goal without checks", BRIEF, "## Goal\nx\n\n## Checks\n", ["goal"]],
  ])("%s does not skip", async (_name, brief, goal, steps) => {
    const host = new FakeHost({ clarify: [BRIEF], goal: [GOAL] });
    const parts = await starterParts(host);
    await writeFile(note(parts, "brief.md"), brief);
    await writeFile(note(parts, "goal.md"), goal);
    await clarifyAndGoal(parts);
    expect(host.steps).toEqual(steps);
    // A person may have edited it: what is made anew is kept, and that is said.
    expect(host.said).toMatch(/was not complete and is made anew; what stood there is kept in .*archive/);
  });

  // Fails when what a person wrote into a brief that is not complete is nobody's to read.
  it.each([undefined, "clarified"])(
    "an incomplete brief is shown to who asks for the rest: %s",
    async (session) => {
      const host = new FakeHost({ clarify: [BRIEF], goal: [GOAL] });
      if (session !== undefined) host.sessions["clarify"] = { sessionId: session };
      const parts = await starterParts(host);
      await writeFile(note(parts, "brief.md"), BRIEF.replace("no packages", ""));
      await clarifyAndGoal(parts);
      expect(host.call("clarify").prompt).toContain(`not complete lies in ${note(parts, "brief.md")}`);
    },
  );

  it("get the names and headings of the language", async () => {
    const host = new FakeHost({ clarify: [BRIEF], goal: [GOAL] });
    const parts = await starterParts(host, { locale: "zh" });
    await clarifyAndGoal(parts);
    expect(await readFile(note(parts, "需求.md"), "utf8")).toContain("## 验收标准");
    expect(await readFile(note(parts, "目标.md"), "utf8")).toContain("## 判定清单");
  });
});

describe("goal", () => {
  it("tells the person which checks cannot be verified here", async () => {
    const goal = `${GOAL}- [unverifiable here: needs 30 days] telemetry after the flip\n`;
    const host = new FakeHost({ clarify: [BRIEF], goal: [goal] });
    await clarifyAndGoal(await starterParts(host));
    expect(host.said).toContain("telemetry after the flip");
    expect(host.said).not.toContain("see HTML");
  });

  it("is asked for again in the same session when it has no checks, and never goes on from an earlier run", async () => {
    const host = new FakeHost({ clarify: [BRIEF], goal: ["## Goal\nx"], "goal#round2": [GOAL] });
    host.sessions["goal"] = { sessionId: "of an earlier run" };
    const { context } = await clarifyAndGoal(await starterParts(host));
    expect(host.call("goal").options.resume).toBeUndefined();
    expect(host.call("goal#round2").options.resume).toBe("session of goal");
    expect(context.goal?.checks).toHaveLength(2);
  });
});
