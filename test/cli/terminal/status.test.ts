import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cut, statusRows, type RowOptions } from "../../../src/cli/terminal/status-rows.ts";
import { EMPTY_VIEW, withEvent } from "../../../src/cli/run-view.ts";
import { areaColumns } from "../../../src/cli/terminal/live.ts";
import { LOCALES } from "../../../src/core/locale.ts";
import { TERMINAL_TEXTS } from "../../../src/cli/terminal/texts.ts";
import type { Event, EventDraft } from "../../../src/core/events.ts";

const START = 1_700_000_000_000;
const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
/** Seconds after the start, and what happened. */
const event = (seconds: number, draft: EventDraft, step = "work"): Event => ({
  runId: "r",
  step,
  timeMs: START + seconds * 1_000,
  ...draft,
});

const gauge = (context: number, costUsd: number): EventDraft => ({
  type: "usage",
  context,
  window: 200_000,
  at: 150_000,
  costUsd,
  costIsEstimate: false,
  tokens,
});
const started = (name: string, index: number): EventDraft => ({
  type: "step",
  phase: "started",
  name,
  index,
  total: 3,
});

const rows = (events: readonly Event[], options: Partial<RowOptions> = {}): string[] =>
  statusRows(events.reduce(withEvent, EMPTY_VIEW), {
    columns: 80,
    rows: 20,
    nowMs: START + 754_000,
    texts: TERMINAL_TEXTS.en,
    rounds: 3,
    ...options,
  }).map(({ text }) => text);

const AT_WORK = [
  event(0, started("goal", 2), "goal"),
  event(60, { type: "step", phase: "done", name: "goal", costUsd: 0.25, numTurns: 2 }, "goal"),
  event(61, started("work#round2", 3), "work#round2"),
  event(700, gauge(96_200, 1.5)),
  event(710, {
    type: "toolCall",
    id: "t1",
    name: "Agent",
    input: { subagent_type: "worker", description: "parse" },
  }),
  event(711, { type: "task", phase: "started", taskId: "a1", description: "write the parser 解析器" }),
  event(712, { type: "task", phase: "started", taskId: "a2", description: "look at the tests" }),
  event(740, { type: "toolCall", id: "t2", agentId: "a1", name: "Bash", input: { command: "npm test" } }),
];

describe("the status area", () => {
  it("names step, round, time, cost, level and who is at what", () => {
    expect(rows(AT_WORK, { budgetUsd: 5 })).toEqual([
      "-".repeat(80),
      "work · step 3/3 · round 2/3                               12:34 · $1.75 of $5.00",
      "context [###################----------|---------] 96.2K/200K · handoff at 150.0K",
      "> Agent worker: parse                                                       0:44",
      "  * write the parser 解析器: Bash npm test                                  0:43",
      "  * look at the tests                                                       0:42",
    ]);
  });

  it.each([20, 40, 80, 160])("fits %i columns", (columns) => {
    const text = rows(AT_WORK, { columns, budgetUsd: 5 });
    for (const row of text) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
    expect(text.join("\n")).toMatchSnapshot();
  });

  it("counts agents that have no room", () => {
    const many = Array.from({ length: 9 }, (_, n) =>
      event(720, { type: "task", phase: "started", taskId: `b${n}`, description: `part ${n}` }),
    );
    expect(rows([...AT_WORK, ...many], { rows: 8 }).slice(-2)).toEqual([
      expect.stringContaining("part 0"),
      "  * and 8 more",
    ]);
  });

  it.each([1, 2, 3, 5, 8])("has no more than %i rows, and what is waited for is among them", (height) => {
    const waits = event(750, {
      type: "ask",
      id: "1",
      phase: "asked",
      question: "?",
      options: [],
      timeoutMs: null,
    });
    for (const columns of [30, 80]) {
      const shown = rows([...AT_WORK, waits], { rows: height, columns });
      expect(shown.length).toBeLessThanOrEqual(height);
      expect(shown.at(-1)).toMatch(/^\? a question/);
    }
  });

  it("keeps a question in sight when another one falls through", () => {
    const ask = (id: string, phase: "asked" | "quota"): Event =>
      event(750, { type: "ask", id, phase, question: "?", options: [], timeoutMs: null });
    expect(rows([...AT_WORK, ask("1", "asked"), ask("2", "quota")]).at(-1)).toMatch(/^\? /);
  });

  it.each<[string, Event, RegExp]>([
    [
      "a fault",
      event(750, { type: "retry", attempt: 2, maxAttempts: 6, waitMs: 16_000, reason: "x" }),
      /^~ waiting for the endpoint: try 2 of 6 +0:12 left$/,
    ],
    [
      "an allowance",
      event(750, {
        type: "retry",
        attempt: 1,
        maxAttempts: 6,
        waitMs: 1,
        reason: "x",
        untilMs: START + 4_354_000,
      }),
      /^~ usage limit until \d.* +1:00:00 left$/,
    ],
    [
      "a question",
      event(750, { type: "ask", id: "1", phase: "asked", question: "?", options: [], timeoutMs: 1_800_000 }),
      /^\? a question waits for you +29:56 left$/,
    ],
    [
      "a question without end",
      event(750, { type: "ask", id: "1", phase: "asked", question: "?", options: [], timeoutMs: null }),
      /^\? a question waits for you$/,
    ],
  ])("says what is waited for: %s", (_what, waits, row) => {
    expect(rows([...AT_WORK, waits]).at(-1)).toMatch(row);
    const goesOn = event(752, { type: "text", text: "on" });
    const isQuestion = waits.type === "ask";
    expect(rows([...AT_WORK, waits, goesOn]).some((text) => /^[~?] /.test(text))).toBe(isQuestion);
    const answered: EventDraft = {
      type: "ask",
      id: "1",
      phase: "answered",
      question: "?",
      options: [],
      timeoutMs: null,
    };
    // A wait goes on when something else was answered.
    const after = rows([...AT_WORK, waits, event(753, answered)]);
    expect(after.some((text) => /^[~?] /.test(text))).toBe(!isQuestion);
  });

  it("shows a question and a wait together, and the question where there is one row", () => {
    const asked = event(749, {
      type: "ask",
      id: "1",
      phase: "asked",
      question: "?",
      options: [],
      timeoutMs: null,
    });
    const waits = event(750, { type: "retry", attempt: 2, maxAttempts: 6, waitMs: 16_000, reason: "x" });
    expect(
      rows([...AT_WORK, asked, waits])
        .slice(-2)
        .map((row) => row[0]),
    ).toEqual(["~", "?"]);
    expect(rows([...AT_WORK, asked, waits], { rows: 1 })).toEqual(["? a question waits for you"]);
    const reviewed = rows(AT_WORK, { isReviewing: true });
    expect(reviewed.at(-1)).toBe("? the handoff document waits for you");
    expect(reviewed.join("\n")).not.toContain("> Agent");
  });

  it.each(LOCALES)("counts down in 40 columns, in %s", (locale) => {
    const wait = { type: "retry", attempt: 2, maxAttempts: 6, waitMs: 16_000, reason: "x" } as const;
    const ask = { type: "ask", id: "1", phase: "asked", question: "?", options: [] } as const;
    for (const [waits, left] of [
      [event(750, wait), "0:12"],
      [event(750, { ...wait, untilMs: START + 4_354_000 }), "1:00:00"],
      [event(750, { ...wait, untilMs: START + 400_000_000 }), "110:54:06"],
      [event(750, { ...ask, timeoutMs: 1_800_000 }), "29:56"],
    ] as const) {
      const row = rows([...AT_WORK, waits], { columns: areaColumns(40), texts: TERMINAL_TEXTS[locale] }).at(
        -1,
      );
      expect(row).toContain(left);
      expect(row).toMatch(/^[~?] \S/);
    }
  });

  it("forgets agents that ended, and a step with all of its own", () => {
    const ended = event(745, { type: "task", phase: "done", taskId: "a1", description: "" });
    expect(rows([...AT_WORK, ended]).join("\n")).not.toContain("解析器");
    const over = event(750, { type: "step", phase: "done", name: "x", costUsd: 2, numTurns: 1 });
    const after = rows([...AT_WORK, over]);
    expect(after.join("\n")).not.toContain("look at the tests");
    expect(after[1]).toContain("$2.25");
  });

  it("shows nothing but its own letters of what a model calls its agents", () => {
    const evil = event(720, {
      type: "task",
      phase: "started",
      taskId: "e",
      description: "\u001b]52;c;aGk=\u0007\u001b[2Jred\u202e\nsecond",
    });
    expect(rows([...AT_WORK, evil]).at(-1)).toMatch(/^ {2}\* red second +0:34$/);
  });
});

describe("a row", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly10!", 10, "exactly10!"],
    ["eleven here", 10, "eleven he~"],
    ["中文中文中文", 7, "中文中~"],
    ["中文中文中文", 8, "中文中~"],
    ["a\tb\nc", 10, "a b c"],
    ["x".repeat(1_000_000), 5, "xxxx~"],
  ])("%.12s in %i columns", (text, columns, row) => expect(cut(text, columns)).toBe(row));
});
