import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastWorkSession, pickId, tailOf } from "../../src/cli/log-view.ts";
import { log } from "../../src/cli/log.ts";
import type { ViewOptions } from "../../src/cli/run-view-place.ts";
import { jsonText, tableLines } from "../../src/cli/run-view-print.ts";
import { sessionLines } from "../../src/cli/sessions.ts";
import { findDocuments, SHOWN } from "../../src/cli/show-find.ts";
import { show } from "../../src/cli/show.ts";
import { status } from "../../src/cli/status.ts";
import { LOCALES } from "../../src/core/locale.ts";
import type { SessionSummary } from "../../src/runtime/sessions.ts";
import { SqliteSessionStore } from "../../src/store/sqlite.ts";
import { call, say } from "../../src/testing/index.ts";
import { workbenchPaths } from "../../src/workbench/directories.ts";
import { flower, type Ran } from "../support/flower.ts";
import { tempDir, until } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const view = async (workspace: string, ...args: string[]): Promise<Ran> =>
  flower([...args, "-w", workspace], { HOME: workspace, XDG_CONFIG_HOME: "" });
const json = async (workspace: string, ...args: string[]): Promise<Record<string, unknown>> => {
  const ran = await view(workspace, ...args, "--json");
  expect(ran, ran.err).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ran.out) as Record<string, unknown>;
};

it("a run is looked at while it runs and afterwards, from another process, undisturbed", async () => {
  const { workspace, runtime, seen } = await stage([
    main((request) =>
      request.toolResults.length > 0
        ? say("finished\u001b[2J")
        : call("Bash", { command: "until [ -e go ]; do sleep 0.1; done" }),
    ),
  ]);
  const running = runtime.run(SPEC, "do it");
  const transcript = async (): Promise<string> => (await view(workspace, "log")).out;
  await until(() => seen.events.some(({ type }) => type === "toolCall"));
  await until(async () => (await transcript()).includes("* Bash"));
  expect(await json(workspace, "status")).toMatchObject({
    v: 1,
    state: "running",
    run: runtime.runId,
    holder: { pid: process.pid, step: "work" },
    step: { id: "work", phase: "started" },
    doing: "Bash until [ -e go ]; do sleep 0.1; done",
    next: null,
    problems: [],
  });
  await writeFile(join(workspace, "go"), "");
  const result = await running;
  expect(result.ok).toBe(true);
  await runtime.close();

  const ended = await view(workspace, "status", "--lang", "de");
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(ended.out).toMatch(/^fertig .*\n(?:.*\n)*weiter mit: flower -w /);
  expect(await transcript()).toMatch(/^> do it\n[^]*\n\n\* Bash [^]*\n\nfinished\n$/);
  expect(await json(workspace, "cost")).toMatchObject({
    v: 1,
    total: { costUsd: result.costUsd, turns: 2 },
    aside: null,
  });
  expect(await json(workspace, "log", (result.sessionId ?? "").slice(0, 8), "--tail", "1")).toMatchObject({
    sessionId: result.sessionId,
    step: "work",
    agents: [],
  });
}, 60_000);

describe("what cannot be shown is one line that says what to do", () => {
  const at = (workspace: string): ViewOptions => ({ workspace, runDir: "runs", json: true, lang: "en" });

  it("a directory where nothing ran, an unknown session, a document that is not there", async () => {
    const home = await tempDir();
    const runs = join(home, "runs");
    const refused = async (ran: Promise<number>, message: RegExp): Promise<void> => {
      await expect(ran).rejects.toMatchObject({
        code: "workspace",
        message: expect.stringMatching(message) as string,
        nextStep: expect.any(String) as string,
      });
    };
    await refused(status(at(join(home, "nowhere"))), /nowhere is not a directory/);
    await refused(status(at(home)), /no run directory .*runs/);
    await mkdir(runs);
    await refused(log(undefined, at(home)), /no session is stored in .*runs/);
    await refused(show("goal", at(home)), /no goal in .*\.flower/);
    SqliteSessionStore.open({ path: join(runs, "sessions.db") });
    await refused(log("abc", at(home)), /^no session abc$/);
  });

  it("damaged files, which stay where they are", async () => {
    const home = await tempDir();
    const runs = join(home, "runs");
    await mkdir(runs);
    await writeFile(join(runs, "sessions.db"), "damaged ".repeat(1_000));
    await writeFile(join(runs, "manifest.json"), "[oops");
    const step = { v: 1, seq: 1, type: "step", name: "work", step: "work", runId: "r", timeMs: 1 };
    await mkdir(join(runs, "events"));
    await writeFile(
      join(runs, "events", "r.jsonl"),
      [
        { ...step, phase: "started" },
        { ...step, phase: "done", costUsd: 0.05 },
      ]
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(""),
    );
    const sessions = await view(home, "sessions");
    expect(sessions).toMatchObject({ code: 1, out: "" });
    expect(sessions.err).toMatch(
      /^flower: [^\n]*sessions\.db is damaged[^\n]* -- [^\n]*flower show[^\n]*\n$/,
    );
    const cost = await view(home, "cost", "--lang", "en");
    expect(cost).toMatchObject({ code: 1 });
    expect(cost.err).toMatch(/^ {2}! [^\n]*manifest\.json is damaged \(no valid JSON\)\n$/);
    expect(cost.out).toMatch(/^the books cannot be read; by the events [^\n]* \$0\.05\n$/);
    // For a script: the error in one line, whatever was asked for.
    for (const command of ["sessions", "log"]) {
      const ran = await view(home, command, "--json");
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.out)).toEqual({
        v: 1,
        error: {
          code: "store",
          message: expect.stringContaining("sessions.db is damaged") as string,
          nextStep: expect.stringContaining("the next run sets it aside") as string,
        },
      });
    }
    expect((await readdir(runs)).sort()).toEqual(["events", "manifest.json", "sessions.db"]);
    expect(await readFile(join(runs, "manifest.json"), "utf8")).toBe("[oops");
  }, 60_000);
});

describe("the documents that are there", () => {
  const VERDICT = {
    step: "work·verdict#1",
    text: "## Conclusion\nachieved",
    endedAt: "2026-08-01T00:00:00Z",
  };

  it("are found under the names of every language, the newest handoff first", async () => {
    const workspace = await tempDir();
    const workbench = workbenchPaths(workspace, false);
    await mkdir(join(workbench.notes, "archive/交接"), { recursive: true });
    const put = async (name: string, time: number): Promise<void> => {
      await writeFile(join(workbench.notes, name), `text of ${name}`);
      await utimes(join(workbench.notes, name), time, time);
    };
    const places = { workbench, manifestPath: "/m", locale: "pt", rows: [VERDICT as never] } as const;
    const found = (kind: (typeof SHOWN)[number]): string[] =>
      findDocuments(kind, places).map(({ text }) => text);

    await put("archive/交接/干活-1.md", 5);
    expect(found("handoff")).toEqual(["text of archive/交接/干活-1.md"]);
    for (const [name, time] of [
      ["需求.md", 1],
      ["目标.md", 1],
      ["问答记录.md", 1],
      ["交接-干活.md", 2],
      ["handoff-trabalho.md", 3],
      ["other.md", 9],
    ] as const)
      await put(name, time);
    expect(SHOWN.map((kind) => [kind, found(kind)])).toEqual([
      ["brief", ["text of 需求.md"]],
      ["goal", ["text of 目标.md"]],
      ["handoff", ["text of handoff-trabalho.md", "text of 交接-干活.md"]],
      ["questions", ["text of 问答记录.md"]],
      ["verdict", [VERDICT.text]],
      ["index", []],
    ]);
  });
});

describe("the transcript to read", () => {
  const session = (sessionId: string, step: string | null): SessionSummary => ({
    sessionId,
    step,
    status: "done",
    startedAt: null,
    endedAt: null,
    entries: 1,
    bytes: 1_500,
    context: 10,
    window: 200_000,
    costUsd: 1,
  });
  const ALL = [session("abc1", null), session("abd2", "work"), session("xyz3", "work·verdict#1")];

  it.each<[string, SessionSummary[], string | undefined, string | undefined]>([
    ["that of the lineage", ALL, "abc1", "abc1"],
    ["one that the store does not have", ALL, "gone", "abd2"],
    ["the last that worked, not the judge's", ALL, undefined, "abd2"],
    ["the last one where nobody worked", ALL.slice(2), undefined, "xyz3"],
    ["none", [], "abc1", undefined],
  ])("is %s", (_name, sessions, known, expected) => {
    const steps = known === undefined ? {} : { work: { sessionId: known } };
    expect(lastWorkSession(sessions, { woke: 0, steps })).toBe(expected);
  });

  it("is named by its id or what that begins with", () => {
    const pick = (wanted: string): string =>
      pickId(["abc1", "abd2", "abc"], wanted, { what: "session", nextStep: "n" });
    expect([pick("abd"), pick("abc"), pick("abc1")]).toEqual(["abd2", "abc", "abc1"]);
    expect(() => pick("ab")).toThrow("more than one session begins with ab");
    expect(() => pick("z\u001b[2J")).toThrow(/^no session z$/);
    expect(() => pick("")).toThrow("no session");
  });

  it("ends with the last words and calls, each with its result", () => {
    const entries = [
      { type: "user", message: { content: "one" } },
      { type: "attachment" },
      { type: "assistant", message: { content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] } },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] } },
      { type: "assistant", message: { content: [{ type: "text", text: "two" }] } },
      { type: "last-prompt" },
    ];
    expect(tailOf(entries, 1)).toEqual(entries.slice(4));
    expect(tailOf(entries, 2)).toEqual(entries.slice(2));
    expect(tailOf(entries, 9)).toEqual(entries);
    expect(tailOf(entries, undefined)).toEqual(entries);
  });

  it.each(LOCALES)("is listed with its size and cost in %s", (locale) => {
    const text = sessionLines(ALL, locale).join("\n");
    for (const part of ["abd2", "2 kB", "10/200K", "$1.00"]) expect(text).toContain(part);
    expect(text).not.toMatch(/undefined|NaN|null/);
    const words = { en: "done", zh: "完成", pt: "concluída", de: "fertig" };
    expect(text).toContain(words[locale]);
    expect(sessionLines([], locale)).toHaveLength(1);
  });
});

it("columns stay in line under wide characters", () => {
  expect(
    tableLines(
      [
        ["步骤", "费用", "x"],
        ["work", "$1", "y"],
      ],
      [1],
    ),
  ).toEqual(["步骤  费用  x", "work    $1  y"]);
});

it("JSON acts on no terminal and keeps its values", () => {
  const value = { text: "a\u001b[2J\u009b2J\u202eb\u007f花" };
  expect(jsonText(value)).toMatch(/^[\n\x20-\x7e花]*$/);
  expect(JSON.parse(jsonText(value))).toEqual(value);
});
