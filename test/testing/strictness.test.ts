import { describe, expect, test } from "vitest";
import type { ContentBlock, MessagesBody, RefusalKind, WireMessage } from "../../src/testing/index.ts";
import { apiError, say } from "../../src/testing/index.ts";
import { ask, assistant, bodyOf, closeRehearsalsAfterEach, post, rehearse, user } from "./client.ts";

closeRehearsalsAfterEach();

const text = (words: string, more: object = {}): ContentBlock => ({ type: "text", text: words, ...more });
const toolUse = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Bash", input: {} });
const result = (id: string, content: unknown = "done"): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const system = (content: string): WireMessage => ({ role: "system", content });
const MARK = { cache_control: { type: "ephemeral" } };
const HOUR_MARK = { cache_control: { type: "ephemeral", ttl: "1h" } };

const accepted: Array<[string, MessagesBody]> = [
  ["one message", bodyOf([user("hi")])],
  ["parameters that are not looked at", bodyOf([user("hi")], { metadata: { user_id: "x" }, temperature: 1 })],
  ["an empty final assistant message", bodyOf([user("hi"), assistant("")])],
  [
    "system messages behind user messages",
    bodyOf([user("hi"), system("note"), assistant("yes"), user("go"), system("x")]),
  ],
  ["user messages in a row", bodyOf([user("hi"), user("there")])],
  [
    "parallel results in one message, text behind them",
    bodyOf([
      user("hi"),
      assistant([text("I look"), toolUse("a"), toolUse("b")]),
      user([result("b"), result("a"), text("and now?")]),
      system("note"),
    ]),
  ],
  [
    "parallel results in messages in a row",
    bodyOf([user("hi"), assistant([toolUse("a"), toolUse("b")]), user([result("a")]), user([result("b")])]),
  ],
  ["four marks", bodyOf([user([text("1", MARK), text("2", MARK), text("3", MARK), text("4", MARK)])])],
  ["an hour before five minutes", bodyOf([user([text("1", HOUR_MARK), text("2", MARK)])])],
];

test.each(accepted)("takes %s", async (_name, body) => {
  const rehearsal = await rehearse([say("fine")]);
  expect((await ask(rehearsal, body)).content).toEqual([{ type: "text", text: "fine" }]);
  expect(rehearsal.failures).toEqual([]);
});

const refused: Array<[string, RefusalKind, MessagesBody | string, RegExp]> = [
  ["broken JSON", "shape", "{", /not valid JSON/],
  ["a list as body", "shape", "[]", /JSON object/],
  ["no model", "shape", "{}", /model: Field required/],
  ["no messages", "shape", '{"model":"m"}', /messages: Field required/],
  ["an empty list of messages", "shape", bodyOf([]), /at least one message/],
  [
    "no max_tokens",
    "shape",
    JSON.stringify({ model: "m", messages: [user("hi")] }),
    /max_tokens: Field required/,
  ],
  ["an unknown parameter", "shape", bodyOf([user("hi")], { foo: 1 }), /^foo: Extra inputs are not permitted/],
  [
    "an unknown block",
    "shape",
    bodyOf([user([{ type: "words" }])]),
    /content\.0: Input tag 'words' found using 'type'/,
  ],
  ["a tool call by the user", "shape", bodyOf([user([toolUse("a")])]), /Input tag 'tool_use'/],
  [
    "a result by the assistant",
    "shape",
    bodyOf([user("x"), assistant([result("a")])]),
    /Input tag 'tool_result'/,
  ],
  [
    "a tool call inside a result",
    "shape",
    bodyOf([user("x"), assistant([toolUse("a")]), user([result("a", [toolUse("b")])])]),
    /tool_result\.content\.0: Input tag 'tool_use'/,
  ],
  [
    "a tool's input as text",
    "shape",
    bodyOf([user("x"), assistant([{ ...toolUse("a"), input: "{}" }])]),
    /tool_use\.input: Input should be a valid dictionary/,
  ],
  [
    "a tool call with a blank id",
    "shape",
    bodyOf([user("x"), assistant([toolUse("a b")])]),
    /tool_use\.id: String/,
  ],
  [
    "a tool call with a dotted name",
    "shape",
    bodyOf([user("x"), assistant([{ ...toolUse("a"), name: "a.b" }])]),
    /tool_use\.name: String/,
  ],
  [
    "a tool with a blank name",
    "shape",
    bodyOf([user("x")], { tools: [{ name: "" }] }),
    /tools\.0\.custom\.name/,
  ],
  [
    "a mark for a day",
    "cacheMarks",
    bodyOf([user([text("1", { cache_control: { type: "ephemeral", ttl: "24h" } })])]),
    /cache_control: .*24h/,
  ],
  [
    "a mark of another kind",
    "cacheMarks",
    bodyOf([user([text("1", { cache_control: { type: "permanent" } })])]),
    /cache_control: .*permanent/,
  ],
  [
    "a mark on thinking",
    "cacheMarks",
    bodyOf([user("x"), assistant([{ type: "thinking", thinking: "t", signature: "s", ...MARK }])]),
    /cache_control/,
  ],
  ["an unknown role", "shape", bodyOf([{ role: "tool" as "user", content: "x" }]), /messages\.0\.role/],
  ["a block without type", "shape", bodyOf([user([{} as ContentBlock])]), /messages\.0\.content\.0\.type/],
  [
    "text without text",
    "shape",
    bodyOf([user([{ type: "text" }])]),
    /content\.0\.text\.text: Field required/,
  ],
  [
    "an assistant message first",
    "shape",
    bodyOf([assistant("hi")]),
    /first message must use the "user" role/,
  ],
  ["a system message first", "shape", bodyOf([system("hi"), user("x")]), /first message/],
  [
    "a system message behind an assistant",
    "shape",
    bodyOf([user("a"), assistant("b"), system("c")]),
    /messages\.2/,
  ],
  [
    "a user message behind a system message",
    "shape",
    bodyOf([user("a"), system("b"), user("c")]),
    /messages\.1/,
  ],
  [
    "two tools of one name",
    "shape",
    bodyOf([user("a")], { tools: [{ name: "A" }, { name: "A" }] }),
    /must be unique/,
  ],
  ["an empty text block", "emptyText", bodyOf([user([text("")])]), /text content blocks must be non-empty/],
  ["a blank text block", "emptyText", bodyOf([user([text(" \n")])]), /must be non-empty/],
  [
    "an empty system block",
    "emptyText",
    bodyOf([user("a")], { system: [text("")] }),
    /^system: text content/,
  ],
  [
    "a message without content",
    "emptyText",
    bodyOf([user("a"), assistant([]), user("b")]),
    /messages\.1: all messages/,
  ],
  [
    "a call without result",
    "pairing",
    bodyOf([user("a"), assistant([toolUse("t1"), toolUse("t2")]), user([result("t1")])]),
    /`tool_use` ids were found without `tool_result` blocks immediately after: t2\./,
  ],
  ["a call at the end", "pairing", bodyOf([user("a"), assistant([toolUse("t1")])]), /immediately after: t1/],
  [
    "text before the result",
    "pairing",
    bodyOf([user("a"), assistant([toolUse("t1")]), user([text("wait"), result("t1")])]),
    /immediately after: t1/,
  ],
  [
    "a result one turn late",
    "pairing",
    bodyOf([user("a"), assistant([toolUse("t1")]), user("b"), assistant("c"), user([result("t1")])]),
    /immediately after: t1/,
  ],
  [
    "a result without call",
    "pairing",
    bodyOf([user([result("t9")])]),
    /unexpected `tool_use_id` found .*: t9/,
  ],
  [
    "two results for one call",
    "pairing",
    bodyOf([user("a"), assistant([toolUse("t1")]), user([result("t1"), result("t1")])]),
    /single result.* t1/,
  ],
  [
    "one id for two calls",
    "pairing",
    bodyOf([
      user("a"),
      assistant([toolUse("t1")]),
      user([result("t1")]),
      assistant([toolUse("t1")]),
      user([result("t1")]),
    ]),
    /ids must be unique/,
  ],
  [
    "five marks",
    "cacheMarks",
    bodyOf([user([text("1", MARK), text("2", MARK), text("3", MARK)])], {
      system: [text("s", MARK)],
      tools: [{ name: "A", ...MARK }],
    }),
    /maximum of 4 blocks .* Found 5/,
  ],
  [
    "an hour behind five minutes",
    "cacheMarks",
    bodyOf([user([text("1", MARK), text("2", HOUR_MARK)])]),
    /ttl='1h'/,
  ],
];

test.each(refused)("refuses %s", async (_name, kind, body, message) => {
  const rehearsal = await rehearse([]);
  const response = await post(rehearsal, body);

  expect(response.status).toBe(400);
  const json = (await response.json()) as {
    type: string;
    error: { type: string; message: string };
    request_id: string;
  };
  expect(json).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
  expect(json.error.message).toMatch(message);
  expect(json.request_id).toBe(response.headers.get("request-id"));
  expect(rehearsal.journal[0]).toMatchObject({ status: 400, refusal: { kind, message: json.error.message } });
  expect(rehearsal.failures).toEqual([expect.stringContaining(json.error.message)]);
});

describe("the window", () => {
  const long = user("x".repeat(4000));

  test("input above it is refused with both numbers", async () => {
    const rehearsal = await rehearse([], { contextWindow: 500 });
    const { error } = await ask(rehearsal, bodyOf([long]));
    const tokens = rehearsal.journal[0]!.inputTokens;
    expect(tokens).toBeGreaterThan(1000);
    expect(error!.message).toBe(`prompt is too long: ${tokens} tokens > 500 maximum`);
  });

  test("input and max_tokens above it are refused with all three numbers", async () => {
    const rehearsal = await rehearse([], { contextWindow: 2000 });
    const { error } = await ask(rehearsal, bodyOf([long], { max_tokens: 1500 }));
    const tokens = rehearsal.journal[0]!.inputTokens;
    expect(error!.message).toContain(`exceed context limit: ${tokens} + 1500 > 2000`);
  });

  test.each([
    ["claude-haiku-4-5", 400],
    ["claude-opus-5", 200],
  ])("of %s by default", async (model, status) => {
    const rehearsal = await rehearse([say("ok")], { inputTokensPerByte: 100 });
    const response = await post(rehearsal, bodyOf([user("x".repeat(3000))], { model }));
    expect(response.status).toBe(status);
  });
});

describe("expected refusals", () => {
  const scenario = { name: "test", actors: [] };

  test("of the kinds named are no failure, others are", async () => {
    const rehearsal = await rehearse([], { scenario: { ...scenario, expectRefusals: ["emptyText"] } });
    await ask(rehearsal, bodyOf([user("")]));
    expect(rehearsal.failures).toEqual([]);
    await ask(rehearsal, bodyOf([assistant("a")]));
    expect(rehearsal.failures).toHaveLength(1);
    expect(rehearsal.journal.map((row) => row.refusal?.kind)).toEqual(["emptyText", "shape"]);
  });

  test("`true` expects them all", async () => {
    const rehearsal = await rehearse([], { scenario: { ...scenario, expectRefusals: true } });
    await post(rehearsal, "{");
    await ask(rehearsal, bodyOf([user("")]));
    rehearsal.assertDone();
  });
});

describe("keys", () => {
  const body = bodyOf([user("hi")]);

  test.each([
    [{}, 401],
    [{ "x-api-key": "wrong" }, 401],
    [{ authorization: "Bearer wrong" }, 401],
    [{ "x-api-key": "right" }, 200],
    [{ authorization: "Bearer right" }, 200],
  ])("%o gets %i", async (headers, status) => {
    const rehearsal = await rehearse(undefined, { apiKey: "right" });
    const response = await post(rehearsal, body, headers);
    expect(response.status).toBe(status);
    expect(rehearsal.failures).toHaveLength(status === 401 ? 1 : 0);
    if (status === 401) expect(rehearsal.journal[0]!.refusal!.kind).toBe("authentication");
  });

  test("any key will do when none is set, but there must be one", async () => {
    const rehearsal = await rehearse();
    expect((await post(rehearsal, body, { "x-api-key": "whatever" })).status).toBe(200);
    expect((await post(rehearsal, body, {})).status).toBe(401);
  });
});

test("an error of the script is no refusal", async () => {
  const rehearsal = await rehearse([apiError(400, "Could not process image")]);
  await ask(rehearsal, bodyOf([user("hi")]));
  expect(rehearsal.journal[0]).toMatchObject({ status: 400 });
  expect(rehearsal.journal[0]!.refusal).toBeUndefined();
  rehearsal.assertDone();
});
