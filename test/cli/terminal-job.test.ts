import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { call, say, together, type Actor, type RehearsalRequest } from "../../src/testing/index.ts";
import { areaColumns } from "../../src/cli/terminal/live.ts";
import { atTerminal, canPlayTerminal, type AtTerminal } from "../support/at-terminal.ts";
import { cleanEnv, confirmBrief, FLOWER, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";

const CTRL_C = "\u0003";
const isOracle = (r: RehearsalRequest): boolean =>
  r.firstUserText.startsWith("A person who watches the run asks you");
const isClarifier = (r: RehearsalRequest): boolean => r.system.includes("# You clarify");

const BRIEF = `## Goal
A converter from CSV to HTML tables.

## Acceptance criteria
- \`node convert.mjs in.csv\` prints one table

## Boundaries
Plain Node, no packages

## Unknowns and assumptions
none
`;

/** A coordinator with two agents that wait until a file is there, then another two. */
const ACTORS: Actor[] = [
  { name: "oracle", when: isOracle, script: () => say("Two agents are reading the table.") },
  {
    name: "clarify",
    when: isClarifier,
    script: ({ turnCount }) =>
      [
        call("mcp__flower__ask", { question: "Which format?", options: ["Markdown", "HTML"] }),
        call("mcp__flower__ask", { question: "What is it called?" }),
      ][turnCount] ?? say(BRIEF),
  },
  {
    name: "worker",
    when: (r) => r.isSubagent,
    script: (r) =>
      r.turnCount === 0
        ? call("Bash", {
            command: `sh tests/all.sh ${r.firstUserText.includes("表格") ? "tables" : "converter"}`,
          })
        : say("Conclusion: read"),
  },
  {
    name: "main",
    when: (r) => !r.isSubagent,
    script: (r) => {
      const send = (what: string) =>
        call("Agent", { description: what, prompt: what, subagent_type: "worker" });
      return r.turnCount === 0
        ? together(say("I send two."), send("read the table 表格"), send("write the converter"))
        : say("The converter is there.");
    },
  },
];

interface Job {
  terminal: AtTerminal;
  workspace: string;
  /** What the model was asked, all requests together. */
  asked(): string;
}

async function job(
  columns: number,
  {
    brief = false,
    more = {},
    request = ["make a converter"],
  }: { brief?: boolean; more?: Record<string, string>; request?: string[] } = {},
): Promise<Job> {
  const workspace = await tempDir();
  await mkdir(join(workspace, "tests"));
  await writeFile(join(workspace, "tests/all.sh"), "until [ -e go ]; do sleep 0.1; done\n");
  if (brief) await confirmBrief(workspace);
  const rehearsal = await rehearse({ scenario: { name: "terminal", actors: ACTORS } });
  const terminal = atTerminal(
    [process.execPath, FLOWER, "go", ...request, "-w", workspace, "--no-goal", "--budget", "5"],
    cleanEnv({ ...personEnv(rehearsal, workspace), ...more }),
    { columns, rows: 30 },
  );
  return {
    terminal,
    workspace,
    asked: () => rehearsal.journal.map((_, i) => JSON.stringify(rehearsal.body(i).messages)).join("\n"),
  };
}

/** A frame without what differs from run to run. */
const steady = (frame: string, workspace: string): string =>
  frame
    .replaceAll(workspace, "~/work")
    // Side by side, so either may be first.
    .replace(/(?:^ {4}\* \[.*\n)+/gm, (calls) => calls.trimEnd().split("\n").sort().join("\n") + "\n")
    .replace(/\d:\d\d(?= ·|$)/gm, "0:07")
    .replace(/\$\d\.\d\d/g, (cost) => (cost === "$5.00" ? cost : "$0.09"))
    .replace(/\d+\.\dK(?=\/)/g, "12.0K")
    .replace(
      /\[#*-*\|-*\]/g,
      (bar) => `[##${"-".repeat(bar.lastIndexOf("|") - 3)}${bar.slice(bar.indexOf("|"))}`,
    )
    .replace(/\d\d:\d\d left/, "29:59 left")
    .trimEnd();

describe.runIf(canPlayTerminal)("a job at a terminal", () => {
  it("asks, is talked to, answers aside, and is broken into with words", async () => {
    const { terminal, workspace, asked } = await job(80);
    await terminal.seen(
      /\? Which format\?\n {4}1\) Markdown\n {4}2\) HTML[^]*a question waits for you +\d+:\d\d left\n>/,
    );
    terminal.type("2\r");
    await terminal.seen(/> HTML[^]*\? What is it called\?/);
    terminal.type("tables 表\r");
    await terminal.seen(/> tables 表/);

    const seen = await terminal.seen(/表格: Bash sh tests[^\n]*\n {2}\* write the converter: Bash sh tests/);
    const step = seen.slice(seen.lastIndexOf("+ done 3 turns"));
    await expect(steady(step, workspace)).toMatchFileSnapshot("__snapshots__/terminal-80.txt");

    terminal.type("/status\r");
    await terminal.seen(/^ {2}work · step 2\/2/m);
    terminal.type("/cost\r");
    await terminal.seen(/# \$\d\.\d\d so far/);
    terminal.type("/nonsense\r");
    await terminal.seen(/\/nonsense is no command/);
    terminal.type("？谁在读\r");
    await terminal.seen(/> Two agents are reading the table\./);

    terminal.type("use semicolons\r");
    await terminal.seen(/Message 1 is kept[^]*added to\s+the brief/);
    expect(await readFile(join(workspace, ".flower/notes/brief.md"), "utf8")).toContain("use semicolons");

    terminal.type(CTRL_C);
    await terminal.seen(/what should change\?/);
    terminal.type("and stop reading\r");
    expect(await terminal.ended, terminal.screen()).toBe(0);
    for (const words of ["HTML", "tables 表", "use semicolons", "and stop reading"])
      expect(asked()).toContain(words);
    const end = (await terminal.frame()).join("\n");
    expect(end).toContain("The converter is there.");
    // The area is gone, and left nothing behind.
    expect((await terminal.paper()).filter((row) => /^-{79}$|^> /.test(row))).toEqual([]);
  }, 90_000);

  it("is left by Ctrl-C while it asks what should be made", async () => {
    const { terminal } = await job(80, { request: [] });
    await terminal.seen(/What should be made\?/);
    terminal.type(CTRL_C);
    expect(await terminal.ended, terminal.screen()).toBe(130);
  }, 60_000);

  it.each([40, 160])(
    "shows the same in %i columns, and leaves at the second Ctrl-C",
    async (columns) => {
      const { terminal, workspace } = await job(columns, { brief: true });
      const frame = await terminal.seen(/表格: Bash[^\n]*\n {2}\* write the converter: Bash/);
      const area = frame.slice(frame.lastIndexOf("-".repeat(areaColumns(columns))));
      await expect(steady(area, workspace)).toMatchFileSnapshot(`__snapshots__/terminal-${columns}.txt`);
      terminal.type(CTRL_C);
      await terminal.seen(/what should\s+change\?/);
      terminal.type(CTRL_C);
      expect(await terminal.ended, terminal.screen()).toBe(130);
      expect(await readFile(join(workspace, "runs/manifest.json"), "utf8")).toContain("killed-by-signal");
    },
    60_000,
  );

  it("draws nothing where that is not wanted", async () => {
    const { terminal } = await job(80, { brief: true, more: { NO_COLOR: "1" } });
    await terminal.shows(/Agent worker: write the converter/);
    expect(terminal.raw()).not.toMatch(/\u001b\[(?:\d+m|2K|\?25l)/);
    terminal.type(CTRL_C);
    await terminal.shows(/what should change/);
    terminal.type(CTRL_C);
    expect(await terminal.ended, terminal.screen()).toBe(130);
  }, 60_000);
});

it("the README shows the screen as it is", async () => {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const screen = await readFile(path("__snapshots__/terminal-80.txt"), "utf8");
  expect(await readFile(path("../../README.md"), "utf8")).toContain(screen.trim());
});
