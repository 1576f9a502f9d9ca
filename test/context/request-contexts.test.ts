import { describe, expect, it } from "vitest";
import { firstContextOf, lastContextOf, nextContextOf } from "../../src/context/request-contexts.ts";
import type { Entry } from "../../src/context/transcript.ts";

const says = (id: string, tokens: number, text = ""): Entry => ({
  type: "assistant",
  uuid: `${id}-${text.length}`,
  message: { id, content: [{ type: "text", text }], usage: { cache_read_input_tokens: tokens } },
});
const brings = (text: string): Entry => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: "x", content: text }] },
});
const asks = (text: string): Entry => ({ type: "user", message: { content: text } });
const refused: Entry = {
  type: "assistant",
  isApiErrorMessage: true,
  message: { content: [{ type: "text", text: "API Error: 400" }] },
};
const chars = (count: number): string => "x".repeat(count);

describe("what the request holds that comes behind the last answered one", () => {
  it.each<[string, Entry[], number]>([
    ["no reply: not known", [asks("do it")], 0],
    [
      "a quarter of a token a character where nothing tells more",
      [says("1", 9_000), brings(chars(400))],
      9_100,
    ],
    [
      "as many a character as the session's own have cost",
      [says("1", 9_000), brings(chars(1_000)), says("2", 9_500), brings(chars(2_000))],
      10_500,
    ],
    [
      "at most one, also where figures leap",
      [says("1", 9_000), brings(chars(10)), says("2", 50_000), brings(chars(2_000))],
      52_000,
    ],
    [
      "at least a quarter, as behind a compaction",
      [says("1", 90_000), brings(chars(1_000)), says("2", 20_000), brings(chars(400))],
      20_100,
    ],
    [
      "with the reply itself, of which each entry holds a part, and what was asked since; no error",
      [says("1", 9_000, chars(200)), says("1", 9_000, chars(100)), asks(chars(100)), refused],
      9_100,
    ],
  ])("%s", (_what, main, tokens) => expect(nextContextOf(main)).toBe(tokens));

  it("a picture counts as a picture, whatever its data's length", () => {
    const image = { type: "image", source: { type: "base64", data: chars(900_000) } };
    const main = [
      says("1", 9_000),
      { type: "user", message: { content: [{ type: "tool_result", content: [image] }] } },
    ];
    expect(nextContextOf(main)).toBeLessThan(12_000);
  });
});

it("the first and the last request that were answered", () => {
  const main = [asks("x"), says("1", 100), says("2", 300, "a"), says("2", 300, "bc"), refused];
  expect([firstContextOf(main), lastContextOf(main)]).toEqual([100, 300]);
  expect([firstContextOf([refused]), lastContextOf([])]).toEqual([undefined, undefined]);
});
