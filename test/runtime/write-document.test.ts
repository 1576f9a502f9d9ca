import { expect, it } from "vitest";
import { NO_TOKENS } from "../../src/core/tokens.ts";
import { STORE_FAILED, type RoundFailure, type RoundResult } from "../../src/harness/contract.ts";
import type { LiveSession } from "../../src/runtime/step-context.ts";
import { writeDocument } from "../../src/runtime/write-document.ts";
import { DOCUMENT } from "../support/stage.ts";

const WINDOW = 60_000;

/** A round that ends in order, as far as nothing else is said. */
const round = (text: string, more: Partial<RoundResult> = {}): RoundResult => ({
  text,
  allText: text,
  costUsd: 0,
  costIsEstimate: false,
  numTurns: 1,
  tokens: { main: NO_TOKENS, subagents: NO_TOKENS },
  context: 50_000,
  lastOutput: 100,
  ...more,
});
const failed = (failure: RoundFailure): RoundResult => round("", { failure });

const OVERLOADED = failed({ message: "Overloaded", status: 529 });
const EMPTY_AT_THE_END = round("", { context: 59_900, lastOutput: 0 });
const CUT_BY_THE_SERVER = round(DOCUMENT.replace("the thing", "half of it"), { context: 66_000 });

/** Has the rounds play out; whoever waits for a retry waits in vain from the `tries`th on. */
async function written(rounds: readonly RoundResult[], { tries = 3, ends = false, isOwed = false } = {}) {
  const left = [...rounds];
  const breakIn = new AbortController();
  const levels: unknown[] = [];
  const booked: number[] = [];
  const open = (): LiveSession =>
    ({
      session: {
        round: async () => left.shift() ?? round(DOCUMENT),
        transcript: async () => ({ main: [], subagents: [] }),
      },
      turn: { context: 50_000, line: { enabled: true, window: WINDOW, at: 45_000 } },
    }) as unknown as LiveSession;
  const wait = async (attempt: number): Promise<boolean> => {
    // A run that ends interrupts its steps as well.
    if (ends) breakIn.abort();
    return !ends && attempt <= tries;
  };
  const { written: result } = await writeDocument(open(), {
    step: "work",
    locale: "en",
    reason: "level",
    isOwed,
    book: (_live, { context }) => void booked.push(context),
    failed: () => undefined,
    overflowed: async () => undefined,
    reopen: async (level) => {
      levels.push(level);
      return open();
    },
    breakIn: breakIn.signal,
    waitForRetry: wait,
    waitForLimit: wait,
    emit: () => undefined,
  });
  return { result, levels, booked, asked: rounds.length - left.length };
}

const MISSING = { why: "missing: doing, next" };
const DOING = "## Doing now\nthe thing";
const NEXT = "## Next step\nrun the tests";

it.each<[string, RoundResult[], Record<string, unknown>, unknown[]]>([
  ["the first try", [], { handoff: { next: "run the tests" } }, []],
  ["two tries that are whole together", [round(DOING), round(NEXT)], { handoff: { doing: "the thing" } }, []],
  [
    "a second try that leaves out what the first one had",
    [round("## Doing now\nx\n\n## Dead ends\nthe cache"), round(`${DOING}\n\n${NEXT}`)],
    { handoff: { doing: "the thing", deadEnds: "the cache" } },
    [],
  ],
  ["a fault that passes", [OVERLOADED], { handoff: { doing: "the thing" } }, [undefined]],
  ["an empty reply at the window's end", [EMPTY_AT_THE_END], { handoff: { doing: "the thing" } }, [1]],
  ["a prompt that a server cut", [CUT_BY_THE_SERVER], { handoff: { doing: "the thing" } }, [1]],
  [
    "no room to answer in, as the harness says it",
    [
      failed({
        message: "API Error: The model has reached its context window limit.",
        category: "max_output_tokens",
        terminalReason: "api_error",
      }),
    ],
    { handoff: { doing: "the thing" } },
    [1],
  ],
  // Fails when only the last level's document counts.
  [
    "a prompt that is cut, and no document on a shorter history",
    [CUT_BY_THE_SERVER, EMPTY_AT_THE_END, EMPTY_AT_THE_END, EMPTY_AT_THE_END],
    { handoff: { doing: "half of it" } },
    [1, 2, 3],
  ],
  [
    "a prompt that is cut, and nonsense on a shorter history",
    [CUT_BY_THE_SERVER, round("no"), round("no")],
    { handoff: { doing: "half of it" } },
    [1],
  ],
  [
    "a prompt that is cut at every level: what there is counts",
    Array.from({ length: 4 }, () => CUT_BY_THE_SERVER),
    { handoff: { doing: "half of it" } },
    [1, 2, 3],
  ],
  [
    "a session without room at every level",
    Array.from({ length: 4 }, () => EMPTY_AT_THE_END),
    { why: "59900 tokens did not fit into 60000" },
    [1, 2, 3],
  ],
  ["nonsense twice", [round("no"), round("no")], MISSING, []],
  [
    "a store that keeps nothing",
    [failed({ message: "database or disk is full", category: STORE_FAILED })],
    { stopped: expect.stringMatching(/cannot be kept.*free disk space/) as unknown },
    [],
  ],
  [
    "a fault that does not pass",
    [OVERLOADED, OVERLOADED, OVERLOADED],
    {
      stopped: expect.stringMatching(/3 attempts\): run again.*writes its handoff document first/) as unknown,
    },
    [undefined, undefined],
  ],
  [
    "two halves with a fault between them",
    [round(DOING), OVERLOADED, round(NEXT)],
    { handoff: { doing: "the thing", next: "run the tests" } },
    [undefined],
  ],
  ["nonsense twice, over a fault", [round("no"), OVERLOADED, round("no")], MISSING, [undefined]],
  [
    "an endpoint that does not know the method",
    [failed({ message: "Method Not Allowed", status: 405 })],
    { stopped: expect.stringContaining("Method Not Allowed") as unknown, refused: true },
    [],
  ],
  [
    "a request that is refused as it is, at every level",
    Array.from({ length: 4 }, () => failed({ message: "tool_use ids must be unique", status: 400 })),
    { why: "tool_use ids must be unique" },
    [1, 2, 3],
  ],
])("%s", async (_what, rounds, expected, levels) => {
  const { result, booked, ...rest } = await written(rounds);
  expect(result).toMatchObject(expected);
  expect(rest).toEqual({ levels, asked: rounds.length });
  expect(booked.slice(0, rounds.length)).toEqual(rounds.map(({ context }) => context));
});

// Fails when nobody ever gives up: the step would stand at its handoff in every later run.
it("of an unknown fault that does not pass stays owed once", async () => {
  const zorp = Array.from({ length: 3 }, () => failed({ message: "zorp" }));
  expect((await written(zorp)).result).toEqual({
    stopped: expect.stringContaining("zorp") as unknown,
    refused: false,
  });
  expect((await written(zorp, { isOwed: true })).result).toEqual({ why: "zorp" });
});

// Fails when the end of the run is taken for the end of the tries: a document would be frozen that nobody wrote.
it.each([OVERLOADED, failed({ message: "zorp" }), failed({ message: "x", status: 429, resetsAtMs: 1 })])(
  "stays owed when the run ends while a fault is waited out: $failure.message",
  async (fault) => {
    expect((await written([fault], { ends: true })).result).toEqual({ interrupted: true });
  },
);
