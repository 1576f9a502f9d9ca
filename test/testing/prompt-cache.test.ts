import { describe, expect, test } from "vitest";
import { settableClock, type ContentBlock, type MessagesBody, type Usage } from "../../src/testing/index.ts";
import {
  ask,
  assistant,
  bodyOf,
  closeRehearsalsAfterEach,
  rehearse,
  user,
  CLIENT_HEADERS,
  loopOf,
  toolOf,
} from "./client.ts";

closeRehearsalsAfterEach();

const FIVE_MINUTES_MS = 300_000;
const HOUR_MS = 3_600_000;
const MARK = { cache_control: { type: "ephemeral" } };
const HOUR_MARK = { cache_control: { type: "ephemeral", ttl: "1h" } };
const words = (text: string, mark: object = {}): ContentBlock => ({
  type: "text",
  text: text.repeat(100),
  ...mark,
});

const BASE = bodyOf([user([words("a"), words("b", MARK)])], {
  tools: [toolOf("Bash", { description: "Runs a command" })],
  system: [words("s", MARK)],
});

/** A rehearsal whose clock stands, and a way to get the usage of a request. */
async function counted(options: { inputTokensPerByte?: number } = {}) {
  const clock = settableClock();
  const rehearsal = await rehearse(undefined, { clock, ...options });
  const usage = async (body: MessagesBody): Promise<Usage> => (await ask(rehearsal, body)).usage!;
  return { clock, rehearsal, usage };
}

const total = (usage: Usage): number =>
  usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;

describe("tokens", () => {
  test("follow the bytes, whether cached or not", async () => {
    const { usage, rehearsal } = await counted();
    const one = await usage(bodyOf([user("x".repeat(4000))]));
    const two = await usage(bodyOf([user("x".repeat(8000))]));
    expect(total(two) - total(one)).toBe(1000);
    expect(rehearsal.journal.map((row) => row.inputTokens)).toEqual([total(one), total(two)]);
    expect((await usage(bodyOf([user("ü".repeat(2000))]))).input_tokens).toBe(total(one));
  });

  test("of tools and system count", async () => {
    const { usage } = await counted();
    const bare = await usage(bodyOf([user("hi")]));
    const system = await usage(bodyOf([user("hi")], { system: "x".repeat(400) }));
    const tools = await usage(
      bodyOf([user("hi")], { tools: [toolOf("A", { description: "x".repeat(400) })] }),
    );
    expect(total(system) - total(bare)).toBeGreaterThanOrEqual(100);
    expect(total(tools) - total(bare)).toBeGreaterThanOrEqual(100);
  });

  test("per byte can be set", async () => {
    const quarter = await (await counted()).usage(BASE);
    const double = await (await counted({ inputTokensPerByte: 2 })).usage(BASE);
    expect(Math.abs(total(double) - 8 * total(quarter))).toBeLessThanOrEqual(8);
  });

  test("marks cost nothing, wherever they are", async () => {
    const { usage } = await counted();
    const result = (mark: object) =>
      loopOf([
        user("hi"),
        assistant([{ type: "tool_use", id: "t", name: "Bash", input: { cache_control: "data" } }]),
        user([{ type: "tool_result", tool_use_id: "t", content: [words("r", mark)] }]),
      ]);
    expect(total(await usage(result({})))).toBe(total(await usage(result(MARK))));
  });

  test("count_tokens gives the same number and stays out of the journal", async () => {
    const { usage, rehearsal } = await counted();
    const response = await fetch(`${rehearsal.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { ...CLIENT_HEADERS, "x-api-key": "any" },
      body: JSON.stringify({ ...BASE, max_tokens: undefined }),
    });
    expect(await response.json()).toEqual({ input_tokens: total(await usage(BASE)) });
    expect(rehearsal.journal).toHaveLength(1);
  });
});

describe("the cache", () => {
  test("is written at first and read after", async () => {
    const { usage, rehearsal } = await counted();
    const first = await usage(BASE);
    const second = await usage(BASE);
    expect(first).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0 });
    expect(second).toMatchObject({ cache_creation_input_tokens: 0, input_tokens: 0 });
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(rehearsal.journal.map((row) => [row.cacheWrite, row.cacheRead])).toEqual([
      [total(first), 0],
      [0, total(first)],
    ]);
  });

  test("serves nothing without marks", async () => {
    const { usage } = await counted();
    const unmarked = bodyOf([user([words("a")])]);
    await usage(unmarked);
    expect(await usage(unmarked)).toMatchObject({
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    });
  });

  test("does not serve a marked prefix to a request without marks", async () => {
    const { usage } = await counted();
    await usage(bodyOf([user([words("a", MARK)])]));
    expect((await usage(bodyOf([user([words("a")])]))).cache_read_input_tokens).toBe(0);
  });

  test("keeps what is behind the last mark out", async () => {
    const { usage } = await counted();
    const body = bodyOf([user([words("a", MARK), words("b")])]);
    await usage(body);
    const again = await usage(body);
    expect(again.cache_read_input_tokens).toBeGreaterThan(0);
    expect(again.input_tokens).toBeGreaterThan(0);
    expect(again.cache_creation_input_tokens).toBe(0);
  });

  test("finds a grown conversation's old part and adds the new one", async () => {
    const { usage } = await counted();
    const first = await usage(bodyOf([user([words("a", MARK)])]));
    const grown = await usage(
      bodyOf([user([words("a")]), assistant([words("b")]), user([words("c", MARK)])]),
    );
    expect(grown.cache_read_input_tokens).toBe(total(first));
    expect(grown.cache_creation_input_tokens).toBe(total(grown) - total(first));
  });

  test("takes a string for a text block", async () => {
    const { usage } = await counted();
    const first = await usage(bodyOf([user([{ type: "text", text: "hello", ...MARK }])]));
    const grown = await usage(bodyOf([user("hello"), assistant("yes"), user([words("c", MARK)])]));
    expect(grown.cache_read_input_tokens).toBe(total(first));
  });

  const filler = (count: number): ContentBlock[] => Array.from({ length: count }, (_, i) => words(String(i)));

  test.each([
    [19, true],
    [20, false],
  ])("with %i unmarked blocks between finds the old mark: %s", async (between, found) => {
    const { usage } = await counted();
    await usage(bodyOf([user([words("a", MARK)])]));
    const later = await usage(bodyOf([user([words("a"), ...filler(between), words("z", MARK)])]));
    expect(later.cache_read_input_tokens > 0).toBe(found);
  });

  test("uses the longest of several kept prefixes", async () => {
    const { usage } = await counted();
    await usage(bodyOf([user([words("a", MARK), words("b", MARK)])]));
    const whole = await usage(bodyOf([user([words("a", MARK), words("b", MARK)])]));
    const half = await usage(bodyOf([user([words("a", MARK), words("x", MARK)])]));
    expect(half.cache_read_input_tokens).toBeGreaterThan(0);
    expect(half.cache_read_input_tokens).toBeLessThan(whole.cache_read_input_tokens);
  });

  test.each<[string, Partial<MessagesBody>]>([
    ["another model", { model: "claude-haiku-4-5" }],
    ["another tool", { tools: [toolOf("Bash", { description: "Runs a Command" })] }],
    ["another tool more", { tools: [...BASE.tools!, toolOf("Read")] }],
  ])("serves nothing to %s", async (_name, change) => {
    const { usage } = await counted();
    await usage(BASE);
    expect((await usage({ ...BASE, ...change })).cache_read_input_tokens).toBe(0);
  });

  test("serves the tools when only the system prompt changed, if they are marked", async () => {
    const { usage } = await counted();
    const withTools = (system: string) =>
      bodyOf([user([words("a", MARK)])], { tools: [toolOf("Bash", MARK)], system: [words(system)] });
    await usage(withTools("one"));
    const other = await usage(withTools("two"));
    expect(other.cache_read_input_tokens).toBeGreaterThan(0);
    expect(other.cache_creation_input_tokens).toBeGreaterThan(0);
  });
});

describe("age", () => {
  test.each([
    ["five minutes", MARK, FIVE_MINUTES_MS],
    ["an hour", HOUR_MARK, HOUR_MS],
  ])("a prefix is served for less than %s", async (_name, mark, keptMs) => {
    const body = bodyOf([user([words("a", mark)])]);
    const { usage, clock } = await counted();
    await usage(body);
    clock.advance(keptMs - 1);
    expect((await usage(body)).cache_read_input_tokens).toBeGreaterThan(0);
    clock.advance(keptMs);
    expect((await usage(body)).cache_read_input_tokens).toBe(0);
  });

  test("reading renews it", async () => {
    const { usage, clock } = await counted();
    await usage(BASE);
    for (let i = 0; i < 3; i++) {
      clock.advance(FIVE_MINUTES_MS - 1);
      expect((await usage(BASE)).cache_read_input_tokens).toBeGreaterThan(0);
    }
  });

  test("what is written is told apart by lifetime", async () => {
    const { usage } = await counted();
    const { cache_creation, cache_creation_input_tokens } = await usage(
      bodyOf([user([words("a", HOUR_MARK), words("bb", MARK)])]),
    );
    expect(cache_creation.ephemeral_1h_input_tokens).toBeGreaterThan(0);
    expect(cache_creation.ephemeral_5m_input_tokens).toBeGreaterThan(
      cache_creation.ephemeral_1h_input_tokens,
    );
    expect(cache_creation.ephemeral_1h_input_tokens + cache_creation.ephemeral_5m_input_tokens).toBe(
      cache_creation_input_tokens,
    );
  });
});
