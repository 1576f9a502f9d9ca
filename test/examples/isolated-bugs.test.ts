import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, say, together, type RehearsalRequest } from "../../src/testing/index.ts";
import { bash, git, repository } from "../isolation/stage.ts";
import { exampleStage } from "./stage.ts";

const fixer = (name: string) =>
  call("Agent", { subagent_type: "fixer", description: name, prompt: `mend ${name}` });

const branchesIn = (request: RehearsalRequest): string[] => [
  ...new Set(request.lastUserText.match(/flower\/a\w+\/fix\b/g) ?? []),
];

it("08 has bugs mended side by side, and is not content before all branches are merged", async () => {
  const { ws } = await repository();
  for (const setting of ["name", "email"]) git(ws, "config", `user.${setting}`, "tester@example.com");
  const at = await exampleStage(
    [
      {
        name: "merger",
        when: (r) => r.isSubagent && r.system.includes("You bring the finished work"),
        script: (r) =>
          r.turnCount === 0 ? bash(`${r.firstUserText}; git status --short`) : say("merged both, tests pass"),
      },
      {
        name: "fixer",
        when: (r) => r.isSubagent,
        script: (r) => {
          const name = r.firstUserText.replace("mend ", "");
          return r.turnCount === 0
            ? bash(`echo mended > ${name}.txt; git add -A; git commit -qm ${name}`)
            : say(`${name} is mended`);
        },
      },
      {
        name: "coordinator",
        when: () => true,
        script: (r) => {
          if (r.turnCount === 0) return together(fixer("one"), fixer("two"));
          if (!r.lastUserText.includes("not merged yet")) return say("all is mended");
          const merge = branchesIn(r)
            .map((branch) => `git merge --no-edit ${branch}`)
            .join(" && ");
          return call("Agent", { subagent_type: "merger", description: "merge", prompt: merge });
        },
      },
    ],
    ws,
  );
  const refused = await at.run("08-isolated-bugs.ts", "bugs.md lists them");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("add --isolate");

  const ran = await at.run("08-isolated-bugs.ts", "--new", "--isolate", "bugs.md lists them");
  expect(ran.code, ran.err).toBe(0);
  expect(readFileSync(join(ws, "one.txt"), "utf8") + readFileSync(join(ws, "two.txt"), "utf8")).toBe(
    "mended\nmended\n",
  );
  expect(git(ws, "for-each-ref", "refs/heads/flower")).toBe("");
  expect(readManifest(join(ws, "runs")).map(({ step }) => step)).toEqual(["fix", "fix#round2"]);
}, 120_000);
