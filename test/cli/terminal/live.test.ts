import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { grownRows } from "../../../src/cli/terminal/live.ts";
import { atTerminal, canPlayTerminal } from "../../support/at-terminal.ts";
import { cleanEnv } from "../../support/flower.ts";
import { until } from "../../support/rehearse.ts";

const FEEDER = fileURLToPath(new URL("../../support/run-live.mjs", import.meta.url));
const feed = (args: readonly string[], size: { columns: number; rows: number }) =>
  atTerminal([process.execPath, "--expose-gc", FEEDER, ...args], cleanEnv({ TERM: "xterm-256color" }), size);

/** The status area of the feeder, from its rule on. */
const AREA = /^-{15,}\n(?:.*\n){3,8}> ?[^\n]*\n*$/m;

it.runIf(canPlayTerminal)(
  "10,000 events come out whole and in order, the area stays below them, and memory does not grow",
  async () => {
    const terminal = feed(["10000"], { columns: 80, rows: 24 });
    terminal.type("typed meanwhile 中文");
    await terminal.seen(/all events are there/);
    await terminal.seen(/\n> typed meanwhile 中文\s*$/);
    expect(await terminal.cursor()).toMatchObject({ x: 22 });
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
      const rules = async (): Promise<number[]> =>
        (await terminal.frame()).filter((row) => /^-+$/.test(row)).map((row) => row.length);
      await until(async () => String(await rules()) === String(columns - 1));
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

it("rows that a narrower terminal breaks are counted down to the cursor", () => {
  const status = ["-".repeat(79), "short", "中".repeat(30)].map((text) => ({ text, tone: "plain" as const }));
  const input = { rows: ["> " + "a".repeat(60), "b"], cursor: { x: 50, y: 0 } };
  expect(grownRows({ status, input }, 80)).toBe(0);
  expect(grownRows({ status, input }, 40)).toBe(1 + 0 + 1 + 1);
  expect(grownRows({ status, input: { ...input, cursor: { x: 1, y: 1 } } }, 40)).toBe(1 + 0 + 1 + 1);
});
