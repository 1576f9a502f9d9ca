import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, say, together, type Actor, type RehearsalRequest } from "../../src/testing/index.ts";
import { bash, git, repository } from "../isolation/stage.ts";
import { LONG } from "../support/long.ts";
import { flower } from "../support/flower.ts";
import { rehearse } from "../support/rehearse.ts";

const BRIEF =
  "## Goal\na file\n\n## Acceptance criteria\nit is there\n\n## Boundaries\nnothing else\n\n## Unknowns and assumptions\nnone\n";
const GOAL = "## Goal\nthe file is there\n\n## Checks\n- cat made.txt shows both parts\n";

const agent = (subagent_type: string, prompt: string) =>
  call("Agent", { description: prompt, prompt, subagent_type });

/** Branches that the coordinator was told of, in the order of the reports. */
const branchesIn = (request: RehearsalRequest): string[] => [
  ...new Set(request.toolResults.flatMap(({ text }) => text.match(/flower\/a\w+\/work\b/g) ?? [])),
];

/** The job, with two workers side by side and a merger. */
const ACTORS: readonly Actor[] = [
  {
    name: "merger",
    when: (r) => r.isSubagent && r.system.includes("You bring the finished work"),
    script: (r) =>
      [
        bash(
          `git merge --no-edit ${r.firstUserText.replace("merge ", "").replace(" and ", " && git merge --no-edit ")}`,
        ),
        bash(
          "cat first.txt second.txt > made.txt; git add made.txt; git commit -qm made; git status --short",
        ),
      ][r.turnCount] ?? say("merged, made.txt has both parts"),
  },
  {
    name: "worker",
    when: (r) => r.isSubagent,
    script: (r) =>
      r.turnCount === 0
        ? bash(
            `echo ${r.firstUserText} > ${r.firstUserText}.txt; git add -A; git commit -qm ${r.firstUserText}`,
          )
        : say(`${r.firstUserText} is made`),
  },
  { name: "clarify", when: (r) => r.system.includes("# You clarify"), script: [say(BRIEF)] },
  { name: "goal", when: (r) => r.system.includes("# You set the goal"), script: [say(GOAL)] },
  {
    name: "judge",
    when: (r) => r.system.includes("# You judge"),
    script: (r) => {
      if (r.turnCount === 0) return bash("cat made.txt");
      const seen = r.toolResults[0]?.text ?? "";
      const word = /first\s+second/.test(seen) ? "achieved" : "not yet";
      return say(`## Conclusion\n${word}\n\n## Reason\nsaw ${seen}\n\n## Failed\n`);
    },
  },
  {
    name: "coordinator",
    when: (r) => r.system.includes("# You coordinate"),
    script: (r) => {
      if (r.turnCount === 0) return together(agent("worker", "first"), agent("worker", "second"));
      if (r.turnCount === 1) return agent("merger", `merge ${branchesIn(r).join(" and ")}`);
      return say("made.txt is in the workspace");
    },
  },
];

const CONTAINMENTS = !bubblewrapWorks()
  ? ["supervisor"]
  : LONG
    ? ["bubblewrap", "supervisor"]
    : ["bubblewrap"];

describe.each(CONTAINMENTS)("flower --isolate under %s", (containment) => {
  // Fails when work stays in its branches: the judge rules on the workspace.
  it("ends with the work of both workers in the workspace, judged there", async () => {
    const { ws, home, bench } = await repository();
    writeFileSync(join(ws, "person.txt"), "not committed\n");
    const rehearsal = await rehearse({ scenario: { name: "isolate", actors: ACTORS } });
    const env = {
      ...rehearsal.env,
      HOME: home,
      XDG_CONFIG_HOME: "",
      ...(containment === "supervisor" ? { FLOWER_NO_BWRAP: "1" } : {}),
    };
    const ran = await flower(["make the file", "--isolate", "--asks", "0", "-w", ws], env);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toBe("made.txt is in the workspace\n");
    expect(ran.err).toMatch(/workers are isolated: .*\.flower-my 项目\/worktrees/);
    expect(ran.err.match(/start from the last commit/g)).toHaveLength(1);
    expect(readFileSync(join(ws, "made.txt"), "utf8")).toBe("first\nsecond\n");
    expect(readFileSync(join(ws, "person.txt"), "utf8")).toBe("not committed\n");
    expect(git(ws, "log", "--format=%s", "--no-merges").split("\n").sort().join(" ").trim()).toBe(
      "first made second start",
    );
    expect(git(ws, "for-each-ref", "refs/heads/flower")).toBe("");
    expect(readdirSync(join(bench, "worktrees"))).toEqual([]);
    expect(readdirSync(join(bench, "notes"))).toEqual(expect.arrayContaining(["brief.md", "goal.md"]));
    expect(existsSync(join(ws, ".flower"))).toBe(false);
    const work = readManifest(join(ws, "runs")).find(({ step }) => step === "work");
    expect(work?.["worktrees"]).toMatchObject([{ state: "merged" }, { state: "merged" }]);
    rehearsal.assertDone();
  }, 120_000);
});
