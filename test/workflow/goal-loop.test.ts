import { existsSync } from "node:fs";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Goal } from "../../src/documents/goal.ts";
import type { StarterContext, StarterParts } from "../../src/workflow/context.ts";
import { withGoal, type GoalLoopOptions } from "../../src/workflow/goal-loop.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow, type WorkflowResult } from "../../src/workflow/workflow.ts";
import {
  BRIEF,
  failure,
  FakeHost,
  GOAL,
  ruling,
  starterParts,
  type Call,
  type Scripted,
} from "./fake-host.ts";

const WORK: Step<StarterContext> = {
  name: "work",
  spec: { name: "work", instructions: "" },
  prompt: "build",
};
const NOT_YET = ruling("not yet", "half of it", "- no tests: `npm test` says missing");
const UNREACHABLE = ruling("unreachable", "no network here");

interface Judged {
  host: FakeHost;
  parts: StarterParts & { questions: string[] };
  context: StarterContext;
  ended: WorkflowResult;
}

async function judged(
  script: Record<string, Scripted[]>,
  setup: {
    answers?: readonly string[];
    options?: Partial<GoalLoopOptions>;
    step?: Partial<Step<StarterContext>>;
    during?: (call: Call, workspace: string) => void | Promise<void>;
    before?: (parts: StarterParts) => Promise<void>;
  } = {},
): Promise<Judged> {
  let workspace = "";
  const host = new FakeHost(script, async (call) => setup.during?.(call, workspace));
  const parts = await starterParts(host, { answers: setup.answers ?? [] });
  workspace = parts.workbench.workspace;
  await setup.before?.(parts);
  const options = { runDir: join(workspace, "runs"), mountsOver: true, ...setup.options };
  const context: StarterContext = { request: "r", brief: BRIEF, goal: Goal.parse(GOAL), verdicts: [] };
  const step = withGoal({ ...WORK, ...setup.step }, parts, options);
  const ended = await new Workflow([step]).run(host, context);
  return { host, parts, context, ended };
}

describe("verdicts", () => {
  it("achieved ends the work; the judge is fresh and leaves no trace in the lineage", async () => {
    const { host, ended, context } = await judged({
      work: ["made"],
      "work·verdict#1": [ruling("achieved")],
    });
    expect(ended.ok).toBe(true);
    expect(ended.results.map(({ text }) => text)).toEqual(["made"]);
    expect(context.verdicts.map(({ conclusion }) => conclusion)).toEqual(["achieved"]);
    const judge = host.call("work·verdict#1");
    expect(judge.options).toMatchObject({ lineageStep: null });
    expect(judge.options.resume).toBeUndefined();
    expect(judge.prompt).toContain("run it, see HTML");
    expect(judge.prompt).toContain("no packages");
  });

  it("not yet: the work's own session, kept alive, goes on with what is missing", async () => {
    const { host, ended } = await judged({
      work: ["made"],
      "work·verdict#1": [NOT_YET],
      "work#round2": ["more"],
      "work·verdict#2": [ruling("achieved")],
    });
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(["work", "work·verdict#1", "work#round2", "work·verdict#2"]);
    expect(host.call("work").options.keepAlive).toBe(true);
    const round = host.call("work#round2");
    expect(round.options.resume).toBe("session of work");
    expect(round.prompt).toContain("no tests: `npm test` says missing");
    expect(round.prompt).toContain("half of it");
  });

  it("goes on in the successor when the work handed over", async () => {
    const { host } = await judged({
      work: [{ text: "made", sessionId: "successor", retired: ["session of work"] }],
      "work·verdict#1": [NOT_YET],
      "work#round2": ["more"],
      "work·verdict#2": [ruling("achieved")],
    });
    expect(host.call("work#round2").options.resume).toBe("successor");
  });

  it.each([
    [1, ["work", "work·verdict#1"]],
    [3, ["work", "work·verdict#1", "work#round2", "work·verdict#2", "work#round3", "work·verdict#3"]],
  ])("%i rounds in all, then it stops and says what is missing", async (rounds, steps) => {
    const script = Object.fromEntries(steps.map((step) => [step, [step.includes("·") ? NOT_YET : "made"]]));
    let changes = 0;
    const { host, ended } = await judged(script, {
      ...(rounds === 3 ? {} : { options: { rounds } }),
      // Each round changes something; a round that does not is asked about.
      during: async ({ options }, workspace) => {
        if (options.stepName?.includes("·") !== true)
          await writeFile(join(workspace, "made.txt"), String((changes += 1)));
      },
    });
    expect(host.steps).toEqual(steps);
    expect(ended.stopped?.reason).toMatch(new RegExp(`^not yet after ${rounds} rounds: [\\s\\S]*no tests`));
  });

  it.each([
    ["asks the person", ["accept the work as it is"], true, undefined],
    ["stops when nobody answers", [], false, /^judged the same twice with nothing changed/],
  ])("the same verdict twice with nothing changed in between %s", async (_name, answers, ok, reason) => {
    const { host, parts, ended } = await judged(
      {
        work: ["made"],
        "work·verdict#1": [NOT_YET],
        "work#round2": ["as before"],
        "work·verdict#2": [NOT_YET],
      },
      { answers },
    );
    expect(host.steps).toHaveLength(4);
    expect(parts.questions[0]).toMatch(/Two rounds changed nothing/);
    expect(ended.ok).toBe(ok);
    if (reason !== undefined) expect(ended.stopped?.reason).toMatch(reason);
  });

  it("work that failed is not judged", async () => {
    const { host, ended } = await judged({ work: [failure("no connection")] });
    expect(host.steps).toEqual(["work"]);
    expect(ended.stopped?.reason).toBe("no connection");
  });

  it("the step's own gate goes first", async () => {
    let asked = 0;
    const { host, ended } = await judged(
      { work: ["made"], "work#round2": ["more"], "work·verdict#1": [ruling("achieved")] },
      { step: { gate: () => ((asked += 1) === 1 ? { rejected: "say more" } : true) } },
    );
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(["work", "work#round2", "work·verdict#1"]);
    expect(host.call("work#round2").prompt).toBe("say more");
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d rounds", async (rounds) => {
    await expect(judged({}, { options: { rounds } })).rejects.toThrow(`rounds is ${rounds}`);
  });
});

describe("unreachable", () => {
  const first = { work: ["made"], "work·verdict#1": [UNREACHABLE] };

  it.each([
    ["nobody answers", [], "unreachable: no network here"],
    ["accepted by number", ["1"], undefined],
    ["accepted", ["accept the work as it is"], undefined],
    ["the goal is to change, but nobody says how", ["2"], "unreachable: no network here"],
    ["the judge is wrong, but nobody says why", ["3"], "unreachable: no network here"],
  ])("%s", async (_name, answers, reason) => {
    const { ended, host, parts } = await judged(first, { answers });
    expect(parts.questions[0]).toContain("no network here");
    expect(ended.stopped?.reason).toBe(reason);
    expect(host.steps).toEqual(["work", "work·verdict#1"]);
  });

  it.each([
    ["as an option and words", ["2", "offline is\nenough"]],
    ["in the person's own words", ["offline is\nenough"]],
  ])("a changed goal %s is appended to the file, judged by, and told to the work", async (_name, answers) => {
    const { host, parts, ended, context } = await judged(
      { ...first, "work#round2": ["more"], "work·verdict#2": [ruling("achieved")] },
      {
        answers,
        before: async ({ workbench }) =>
          writeFile(join(workbench.paths.notes, "目标.md"), `${GOAL.trimEnd()}\n- edited meanwhile`),
      },
    );
    expect(ended.ok).toBe(true);
    const file = await readFile(join(parts.workbench.paths.notes, "目标.md"), "utf8");
    expect(Goal.parse(file).checks.slice(-2)).toEqual(["edited meanwhile", "offline is enough"]);
    expect(existsSync(join(parts.workbench.paths.notes, "goal.md"))).toBe(false);
    expect(context.goal?.checks.at(-1)).toBe("offline is enough");
    expect(host.call("work#round2").prompt).toContain("offline is\nenough");
    expect(host.call("work·verdict#2").prompt).toContain("offline is enough");
  });

  it("a goal changed after the last round waits for the next run", async () => {
    const { ended, parts } = await judged(first, { answers: ["offline is enough"], options: { rounds: 1 } });
    expect(ended.stopped?.reason).toMatch(/changed after the last of 1 rounds: run again/);
    const file = await readFile(join(parts.workbench.paths.notes, "goal.md"), "utf8");
    expect(Goal.parse(file).checks).toContain("offline is enough");
  });

  it("an objection goes to the next judge, a fresh one, and to every later one", async () => {
    const { host, ended } = await judged(
      {
        ...first,
        "work·verdict#2": [NOT_YET],
        "work#round2": ["more"],
        "work·verdict#3": [ruling("achieved")],
      },
      { answers: ["3", "the mirror is on localhost"] },
    );
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(["work", "work·verdict#1", "work·verdict#2", "work#round2", "work·verdict#3"]);
    expect(host.call("work·verdict#1").prompt).not.toContain("mirror");
    for (const step of ["work·verdict#2", "work·verdict#3"]) {
      expect(host.call(step).prompt).toContain("the mirror is on localhost");
      expect(host.call(step).options.resume).toBeUndefined();
    }
  });
});

describe("not judged", () => {
  it.each<[string, Scripted, RegExp]>([
    ["a judge that failed", failure("overloaded"), /^not judged: overloaded$/],
    ["a verdict that cannot be read", "I had a look around.", /^not judged: .*no conclusion$/],
  ])("%s is tried again once, afresh, then it stops", async (_name, bad, reason) => {
    const { host, ended, context } = await judged({ work: ["made"], "work·verdict#1": [bad, bad] });
    expect(host.steps).toEqual(["work", "work·verdict#1", "work·verdict#1"]);
    expect(host.calls.slice(1).every(({ options }) => options.resume === undefined)).toBe(true);
    expect(ended.stopped?.reason).toMatch(reason);
    expect(context.verdicts).toEqual([]);
  });

  it("a judge whose account is refused is not tried again", async () => {
    const refused = { ok: false, status: "failed", error: "invalid key", refused: true } as const;
    const { host, ended } = await judged({ work: ["made"], "work·verdict#1": [refused] });
    expect(host.steps).toEqual(["work", "work·verdict#1"]);
    expect(ended.stopped?.reason).toBe("not judged: invalid key");
  });

  it("a second try that can be read counts", async () => {
    const { ended } = await judged({
      work: ["made"],
      "work·verdict#1": [failure("overloaded"), ruling("achieved")],
    });
    expect(ended.ok).toBe(true);
  });

  it("a judge that a person interrupted is not tried again, and the run ends as interrupted", async () => {
    const interrupted = { ok: false, status: "interrupted", error: "interrupted by the person" } as const;
    const { host, ended } = await judged({ work: ["made"], "work·verdict#1": [interrupted] });
    expect(host.steps).toEqual(["work", "work·verdict#1"]);
    expect(ended.stopped?.reason).toBe("not judged: interrupted by the person");
    expect(ended.results.at(-1)?.status).toBe("interrupted");
  });

  it("a person's words to a judge send the work into another round, which is judged; after the last one they end it", async () => {
    const interrupted = { ok: false, status: "interrupted", error: "interrupted by the person" } as const;
    const script = {
      work: ["made"],
      "work·verdict#1": [interrupted],
      "work#round2": ["made blue"],
      "work·verdict#2": [interrupted],
    };
    const { host, ended } = await judged(script, {
      options: { rounds: 2 },
      before: async ({ host }) => {
        host.hasWords = async () => Promise.resolve(true);
        return Promise.resolve();
      },
    });
    expect(host.steps).toEqual(Object.keys(script));
    expect(host.calls.map(({ options }) => options.wordsFor)).toEqual([undefined, "next", undefined, "next"]);
    expect(ended.stopped?.reason).toBe("not judged: interrupted by the person");
  });
});

describe("the judge's place", () => {
  const script = { work: ["made"], "work·verdict#1": [ruling("achieved")] };
  const file = (parts: StarterParts, name: string): string => join(parts.workbench.workspace, name);

  it("is a copy of the workspace as it is, gone afterwards; the workbench stays readable", async () => {
    let seen: unknown;
    const { host, parts } = await judged(script, {
      before: async (ready) => writeFile(file(ready, "made.txt"), "made"),
      during: async ({ options: { copyMount } }) => {
        if (copyMount !== undefined) seen = await readFile(join(copyMount.copy, "made.txt"), "utf8");
      },
    });
    const { spec, options } = host.call("work·verdict#1");
    expect(seen).toBe("made");
    expect(spec).toMatchObject({ throwawayCopy: true });
    expect(options.copyMount?.readOnly).toEqual([parts.workbench.paths.root]);
    expect(existsSync(options.copyMount?.copy ?? "")).toBe(false);
    expect(host.call("work").options.copyMount).toBeUndefined();
  });

  it("is gone when the judge's run breaks off", async () => {
    let copy = "";
    const broken = judged(script, {
      during: ({ options: { copyMount } }) => {
        if (copyMount === undefined) return;
        copy = copyMount.copy;
        throw new Error("no process");
      },
    });
    await expect(broken).rejects.toThrow("no process");
    expect(copy).not.toBe("");
    expect(existsSync(copy)).toBe(false);
  });

  it("without commands there is no copy, and the judge only reads", async () => {
    const { host } = await judged(script, { options: { run: false } });
    const { spec, options } = host.call("work·verdict#1");
    expect(options.copyMount).toBeUndefined();
    expect(spec.throwawayCopy).toBeUndefined();
    expect(spec.allowedTools).toEqual(["Read", "Glob", "Grep"]);
  });

  it("a workspace that is too large to copy is only read, and that is said", async () => {
    const { host } = await judged(script, {
      // Sparse: it has the size and takes no room.
      before: async (ready) => {
        await writeFile(file(ready, "large"), "");
        await truncate(file(ready, "large"), 2 * 1024 ** 3 + 1);
      },
    });
    const { spec, options } = host.call("work·verdict#1");
    expect(options.copyMount).toBeUndefined();
    expect(spec.allowedTools).toEqual(["Read", "Glob", "Grep"]);
    expect(host.said).toContain("2048 MB");
  });

  it.each([
    ["beside the workspace a change to it voids the verdict", false, /not judged: .*changed.*left\.txt/],
    ["mounted over it nothing has to be watched", true, undefined],
  ])("%s", async (_name, mountsOver, reason) => {
    const { ended, host } = await judged(script, {
      options: { mountsOver },
      during: async ({ options: { copyMount } }, workspace) => {
        if (copyMount !== undefined) await writeFile(join(workspace, "left.txt"), "stray");
      },
    });
    if (reason === undefined) expect(ended.ok).toBe(true);
    else expect(ended.stopped?.reason).toMatch(reason);
    expect(host.steps).toEqual(["work", "work·verdict#1"]);
  });

  it("what is written to the workbench and the books meanwhile changes nothing", async () => {
    const { ended } = await judged(script, {
      options: { mountsOver: false },
      during: async (_call, workspace) => writeFile(join(workspace, ".flower/INDEX.md"), "new"),
    });
    expect(ended.ok).toBe(true);
  });
});
