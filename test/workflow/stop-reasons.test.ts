import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Locale } from "../../src/core/locale.ts";
import { Goal } from "../../src/documents/goal.ts";
import { clarifyStep } from "../../src/workflow/clarify.ts";
import type { StarterContext, StarterParts } from "../../src/workflow/context.ts";
import { withGoal } from "../../src/workflow/goal-loop.ts";
import { goalStep } from "../../src/workflow/goal.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { BRIEF, FakeHost, GOAL, ruling, starterParts, type Scripted } from "./fake-host.ts";

/** Why a workflow of one step stopped. */
async function reasonOf(
  locale: Locale,
  script: Record<string, Scripted[]>,
  stepOf: (parts: StarterParts) => Step<StarterContext>,
): Promise<string | undefined> {
  const host = new FakeHost(script);
  const parts = await starterParts(host, { locale });
  const context: StarterContext = { request: "r", verdicts: [] };
  if (script["work"] !== undefined) Object.assign(context, { brief: BRIEF, goal: Goal.parse(GOAL) });
  const ended = await new Workflow([stepOf(parts)]).run(host, context);
  return ended.stopped?.reason;
}

const work =
  (rounds: number) =>
  (parts: StarterParts): Step<StarterContext> =>
    withGoal({ name: "work", spec: { name: "work", instructions: "" }, prompt: "build" }, parts, {
      runDir: join(parts.workbench.workspace, "runs"),
      mountsOver: true,
      rounds,
    });

const NOT_YET = ruling("not yet", "因为", "测试");

describe("the person reads in their language why a run stopped", () => {
  it.each<[string, Record<string, Scripted[]>, (parts: StarterParts) => Step<StarterContext>, RegExp]>([
    ["no brief", { clarify: ["?"], "clarify#round2": ["## 目标\n甲"] }, clarifyStep, /缺少内容:验收标准/],
    ["no goal", { goal: ["?"], "goal#round2": ["?"] }, goalStep, /^最后的回答不是目标/],
    [
      "not yet",
      { work: ["made"], "work·verdict#1": [NOT_YET] },
      work(1),
      /^1 轮之后仍未达成:未通过:\n- 测试\n\n因为$/,
    ],
    [
      "judged the same twice",
      {
        work: ["made"],
        "work·verdict#1": [NOT_YET],
        "work#round2": ["made"],
        "work·verdict#2": [NOT_YET],
      },
      work(3),
      /^其间没有任何改动,两次判定相同:未通过:/,
    ],
    [
      "unreachable",
      { work: ["made"], "work·verdict#1": [ruling("unreachable", "因为")] },
      work(1),
      /^无法达成:因为$/,
    ],
    [
      "no verdict",
      { work: ["made"], "work·verdict#1": ["?", "?"] },
      work(1),
      /^没有判定:判定的回答里没有结论$/,
    ],
  ])("%s", async (_name, script, stepOf, reason) => {
    expect(await reasonOf("zh", script, stepOf)).toMatch(reason);
  });

  it("and in English, too, not what the model was told", async () => {
    const reason = await reasonOf("en", { clarify: ["?"], "clarify#round2": ["## Goal\na"] }, clarifyStep);
    expect(reason).toMatch(/without text: Acceptance criteria, Boundaries, Unknowns/);
    expect(reason).not.toMatch(/Answer with|nothing else/);
  });
});
