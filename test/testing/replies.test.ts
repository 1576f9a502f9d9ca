import { describe, expect, test } from "vitest";
import { call, say, think, together, type ContentBlock, type MessageReply } from "../../src/testing/index.ts";
import { ask, bodyOf, closeRehearsalsAfterEach, post, rehearse, user } from "./client.ts";

closeRehearsalsAfterEach();

const HI = bodyOf([user("hi")]);
const STREAM = { ...HI, stream: true };
const LONG = "äöü😀".repeat(700);
const MIXED = together(think(LONG), say(LONG), call("Bash", { command: LONG }), call("Read", {}));

interface StreamEvent {
  type: string;
  index?: number;
  message?: { content: unknown[]; stop_reason: string | null; usage: object };
  content_block?: ContentBlock;
  delta?: Record<string, string>;
  usage?: object;
}

function parseStream(text: string): StreamEvent[] {
  return text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      const event = JSON.parse(data ?? "") as StreamEvent;
      expect(event.type).toBe(name);
      return event;
    });
}

/** Puts blocks together as a client does. */
function assemble(events: StreamEvent[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const json: string[] = [];
  for (const { type, index = -1, content_block, delta } of events) {
    if (type === "content_block_start") {
      blocks[index] = { ...content_block! };
      json[index] = "";
    } else if (type === "content_block_delta") {
      const { type: kind, ...rest } = delta!;
      if (kind === "input_json_delta") json[index] = `${json[index]!}${rest["partial_json"]!}`;
      else
        for (const [field, piece] of Object.entries(rest))
          blocks[index]![field] = `${String(blocks[index]![field])}${piece}`;
    } else if (type === "content_block_stop" && json[index] !== "") {
      blocks[index]!["input"] = JSON.parse(json[index]!) as unknown;
    }
  }
  return blocks;
}

const withoutIds = (content: ContentBlock[]): object[] =>
  content.map((block) =>
    Object.fromEntries(Object.entries(block).filter(([field]) => field !== "id" && field !== "signature")),
  );

test("a whole message holds the blocks in order, calls with ids, thinking signed", async () => {
  const rehearsal = await rehearse([MIXED]);
  const { content, stop_reason } = await ask(rehearsal, HI);
  expect(withoutIds(content!)).toEqual(MIXED.content);
  expect(content![0]!["signature"]).toMatch(/^\S{20,}$/);
  expect(stop_reason).toBe("tool_use");
  const ids = content!.slice(2).map((block) => String(block["id"]));
  expect(ids[0]).toMatch(/^toolu_\w+$/);
  expect(new Set(ids).size).toBe(2);
});

test("ids differ between rehearsals", async () => {
  const id = async () => (await ask(await rehearse([call("Bash", {})]), HI)).content![0]!["id"];
  expect(await id()).not.toBe(await id());
});

test("a streamed message puts together to the same", async () => {
  const rehearsal = await rehearse([MIXED]);
  const response = await post(rehearsal, STREAM);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events = parseStream(await response.text());

  expect(withoutIds(assemble(events))).toEqual(MIXED.content);
  expect(events[0]!.message).toMatchObject({ content: [], stop_reason: null });
  expect(events.filter((event) => event.delta?.["type"] === "text_delta").length).toBeGreaterThan(1);
  expect(events.slice(-2)).toMatchObject([
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ]);
  const row = rehearsal.journal[0]!;
  expect(events.at(-2)!.usage).toMatchObject({
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
  });
  expect(events[0]!.message!.usage).toMatchObject({ input_tokens: row.inputTokens, output_tokens: 1 });
});

describe("settings of a reply", () => {
  test.each<[string, MessageReply, string]>([
    ["text ends the turn", say("hi"), "end_turn"],
    ["a call asks for its result", call("Bash", {}), "tool_use"],
    [
      "the stop reason can be set",
      { ...say("hi"), stopReason: "model_context_window_exceeded" },
      "model_context_window_exceeded",
    ],
  ])("%s", async (_name, reply, expected) => {
    expect((await ask(await rehearse([reply]), HI)).stop_reason).toBe(expected);
  });

  test("usage can be set in parts", async () => {
    const rehearsal = await rehearse([{ ...say("hi"), usage: { cache_read_input_tokens: 190_000 } }]);
    const { usage } = await ask(rehearsal, HI);
    expect(usage).toMatchObject({ cache_read_input_tokens: 190_000, cache_creation_input_tokens: 0 });
    expect(rehearsal.journal[0]!.cacheRead).toBe(190_000);
  });

  test("settings of the parts of a whole are kept, later ones win", () => {
    const whole = together({ ...say("a"), stopReason: "x", delayMs: 5 }, { ...say("b"), stopReason: "y" });
    expect(whole).toEqual({
      kind: "message",
      content: [...say("a").content, ...say("b").content],
      stopReason: "y",
      delayMs: 5,
    });
  });
});

describe("a drop in the middle", () => {
  /** All that arrives before the connection breaks. */
  async function readUntilBroken(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {
      return text;
    }
    throw new Error("the answer ended properly");
  }

  test.each([0, 1, 2])("lets %i blocks through", async (blocks) => {
    const rehearsal = await rehearse([
      { ...together(say("a"), say("b"), say("c")), dropAfterBlocks: blocks },
    ]);
    const events = parseStream(await readUntilBroken(await post(rehearsal, STREAM)));
    expect(events[0]!.type).toBe("message_start");
    expect(events.filter((event) => event.type === "content_block_stop")).toHaveLength(blocks);
    expect(events.some((event) => event.type === "message_delta")).toBe(false);
    expect(rehearsal.journal[0]!.reply).toContain(`dropped after ${blocks} blocks`);
  });

  test("breaks a whole message too", async () => {
    const rehearsal = await rehearse([{ ...say("a"), dropAfterBlocks: 1 }]);
    const text = await readUntilBroken(await post(rehearsal, HI));
    expect(() => JSON.parse(text) as unknown).toThrow();
  });
});
