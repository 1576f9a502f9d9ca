import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "../../src/core/locale.ts";
import { HEADINGS, LANGUAGE_NAMES, VERDICT_WORDS } from "../../src/documents/wording.ts";
import { fill } from "../../src/roles/fill.ts";
import {
  clarifier,
  coordinator,
  judge,
  merger,
  oracle,
  worker,
  type RoleChannel,
} from "../../src/roles/roles.ts";
import * as rules from "../../src/roles/rules.ts";

const channel: RoleChannel = { servers: { flower: { kind: "inProcess", tools: [] } } };
const HUMAN = ["mcp__flower__ask", "mcp__flower__inbox"];
const READING = ["Read", "Glob", "Grep"];
const sorted = (names: readonly string[] = []): string[] => [...names].sort();
const oneLine = (text: string): string => text.replace(/\s+/g, " ");

const ROLES = [
  ["coordinator", coordinator("lead", "", {}), ["Agent", ...READING, "TodoWrite", "Bash"]],
  [
    "coordinator without glance",
    coordinator("lead", "", {}, { glance: false }),
    ["Agent", ...READING, "TodoWrite"],
  ],
  [
    "coordinator with a channel",
    coordinator("lead", "", {}, { channel }),
    ["Agent", ...READING, "TodoWrite", "Bash", ...HUMAN],
  ],
  ["clarifier", clarifier(), [...READING, "WebFetch", "WebSearch"]],
  [
    "clarifier with a channel",
    clarifier({ channel }),
    [...READING, "WebFetch", "WebSearch", "mcp__flower__ask"],
  ],
  ["judge of a goal", judge({ mode: "goal" }), READING],
  ["judge of a round", judge({ mode: "verdict" }), [...READING, "Bash"]],
  ["judge that may not run", judge({ mode: "verdict", run: false }), READING],
  ["oracle", oracle(), READING],
] as const;

describe("tools", () => {
  it.each(ROLES)("of the %s", (_name, spec, tools) => {
    expect(sorted(spec.allowedTools)).toEqual(sorted(tools));
  });

  it("of a worker", () => {
    expect(sorted(worker("d", "p").tools)).toEqual(sorted(["Read", "Write", "Edit", "Bash", "Grep", "Glob"]));
    expect(worker("d", "p", { tools: ["Read"], ask: true }).tools).toEqual(["Read", "mcp__flower__ask"]);
  });
});

describe("what a role may do", () => {
  it("delegates, and only the coordinator", () => {
    expect(ROLES.filter(([, spec]) => spec.delegateOnly === true).map(([name]) => name)).toEqual([
      "coordinator",
      "coordinator without glance",
      "coordinator with a channel",
    ]);
  });

  it("only reads, all but the coordinator", () => {
    for (const [name, spec] of ROLES) expect(spec.readOnly ?? false, name).toBe(!name.startsWith("coord"));
  });

  it("works in a throwaway copy, only a judge that runs checks", () => {
    expect(ROLES.filter(([, spec]) => spec.throwawayCopy === true).map(([name]) => name)).toEqual([
      "judge of a round",
    ]);
  });

  it("has the limits of a side question", () => {
    expect(oracle()).toMatchObject({ maxTurns: 12, maxBudgetUsd: 0.5 });
    expect(oracle({ maxTurns: 3, maxBudgetUsd: 1, model: "m" })).toMatchObject({
      maxTurns: 3,
      maxBudgetUsd: 1,
      model: "m",
    });
    expect(oracle({ locale: "pt" }).instructions).toContain("in Portuguese");
  });
});

describe("settings", () => {
  it("of a worker default to the coordinator's model and the shared tree", () => {
    expect(worker("d", "p")).toMatchObject({ description: "d", model: "inherit", isolate: false });
    expect(worker("d", "p", { model: "haiku", isolate: true, maxTurns: 3, effort: "low" })).toMatchObject({
      model: "haiku",
      isolate: true,
      maxTurns: 3,
      effort: "low",
    });
  });

  it("of a main thread are passed on, and absent when not given", () => {
    const given = { model: "m", effort: "high", maxTurns: 4, maxBudgetUsd: 2 } as const;
    const coder = worker("d", "p");
    for (const spec of [
      coordinator("lead", "", { coder }, given),
      clarifier(given),
      judge({ mode: "goal", ...given }),
    ])
      expect(spec).toMatchObject(given);
    expect(coordinator("lead", "", { coder }).agents).toEqual({ coder });
    expect(Object.keys(coordinator("lead", "", {}))).not.toContain("model");
    expect(coordinator("lead", "", {}, { channel }).mcpServers).toBe(channel.servers);
  });
});

describe("rules", () => {
  it("of the coordinator follow its instructions and know whether it may glance", () => {
    const glancing = coordinator("lead", "Port the parser.", {}).instructions;
    expect(glancing.startsWith("Port the parser.\n\n# You coordinate")).toBe(true);
    expect(glancing).toContain("`git status -s`");
    const blind = coordinator("lead", "", {}, { glance: false }).instructions;
    expect(blind.startsWith("# You coordinate")).toBe(true);
    expect(blind).not.toContain("git status");
  });

  it("answer the harness's own words", () => {
    expect(oneLine(rules.COORDINATOR_RULES)).toMatch(/"when in doubt, don't spawn".* neither holds/);
    expect(oneLine(rules.WORKER_RULES)).toMatch(
      /"Do NOT write report\/summary \.md files": that does not hold for the workbench/,
    );
  });

  it.each([
    [
      "coordinator",
      rules.COORDINATOR_RULES,
      [
        /specific to the task/,
        /several Agent calls in one message/,
        /30 lines/,
        /at most 5/,
        /artifacts/,
        /evidence/,
        /person's own word/,
      ],
    ],
    [
      "worker",
      rules.WORKER_RULES,
      [/At most 30 lines/, /at most 5/, /Run what you claim/, /No pasted files/, /artifacts/],
    ],
    [
      "clarifier",
      rules.CLARIFIER_RULES,
      [/one question at a time/, /options/, /do not write, run or delegate/],
    ],
    [
      "goal",
      rules.JUDGE_RULES,
      [/run this, see that/, /3 to 5/, /no checks/, /\[unverifiable here: reason\]/],
    ],
    [
      "verdict",
      rules.VERDICT_RULES,
      [/did none of it/, /every check/, /Unclear/, /Never let it pass/, /evidence/],
    ],
    [
      "oracle",
      rules.ORACLE_RULES,
      [
        /read only/,
        /nothing you say enters the run/,
        /shortly/,
        /do not know.*say so/,
        /language of the question/,
      ],
    ],
  ])("of the %s say what binds it", (_name, text, patterns) => {
    for (const pattern of patterns) expect(oneLine(text)).toMatch(pattern);
  });

  it("tell a worker how to report after its own prompt", () => {
    expect(worker("d", "You write code.").prompt).toBe(`You write code.\n\n${rules.WORKER_RULES}`);
  });

  const documents = (locale: Locale) =>
    [
      [HEADINGS.brief, clarifier({ locale }).instructions],
      [HEADINGS.goal, judge({ mode: "goal", locale }).instructions],
      [HEADINGS.verdict, judge({ mode: "verdict", locale }).instructions],
    ] as const;

  it.each(LOCALES)("name the documents' headings and language (%s)", (locale) => {
    for (const [headings, instructions] of documents(locale)) {
      const used = [...instructions.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(used).toEqual(Object.values<Record<Locale, string>>(headings).map((by) => by[locale]));
      expect(instructions).toContain(`in ${LANGUAGE_NAMES[locale]},`);
    }
    for (const words of Object.values(VERDICT_WORDS))
      expect(judge({ mode: "verdict", locale }).instructions).toContain(words[locale]);
  });

  it("tell a judge whether it can run", () => {
    expect(judge({ mode: "verdict" }).instructions).toContain("throwaway copy");
    expect(judge({ mode: "verdict", run: false }).instructions).toContain("only read here");
  });

  it("leave no place unfilled", () => {
    for (const [name, spec] of ROLES) expect(spec.instructions, name).not.toMatch(/\{\w+\}/);
    expect(() => fill("a {b}", {})).toThrow("{b}");
  });
});

describe("isolated workers", () => {
  const isolated = worker("works", "You work.", { isolate: true });

  it.each<[string, Parameters<typeof coordinator>[2], RegExp[], RegExp[]]>([
    ["none", { coder: worker("works", "You work.") }, [], [/# Isolated agents/]],
    [
      "with somebody to merge",
      { coder: isolated, tester: isolated, merger: merger() },
      [/Each run of `coder` or `tester` works in a git worktree/, /brought in by `merger`: one at a time/],
      [/for the person to merge/],
    ],
    [
      "with nobody to merge",
      { coder: isolated },
      [/names each branch, for the person to merge/],
      [/one at a time/],
    ],
  ])("%s: what the coordinator is told", (_name, workers, wanted, unwanted) => {
    const { instructions } = coordinator("work", "", workers);
    for (const each of wanted) expect(instructions).toMatch(each);
    for (const each of unwanted) expect(instructions).not.toMatch(each);
  });

  it("the one who merges is not isolated itself", () => {
    expect(merger()).toMatchObject({ isolate: false });
    expect(merger().prompt).toMatch(/git merge --no-edit <branch>/);
  });
});

it.each<[string, (...given: unknown[]) => unknown, unknown[]]>([
  ["coordinator has a wrong `workers`", coordinator as never, ["x", ""]],
  ["coordinator has a wrong `name`", coordinator as never, []],
  ["coordinator has a wrong `workers.a.prompt`", coordinator as never, ["x", "", { a: {} }]],
  ["worker has a wrong `description`", worker as never, []],
  ["worker has a wrong `prompt`", worker as never, ["x"]],
])("%s that JavaScript left out is named", (named, role, given) => {
  expect(() => role(...given)).toThrow(
    expect.objectContaining({ code: "usage", message: expect.stringContaining(named) as string }),
  );
});
