import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { oraclePrompt } from "../../src/workflow/oracle-prompt.ts";
import { askOracle, type OracleQuestion } from "../../src/workflow/oracle.ts";
import { call, hang, say, together, type Actor } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { pidsOf } from "../support/processes.ts";
import { rehearse, tempDir, until } from "../support/rehearse.ts";
import { SPEC, stage } from "../support/stage.ts";

const isOracle: Actor["when"] = (r) => r.firstUserText.startsWith("A person who watches the run asks you");
const oracle = (script: Actor["script"]): Actor => ({ name: "oracle", when: isOracle, script });

/** What the run's own processes write all the time, and the oracle's own. */
const MOVING = /\/runs\/(aside|harness)\/|\/sessions\.db-(wal|shm)$/;

/** Everything else below a directory, by its content. */
function digest(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !MOVING.test(path));
  const hash = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
  return Object.fromEntries(files.sort().map((path) => [path, hash(path)]));
}

/** No run, only somebody who is asked. */
async function alone(script: Actor["script"]) {
  const workspace = await tempDir();
  const rehearsal = await rehearse({ scenario: { name: "oracle", actors: [oracle(script)] } });
  const env = { ...process.env, ...rehearsal.env, HOME: workspace, XDG_CONFIG_HOME: "" };
  const ask = (question: string, more: Partial<OracleQuestion> = {}) =>
    askOracle({ question, workspace, env, model: "claude-opus-5", ...more });
  return { workspace, rehearsal, ask };
}

const rowsOf = (workspace: string): { step: string; status: string; costUsd: number }[] =>
  JSON.parse(readFileSync(join(workspace, "runs/aside/manifest.json"), "utf8")) as ReturnType<typeof rowsOf>;

describe("a side question", () => {
  it("is answered while the run goes on, which neither hears of it nor has a byte changed", async () => {
    const actors: Actor[] = [
      oracle([call("Read", { file_path: "plan.txt" }), say("\u001b[2Jit waits for the \u202efile go")]),
      {
        name: "main",
        when: (r) => !isOracle(r),
        script: [
          together(
            say("waiting for the file"),
            call("Bash", { command: "touch begun; until [ -e go ]; do sleep 0.05; done" }),
          ),
          say("all done"),
        ],
      },
    ];
    const { workspace, runtime, rehearsal } = await stage(actors);
    await writeFile(join(workspace, "plan.txt"), "the plan\n");
    const { workbench } = runtime;
    if (workbench === undefined) throw new Error("the stage has a workbench");
    workbench.freezeDocument("brief.md", "## Goal\nwait\n");
    workbench.freezeDocument("交接-干活.md", "old\n");
    const running = runtime.run(SPEC, "wait for it");
    // From now on the run itself writes nothing: the figures of the first reply are in its row, seconds behind.
    await until(() => existsSync(join(workspace, "begun")));
    await until(() => /"context": [1-9]/.test(readFileSync(runtime.manifestPath, "utf8")));

    const { env } = runtime.options;
    const before = digest(workspace);
    const said = await askOracle({
      question: "what is it\nwaiting for?",
      workspace,
      workbench,
      env,
      model: "claude-opus-5",
    });
    expect(digest(workspace)).toEqual(before);
    expect(said).toMatchObject({ ok: true, answer: "it waits for the file go" });
    expect(said.costUsd).toBeGreaterThan(0);
    expect(rowsOf(workspace)).toMatchObject([{ step: "oracle", status: "done", costUsd: said.costUsd }]);

    const asked = rehearsal.journal
      .filter((row) => row.actor === "oracle")
      .map((row) => rehearsal.body(row.index));
    const prompt = JSON.stringify(asked[0]?.messages);
    for (const told of [
      "says: waiting for the file",
      "calls Bash",
      "notes/brief.md",
      "交接-干活.md",
      "INDEX.md",
    ])
      expect(prompt).toContain(told);
    expect(prompt).toContain("The question:\\n\\nwhat is it\\nwaiting for?");
    const tools = asked[0]?.tools?.map((tool) => tool["name"]) ?? [];
    expect(tools.filter((name) => name !== "DeferredToolPlaceholder").sort()).toEqual([
      "Glob",
      "Grep",
      "Read",
    ]);
    expect(JSON.stringify(asked[1]?.messages)).toContain("the plan");

    await writeFile(join(workspace, "go"), "");
    expect(await running).toMatchObject({ ok: true, text: "all done" });
    const heard = rehearsal.journal
      .filter((row) => row.actor === "main")
      .map((row) => rehearsal.body(row.index));
    expect(JSON.stringify(heard)).not.toContain("file go");
    await runtime.close();
    for (const file of ["manifest.json", "lineage.json", "sessions.db"])
      expect(await readFile(join(workspace, "runs", file), "latin1"), file).not.toMatch(/oracle|file go/);
    rehearsal.assertDone();
  });

  it("waits for the one before, gets its answer along, and is refused what is no reading", async () => {
    const { ask, rehearsal, workspace } = await alone([
      call("Write", { file_path: "x", content: "x" }),
      say("seven"),
      say("eight"),
    ]);
    const answers = await Promise.all([ask("how many?"), ask("and then?")]);
    expect(answers.map(({ answer }) => answer)).toEqual(["seven", "eight"]);
    expect(existsSync(join(workspace, "x"))).toBe(false);
    const second = JSON.stringify(rehearsal.body(2).messages);
    expect(second).toContain("Question: how many?\\nAnswer: seven");
    const sessions = rehearsal.journal.map((row) => row.sessionId);
    expect(sessions[2]).not.toBe(sessions[1]);
    rehearsal.assertDone();
  });
});

describe("without an answer it says why in one line", () => {
  const limits: readonly [string, Partial<OracleQuestion>][] = [
    ["budget", { budgetUsd: 0.0001 }],
    ["number of turns", { maxTurns: 1 }],
  ];
  it.each(rows(limits, ([name]) => name === "budget"))(
    "when its %s is used up, and books what was spent",
    async (_name, limit) => {
      const { ask, workspace } = await alone(() => call("Glob", { pattern: "*" }));
      const { ok, answer, costUsd } = await ask("how many?", limit);
      const why = "its turns or its budget were used up before it had an answer";
      expect({ ok, answer }).toEqual({ ok: false, answer: why });
      expect(costUsd).toBeGreaterThan(0);
      expect(rowsOf(workspace)).toMatchObject([{ status: "failed", costUsd }]);
    },
  );

  it.runIf(LONG)("when the endpoint is down", async () => {
    const { ask, rehearsal } = await alone([]);
    await rehearsal.close();
    const { ok, answer } = await ask("why?");
    expect(ok).toBe(false);
    expect(answer).toMatch(/^[^\n]*connect[^\n]*given up after 1 attempt/i);
  });

  it("when there is nothing to ask, or no place for its books", async () => {
    const workspace = await tempDir();
    await writeFile(join(workspace, "runs"), "");
    const env = { HOME: workspace };
    const nothing = { ok: false, costUsd: 0 };
    expect(await askOracle({ question: " ", workspace, env })).toMatchObject({
      ...nothing,
      answer: "the question is empty",
    });
    const blocked = await askOracle({ question: "why?", workspace, env });
    expect(blocked).toMatchObject(nothing);
    expect(blocked.answer).toMatch(/^the run directory .*aside cannot be made: make the workspace writable/);
  });

  it("at once when it is ended, with its processes; one that waits does not begin", async () => {
    const { ask, rehearsal, workspace } = await alone([hang()]);
    const ending = new AbortController();
    const { signal } = ending;
    const answers = Promise.all([ask("how long?", { signal }), ask("and then?", { signal })]);
    await until(() => rehearsal.journal.length === 1);
    const aside = join(workspace, "runs/aside");
    expect(pidsOf(aside).length).toBeGreaterThan(0);
    const endedMs = Date.now();
    ending.abort();
    const why = "ended before there was an answer";
    expect((await answers).map(({ ok, answer }) => ({ ok, answer }))).toEqual([
      { ok: false, answer: why },
      { ok: false, answer: why },
    ]);
    // An upper guard: an interruption waits twelve seconds for a boundary.
    expect(Date.now() - endedMs).toBeLessThan(10_000);
    expect(pidsOf(aside)).toEqual([]);
    expect(rowsOf(workspace)).toMatchObject([{ status: "interrupted" }]);
    expect(rehearsal.journal).toHaveLength(1);
  });
});

it("the prompt leaves out what there is not, and ends with the question", () => {
  const bare = { question: "why?", events: [], places: { brief: undefined }, earlier: [], nowMs: 0 };
  const first = oraclePrompt(bare);
  expect(first).toContain("- brief: not there yet");
  expect(first).not.toMatch(/answered before|it is 1970/);
  expect(first.endsWith("The question:\n\nwhy?")).toBe(true);
  const later = oraclePrompt({
    ...bare,
    events: ["x"],
    earlier: [{ question: "a", answer: "b".repeat(9_000) }],
  });
  expect(later).toContain("it is 1970-01-01T00:00:00 now:\n\nx");
  expect(later.length).toBeLessThan(3_000);
});
