import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, say, type RehearsalRequest } from "../../src/testing/index.ts";
import { CONFIRMED_BRIEF } from "../support/flower.ts";
import { main, messagesText, sub } from "../support/stage.ts";
import { exampleStage, type ExampleStage } from "./stage.ts";

const steps = ({ workspace }: ExampleStage): string[] =>
  readManifest(join(workspace, "runs")).map(({ step }) => step);

/** The first line of what a prompt says. */
const asked = ({ lastUserText }: RehearsalRequest): string => lastUserText.split("\n")[0] ?? "";

it("01 answers with one agent", async () => {
  const at = await exampleStage([main([say("a project about tulips")])]);
  const ran = await at.run("01-single-agent.ts", "what is this?");
  expect(ran).toMatchObject({ code: 0, out: "a project about tulips\n" });
  expect(at.rehearsal.body(0).system).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining("five sentences") as string }),
    ]) as object,
  );
  expect(steps(at)).toEqual(["reader"]);
  at.rehearsal.assertDone();
});

it("02 clarifies, sets a goal, has workers of its own work, and is judged", async () => {
  const goal = "## Goal\nit counts\n\n## Checks\n- cat count.txt shows 3\n";
  const role = (mark: string) => (r: RehearsalRequest) => !r.isSubagent && r.system.includes(mark);
  const at = await exampleStage([
    { name: "clarify", when: role("# You clarify"), script: [say(CONFIRMED_BRIEF)] },
    { name: "goal", when: role("# You set the goal"), script: [say(goal)] },
    {
      name: "judge",
      when: role("# You judge"),
      script: [say("## Conclusion\nachieved\n\n## Reason\nseen\n\n## Failed\n")],
    },
    {
      name: "work",
      when: role("# You coordinate"),
      script: [
        call("Agent", { subagent_type: "programmer", description: "count", prompt: "write count.txt" }),
        say("count.txt is there"),
      ],
    },
    sub(({ turnCount }) =>
      turnCount === 0
        ? call("Write", { file_path: join(at.workspace, "count.txt"), content: "3\n" })
        : say("written"),
    ),
  ]);
  const ran = await at.run("02-starter.ts", "count words");
  expect(ran.code, ran.err).toBe(0);
  expect(await readFile(join(at.workspace, "count.txt"), "utf8")).toBe("3\n");
  expect(steps(at)).toEqual(["clarify", "goal", "work", "work·verdict#1"]);
  at.rehearsal.assertDone();
});

it("03 reviews in a copy of the author's session, and mends in the author's own", async () => {
  const at = await exampleStage([
    main((r) => {
      if (asked(r).startsWith("Look at what you made")) return say("line 3: no test for zero");
      return say(asked(r).startsWith("A reviewer") ? "mended" : "written, because of A");
    }),
  ]);
  const ran = await at.run("03-review-by-fork.ts", "parse durations");
  expect(ran).toMatchObject({ code: 0, out: "mended\n" });
  const [write, review, mend] = readManifest(join(at.workspace, "runs"));
  expect([write?.step, review?.step, mend?.step]).toEqual(["write", "review", "mend"]);
  expect(mend?.sessionId).toBe(write?.sessionId);
  expect(review?.sessionId).not.toBe(write?.sessionId);
  expect(messagesText(at.rehearsal, 1)).toMatch(/parse durations[^]*because of A[^]*Look at what you made/);
  expect(messagesText(at.rehearsal, 2)).toMatch(/because of A[^]*no test for zero/);
  expect(messagesText(at.rehearsal, 2)).not.toContain("Look at what you made");
});

it("04 thinks in three directions at once from one reading, and a fresh judge chooses", async () => {
  const at = await exampleStage([
    main((r) => {
      if (r.system.includes("You choose between")) return say("the second, it is shorter");
      const [, direction] = /What counts is (.*)\./.exec(r.lastUserText) ?? [];
      return say(direction === undefined ? "found a settings file" : `<${direction}>`);
    }),
  ]);
  const ran = await at.run("04-alternatives.ts", "where do settings go?");
  expect(ran).toMatchObject({ code: 0, out: "the second, it is shorter\n" });
  expect([...steps(at)].sort()).toEqual(["choose", "proposal-1", "proposal-2", "proposal-3", "read"]);
  const sent = at.rehearsal.journal.map((_row, i) => messagesText(at.rehearsal, i));
  const proposing = sent.filter((text) => text.includes("Propose one answer"));
  expect(proposing).toHaveLength(3);
  for (const text of proposing) expect(text).toContain("found a settings file");
  const judged = sent.at(-1) ?? "";
  expect(judged).toMatch(/<the least code>[^]*<the fewest surprises[^]*<the easiest/);
  expect(judged).not.toContain("found a settings file");
});

it("05 mends until the tests pass, and costs nothing when they do", async () => {
  let tries = 0;
  const at = await exampleStage([
    main(({ turnCount }) => {
      if (turnCount % 2 === 1) return say("should be right now");
      tries += 1;
      return call("Write", {
        file_path: join(at.workspace, "sum.mjs"),
        content: `export const sum = (a, b) => a ${tries === 1 ? "*" : "+"} b;\n`,
      });
    }),
  ]);
  await writeFile(join(at.workspace, "sum.mjs"), "export const sum = () => 0;\n");
  await writeFile(
    join(at.workspace, "sum.test.mjs"),
    `import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "./sum.mjs";\ntest("sums", () => assert.equal(sum(2, 3), 5));\n`,
  );
  const args = ["--json", "--budget", "2", "--asks", "0", "--no-wait-limits"];
  const ended = (out: string) => JSON.parse(out.trim().split("\n").at(-1) ?? "") as object;
  const first = await at.run("05-ci-job.ts", ...args);
  expect(first.code, first.err).toBe(0);
  expect(ended(first.out)).toMatchObject({ type: "end", status: "done", reason: null });
  expect(steps(at)).toEqual(["mend", "mend#round2"]);
  expect(messagesText(at.rehearsal, 2)).toContain("The check still fails");

  const requests = at.rehearsal.journal.length;
  const second = await at.run("05-ci-job.ts", ...args);
  expect(second.code).toBe(0);
  expect(at.rehearsal.journal).toHaveLength(requests);
});

it("05 ends with 1 and the reason when the tests cannot be made to pass", async () => {
  const at = await exampleStage([main(() => say("I give up"))]);
  await writeFile(join(at.workspace, "never.test.mjs"), `throw new Error("never");\n`);
  const ran = await at.run("05-ci-job.ts", "--json");
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/"status":"stopped","reason":"[^"]*The check still fails/);
});
