import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lineSchema } from "../../src/core/event-schema.ts";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import { apiError, call, say } from "../../src/testing/index.ts";
import { hashTree } from "../../src/workflow/tree-hash.ts";
import { LONG, rows } from "../support/long.ts";
import { cleanEnv, FLOWER, flower } from "../support/flower.ts";
import { pidsOf } from "../support/processes.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";

interface Row {
  step: string;
  status: string;
  attempts: number;
  retired: string[];
  costUsd: number;
  sessionId: string;
  resumed: boolean;
  generations: Array<{ degraded: boolean; path: string }>;
}

const rowsOf = async (workspace: string): Promise<Row[]> =>
  JSON.parse(await readFile(join(workspace, "runs/manifest.json"), "utf8")) as Row[];

const CONTAINMENTS = bubblewrapWorks() ? ["bubblewrap", "supervisor"] : ["supervisor"];

describe.each(CONTAINMENTS)("the main job under %s", (containment) => {
  const env = containment === "supervisor" ? { FLOWER_NO_BWRAP: "1" } : {};

  // The long way once; what dies with flower and what a judge writes are tried in both.
  it.runIf(LONG || containment === CONTAINMENTS[0])(
    "ends with the thing made, documents on disk and the books written; a second run wakes",
    async () => {
      const home = await tempDir();
      const workspace = join(home, "made here 花");
      const first = await flower(["demo", "-w", workspace], { ...env, HOME: home });
      expect(first.code, first.err).toBe(0);

      // Nothing in it is near the line but what the handoff is about.
      expect(first.err).not.toContain("Held back");

      // What a person sees.
      for (const part of [
        /\? Should a Markdown/,
        /## Acceptance criteria/,
        /check 4/,
        /\/spill\//,
        /handoff written to/,
        /not yet/,
        /achieved/,
        /total: \$0\.\d\d/,
        /manifest\.json/,
      ])
        expect(first.err).toMatch(part);
      expect(first.err.match(/\* Agent worker/g)?.length).toBeGreaterThanOrEqual(3);

      // The books.
      const rows = await rowsOf(workspace);
      expect(rows.map((row) => row.step)).toEqual([
        "clarify",
        "goal",
        "work",
        "work·verdict#1",
        "work#round2",
        "work·verdict#2",
      ]);
      expect(rows.every((row) => row.status === "done" && row.attempts === 1)).toBe(true);
      expect(rows.flatMap((row) => row.retired)).toHaveLength(1);
      expect(rows.flatMap((row) => row.generations).map((generation) => generation.degraded)).toEqual([
        false,
      ]);
      const total = rows.reduce((sum, row) => sum + row.costUsd, 0);
      expect(first.err).toContain(`total: $${total.toFixed(2)}`);
      // Every event is what the published schema says, with no field beside it.
      const [events = ""] = readdirSync(join(workspace, "runs/events"));
      const lines = readFileSync(join(workspace, "runs/events", events), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines.length).toBeGreaterThan(100);
      for (const line of lines) expect(lineSchema.parse(JSON.parse(line))).toEqual(JSON.parse(line));
      // The round after the verdict went on in the successor's session.
      expect(rows[4]?.sessionId).toBe(rows[2]?.sessionId);

      // The thing works, and the judge's own test never reached the workspace.
      const html = spawnSync("node", ["md2html.mjs", "sample.md"], {
        cwd: workspace,
        encoding: "utf8",
      }).stdout;
      expect(html).toContain("<h1>Field notes</h1>");
      expect(html).not.toContain("<b>");
      expect(spawnSync("node", ["--test"], { cwd: workspace }).status).toBe(0);
      expect(existsSync(join(workspace, "judge.test.mjs"))).toBe(false);
      expect(readdirSync(join(workspace, ".flower/notes")).sort()).toEqual([
        "brief.md",
        "goal.md",
        "handoff-work.md",
        "questions.md",
      ]);

      // Running again wakes, also under another language: nothing is asked, the work session goes on.
      const again = await flower(["demo", "-w", workspace], { ...env, HOME: home, LANG: "zh_CN.UTF-8" });
      expect(again.code, again.err).toBe(0);
      expect(again.err).toMatch(
        /需求已确认 · 目标 · 4 项判定 · 干活的会话继续 · 上下文 [\d.]+K · 第 1 次唤醒/,
      );
      expect(again.err).not.toContain("? Should");
      const woken = (await rowsOf(workspace)).slice(rows.length);
      expect(woken.map((row) => row.step)).toEqual(["work", "work·verdict#1"]);
      expect(woken[0]).toMatchObject({ resumed: true, sessionId: rows[2]?.sessionId });
    },
    180_000,
  );

  it("leaves the workspace byte-identical over a verdict whose judge tries to write everywhere", async () => {
    const home = await tempDir();
    const workspace = join(home, "work");
    await mkdir(workspace);
    await writeFile(join(workspace, "kept.txt"), "kept");
    const rehearsal = await rehearse({
      scenario: {
        name: "writing judge",
        actors: [
          {
            name: "judge",
            when: (r) => r.system.includes("# You judge"),
            script: (r) =>
              r.toolResults.length === 0
                ? call("Bash", { command: "echo gone > kept.txt; echo new > new.txt; rm -f md2html.mjs; ls" })
                : say("## Conclusion\nachieved\n\n## Reason\nlooked\n\n## Failed\n(empty)"),
          },
          {
            name: "goal",
            when: (r) => r.system.includes("# You set the goal"),
            script: () => say("## Goal\nx\n\n## Checks\n- run ls, see kept.txt"),
          },
          { name: "work", when: (r) => r.system.includes("# You coordinate"), script: () => say("done") },
          {
            name: "clarify",
            when: (r) => r.system.includes("# You clarify"),
            script: () =>
              say(
                "## Goal\na\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd",
              ),
          },
        ],
      },
    });
    const own = [join(workspace, "runs"), join(workspace, ".flower")];
    const before = await hashTree(workspace, own);
    const ran = await flower(["make a thing", "-w", workspace, "--timeout", "0"], {
      ...env,
      ...rehearsal.env,
      HOME: home,
      ANTHROPIC_MODEL: "claude-opus-5",
    });
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toContain("new.txt");
    expect(await hashTree(workspace, own)).toEqual(before);
  }, 60_000);

  it.each(
    rows(["flower", "harness"] as const, (victim) => victim === "flower" || containment === CONTAINMENTS[0]),
  )(
    "goes on from the last session after kill -9 of %s in a worker's long command",
    async (victim) => {
      const home = await tempDir();
      const workspace = join(home, "work");
      await mkdir(workspace);
      const marker = `${4_000 + Math.floor(Math.random() * 9_000)}.${process.pid}`;
      let killed = false;
      const rehearsal = await rehearse({
        scenario: {
          name: "killed",
          actors: [
            {
              name: "worker",
              when: (r) => r.isSubagent,
              script: (r) =>
                r.turnCount === 0
                  ? call("Bash", { command: `sleep ${marker}`, timeout: 600_000 })
                  : say("late"),
            },
            {
              name: "coordinator",
              when: () => true,
              script: (r) =>
                killed
                  ? say(`finished after ${r.turnCount > 0 ? "a resume" : "nothing"}`)
                  : r.turnCount === 0
                    ? call("Agent", { description: "long", prompt: "sleep", subagent_type: "worker" })
                    : say("?"),
            },
          ],
        },
      });
      const env1 = cleanEnv({ ...env, ...rehearsal.env, HOME: home, ANTHROPIC_MODEL: "claude-opus-5" });
      const args = [FLOWER, "go", "sleep well", "-w", workspace, "--no-goal", "--timeout", "0"];
      await mkdir(join(workspace, ".flower/notes"), { recursive: true });
      await writeFile(
        join(workspace, ".flower/notes/brief.md"),
        "## Goal\na\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd\n",
      );
      const child = spawn(process.execPath, args, { env: env1, stdio: "ignore" });
      onCleanup(async () => child.kill("SIGKILL"));
      await until(() => pidsOf(marker).length > 0, 40_000);
      killed = true;
      const requests = rehearsal.journal.length;
      if (victim === "flower") child.kill("SIGKILL");
      else
        for (const pid of pidsOf("--output-format").filter((pid) => environ(pid).includes(home)))
          process.kill(pid, "SIGKILL");
      await until(() => pidsOf(marker).length === 0, 9_000);
      if (victim === "flower") {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(rehearsal.journal.length).toBe(requests);
        const again = await flower(["-w", workspace, "--no-goal", "--timeout", "0"], {
          ...env,
          ...rehearsal.env,
          HOME: home,
          ANTHROPIC_MODEL: "claude-opus-5",
        });
        expect(again.code, again.err).toBe(0);
        expect(again.out).toContain("finished after a resume");
        const rows = await rowsOf(workspace);
        expect(rows.map((row) => row.status)).toEqual(["interrupted", "done"]);
        expect(rows[1]?.sessionId).toBe(rows[0]?.sessionId);
      } else {
        // flower itself lives: it takes the dead harness for a transient fault and resumes.
        await until(() => child.exitCode !== null, 60_000);
        expect(child.exitCode).toBe(0);
        const [row] = await rowsOf(workspace);
        expect(row).toMatchObject({ status: "done", attempts: 2 });
      }
    },
    120_000,
  );
});

function environ(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

describe("in a pipe", () => {
  it.each([
    ["a line of standard input answers the question", "2\n", "tabs"],
    ["the end of standard input lets it fall through", "", "Nobody is there"],
  ])("%s", async (_name, input, heard) => {
    const home = await tempDir();
    const rehearsal = await rehearse({
      scenario: {
        name: "pipe",
        actors: [
          {
            name: "clarify",
            when: (r) => r.system.includes("# You clarify"),
            script: ({ toolResults: [result] }) =>
              result === undefined
                ? call("mcp__flower__ask", { question: "Spaces or tabs?", options: ["spaces", "tabs"] })
                : say(
                    `## Goal\n${result.text.slice(0, 40)}\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd`,
                  ),
          },
        ],
      },
    });
    const ran = await flower(
      ["make it", "-w", home, "--clarify-only"],
      { ...rehearsal.env, HOME: home, ANTHROPIC_MODEL: "claude-opus-5" },
      input,
    );
    expect(ran.code, ran.err).toBe(0);
    expect(await readFile(join(home, ".flower/notes/brief.md"), "utf8")).toContain(heard);
    expect(await readFile(join(home, ".flower/notes/questions.md"), "utf8")).toContain("Spaces or tabs?");
    // The result alone is on standard output; progress is on standard error.
    expect(ran.out).toMatch(/^## Goal/);
    expect(ran.err).toContain("? Spaces or tabs?");
  });
});

describe("bad input", () => {
  const key = { ANTHROPIC_API_KEY: "sk-test-not-a-real-key" };

  it.each<[string, string[], Record<string, string>, number, RegExp]>([
    ["no directory", ["x", "-w", "/nowhere/at/all"], key, 1, /\/nowhere\/at\/all/],
    ["an unknown option", ["x", "--frobnicate"], key, 2, /--frobnicate/],
    ["a bad number", ["x", "--rounds", "many"], key, 2, /whole number/],
    ["a bad window", ["x", "--window", "huge"], key, 2, /200k/],
    ["an empty request", ["  "], key, 2, /request is empty/],
    ["no request at all", ["go"], key, 2, /no request/],
    ["no credentials", ["x"], {}, 1, /ANTHROPIC_API_KEY.*gateway.*flower demo/],
  ])("%s: one line, the right exit code", async (_name, args, extra, code, message) => {
    const home = await tempDir();
    const ran = await flower(args.includes("-w") ? args : [...args, "-w", home], { HOME: home, ...extra });
    expect(ran.code).toBe(code);
    const lines = ran.err
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("flower:"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(message);
    expect(ran.err).not.toMatch(/\n\s+at /);
  });

  it("an unwritable workspace (a file in the workbench's place)", async () => {
    const home = await tempDir();
    await writeFile(join(home, ".flower"), "in the way");
    const ran = await flower(["x", "-w", home], { HOME: home, ...key });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^flower: .*\.flower/m);
    expect(await readFile(join(home, ".flower"), "utf8")).toBe("in the way");
  });

  it("a wrong key ends within seconds and never shows the key", async () => {
    const home = await tempDir();
    const rehearsal = await rehearse({
      scenario: {
        name: "401",
        actors: [{ name: "any", when: () => true, script: () => apiError(401, "invalid x-api-key") }],
      },
    });
    const started = Date.now();
    const ran = await flower(["x", "-w", home], { ...rehearsal.env, HOME: home });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/check the key/);
    expect(ran.err).toMatch(/go on with: flower -w \S+.*[^0-9]$/m);
    expect(Date.now() - started).toBeLessThan(45_000);
    expect(ran.err + ran.out).not.toContain(rehearsal.env["ANTHROPIC_API_KEY"]);
  }, 60_000);

  it("a budget that is used up ends with the command that goes on", async () => {
    const home = await tempDir();
    const brief =
      "## Goal\na\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd";
    const rehearsal = await rehearse({
      scenario: { name: "budget", actors: [{ name: "any", when: () => true, script: () => say(brief) }] },
    });
    const ran = await flower(["x", "--budget", "0.0001", "-w", home], {
      ...rehearsal.env,
      HOME: home,
      ANTHROPIC_MODEL: "claude-opus-5",
    });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/go on with: flower -w .* --budget 0\.0002$/m);
  }, 60_000);

  it("--version names flower, SDK and harness; --help lists the commands", async () => {
    expect((await flower(["--version"], {})).out).toMatch(
      /^flower \d+\.\d+\.\d+ \(SDK 0\.3\.332, harness 2\.1\.332\)/,
    );
    const help = await flower(["--help"], {});
    expect(help.code).toBe(0);
    expect(help.out).toMatch(/go.*once.*demo/s);
  });
});
