import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { areaColumns } from "../../../src/cli/terminal/live.ts";
import {
  atTerminal,
  canPlayTerminal,
  type AtTerminal,
  type TerminalSize,
} from "../../support/at-terminal.ts";
import { cleanEnv } from "../../support/flower.ts";
import { until } from "../../support/rehearse.ts";

const FEEDER = fileURLToPath(new URL("../../support/run-live.mjs", import.meta.url));
const feed = (args: readonly string[], size: TerminalSize, env: Readonly<Record<string, string>> = {}) =>
  atTerminal(
    [process.execPath, "--expose-gc", FEEDER, ...args],
    cleanEnv({ TERM: "xterm-256color", ...env }),
    size,
  );

/** Rules of status areas, whole or torn. */
const rulesIn = (rows: readonly string[]): string[] => rows.filter((row) => /^-{5,}$/.test(row));
/** Rows of status areas, whole or torn, that no printed line looks like. */
const areasIn = (rows: readonly string[]): string[] =>
  rows.filter((row) => row.startsWith("work · step 3/3"));
/** Drags the window narrower or wider, a step each so many milliseconds. */
async function drag(terminal: AtTerminal, widths: readonly number[], stepMs: number): Promise<void> {
  for (const columns of widths) {
    terminal.resize(columns, 24);
    await sleep(stepMs);
  }
}
/** There is one area on the screen in the end, whole and of the right width. */
async function expectOneArea(terminal: AtTerminal, columns: number): Promise<void> {
  const rule = "-".repeat(areaColumns(columns));
  try {
    await until(async () => String(rulesIn(await terminal.frame())) === rule);
  } catch {
    throw new Error(`no single area of ${columns} columns:\n${(await terminal.frame()).join("\n")}`);
  }
  expect((await terminal.frame()).filter((row) => row.startsWith("context ["))).toHaveLength(1);
  expect((await terminal.frame()).join("\n")).toMatch(AREA);
}

/** The status area of the feeder, from its rule on. */
const AREA = /^-{15,}\n(?:.*\n){3,8}> ?[^\n]*\n*$/m;

it.runIf(canPlayTerminal)(
  "10,000 events come out whole and in order, the area stays below them, and memory does not grow",
  async () => {
    const terminal = feed(["10000"], { columns: 80, rows: 24 });
    terminal.type("typed meanwhile 中文");
    await terminal.seen(/all events are there/);
    await terminal.seen(/\n> typed meanwhile 中文\s*$/);
    await until(async () => (await terminal.cursor()).x === 22);
    const paper = await terminal.paper();
    const numbers = paper.flatMap((row) => /^ {4}\* \[.*\] Bash echo line (\d+) of/.exec(row)?.[1] ?? []);
    expect(numbers.map(Number)).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
    // One area, at the end: a torn one would have left a rule of its own.
    expect(paper.filter((row) => /^-{79}$/.test(row))).toHaveLength(1);
    const grownMb = Number(/grown (-?[\d.]+) MB/.exec(paper.join("\n"))?.[1]);
    expect(grownMb).toBeLessThan(1);
  },
  60_000,
);

it.runIf(canPlayTerminal)(
  "a terminal that changes its width keeps one area and what is typed",
  async () => {
    const terminal = feed(["60"], { columns: 80, rows: 24 });
    await terminal.seen(/all events are there/);
    terminal.type("half a 句子");
    await terminal.seen(/half a 句子/);
    for (const [columns, rows] of [
      [40, 24],
      [160, 30],
      [61, 12],
      [20, 24],
    ] as const) {
      terminal.resize(columns, rows);
      // A torn area would leave a second rule, or a part of one.
      await until(async () => String(rulesIn(await terminal.frame())) === "-".repeat(areaColumns(columns)));
      expect(await terminal.seen(AREA)).toMatch(/half a 句\n?子/);
    }
    terminal.type("\r");
    await terminal.seen(/said: "half a 句子/);
    terminal.type("quit\r");
    expect(await terminal.ended).toBe(0);
    // The area is gone, what was said stays.
    expect((await terminal.frame()).join("\n")).not.toMatch(/^-{5,}$/m);
  },
  60_000,
);

it.runIf(canPlayTerminal)(
  "a hostile text changes nothing but its own lines",
  async () => {
    const text = [
      "before",
      "\u001b]0;owned\u0007\u001b]52;c;aGVsbG8=\u0007\u001b[2J\u001b[1;1H\u001b[?1049hmoved\u202edesrever",
      "LONG",
      "after",
    ].join("\n");
    // The feeder makes a megabyte of LONG: too much for a command line.
    const terminal = feed(["2", JSON.stringify(text)], { columns: 80, rows: 50 });
    await terminal.seen(/^ {2}after$/m);
    const seen = await terminal.seen(AREA);
    expect(seen).toMatch(/^ {2}before\n {2}moveddesrever\n {2}x{78}$/m);
    expect(seen).toMatch(/… \(\+998000\)\n/);
    expect(terminal.raw()).not.toMatch(/\u001b\](?:0|52);|\u001b\[\?1049h|\u001b\[2J/);
  },
  60_000,
);

const NARROWER = Array.from({ length: 30 }, (_, i) => 120 - 2 * i);

it.runIf(canPlayTerminal)(
  "a window that is dragged narrower leaves one area, and none above it",
  async () => {
    const terminal = feed(["60"], { columns: 120, rows: 24 });
    await terminal.seen(/all events are there/);
    terminal.type("quiet");
    await terminal.seen(/> quiet\s*$/);
    await drag(terminal, NARROWER, 33);
    await expectOneArea(terminal, 62);
    expect(areasIn(await terminal.paper())).toHaveLength(1);
    // With rests in between it is drawn anew at each.
    for (const columns of [107, 94, 81, 68, 55]) {
      terminal.resize(columns, 24);
      await expectOneArea(terminal, columns);
    }
    expect(areasIn(await terminal.paper())).toHaveLength(1);
  },
  60_000,
);

it.runIf(canPlayTerminal)(
  "the same while lines come, of which none is lost",
  async () => {
    const terminal = feed(["6000"], { columns: 120, rows: 24 });
    await terminal.seen(/echo line \d+ of/);
    await drag(terminal, NARROWER, 33);
    await terminal.seen(/all events are there/);
    await expectOneArea(terminal, 62);
    const text = (await terminal.paper()).join("");
    const numbers = [...text.matchAll(/\] Bash echo line (\d+) of/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 6_000 }, (_, i) => i + 1));
  },
  60_000,
);

it.runIf(canPlayTerminal)(
  "a terminal that cuts rows instead of breaking them keeps the lines above the area",
  async () => {
    const size = { columns: 120, rows: 24, breaksAnew: false };
    const terminal = feed(["60"], size, { XTERM_VERSION: "XTerm(390)" });
    await terminal.seen(/all events are there/);
    const lines = async (): Promise<string[]> => {
      const paper = await terminal.paper();
      return paper.flatMap((row) => /\] Bash echo line \d+ of/.exec(row)?.[0] ?? []);
    };
    terminal.type("quiet");
    await terminal.seen(/> quiet\s*$/);
    const before = await lines();
    for (const columns of [75, 60]) {
      terminal.resize(columns, 24);
      await expectOneArea(terminal, columns);
    }
    expect(await lines()).toEqual(before);
    expect((await terminal.frame()).join("\n")).toContain("all events are there");
  },
  60_000,
);

it.runIf(canPlayTerminal)(
  "Delete takes the character under the cursor, Backspace the one before it",
  async () => {
    const terminal = feed(["2"], { columns: 80, rows: 24 });
    await terminal.seen(/all events are there/);
    terminal.type("abcd\u001b[D\u001b[D");
    terminal.type("\u001b[3~");
    await terminal.seen(/> abd\s*$/);
    terminal.type("\u007f");
    await terminal.seen(/> ad\s*$/);
  },
  60_000,
);

const PLAIN = { TERM: "dumb" };

it.runIf(canPlayTerminal).each([
  ["another", "B", /answered B: "1"/, {}],
  ["none", "", /said: "1"/, {}],
  ["another", "B", /answered B: "1"/, PLAIN],
  ["none", "", /said: "1"/, PLAIN],
])(
  "a line that was typed under a question is not sent when %s is open: %j %j %j",
  async (_what, to, sent, env) => {
    const terminal = feed(["0"], { columns: 80, rows: 24 }, env);
    await terminal.seen(/all events are there/);
    terminal.type(`at a 1: ${to}\r`);
    await terminal.seen(/said: "at a 1/);
    terminal.type("ask A\r");
    await terminal.seen(/said: "ask A"/);
    terminal.type("1");
    await terminal.seen(/open:/);
    terminal.type("\r");
    await terminal.seen(/kept: "1"[^]*\n(?:> )?1\s*$/);
    terminal.type("\r");
    await terminal.seen(sent);
    expect(terminal.screen()).not.toContain("answered A");
    terminal.type("quit\r");
    await terminal.ended;
  },
);

it.runIf(canPlayTerminal)("what is pasted into one question does not answer the next unseen", async () => {
  const terminal = feed(["0"], { columns: 80, rows: 24 }, PLAIN);
  await terminal.seen(/all events are there/);
  terminal.type("ask AB\r");
  await terminal.seen(/said: "ask AB"/);
  terminal.type("one\rtwo\r");
  await terminal.seen(/answered A: "one"[^]*kept: "two"[^]*\ntwo\s*$/);
  terminal.type("\r");
  await terminal.seen(/answered B: "two"/);
  terminal.type("quit\r");
  await terminal.ended;
});
