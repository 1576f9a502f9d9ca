import { describe, expect, test } from "vitest";
import type { ContentBlock, MessagesBody, RefusalKind, WireMessage } from "../../src/testing/index.ts";
import { apiError, say } from "../../src/testing/index.ts";
import {
  ask,
  assistant,
  bodyOf,
  closeRehearsalsAfterEach,
  expectRefusal,
  loopOf,
  post,
  rehearse,
  toolOf,
  user,
} from "./client.ts";

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

const KNOWN_SOURCES = [
  ...["base64", "url", "file"].map((type) => ({ type: "image", source: { type } })),
  ...["base64", "text", "content", "url", "file"].map((type) => ({ type: "document", source: { type } })),
];

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
    loopOf([
      user("hi"),
      assistant([text("I look"), toolUse("a"), toolUse("b")]),
      user([result("b"), result("a"), text("and now?")]),
      system("note"),
    ]),
  ],
  [
    "parallel results in messages in a row",
    loopOf([user("hi"), assistant([toolUse("a"), toolUse("b")]), user([result("a")]), user([result("b")])]),
  ],
  ["four marks", bodyOf([user([text("1", MARK), text("2", MARK), text("3", MARK), text("4", MARK)])])],
  ["blanks at the end of an assistant message further up", bodyOf([user("a"), assistant("b \n"), user("c")])],
  [
    "a call behind blanks at the end",
    loopOf([user("a"), assistant([text("b "), toolUse("t")]), user([result("t")])]),
  ],
  ["pictures and documents from known sources", bodyOf([user(KNOWN_SOURCES)])],
  [
    "a blank line inside a result",
    loopOf([user("a"), assistant([toolUse("t")]), user([result("t", [text("\n")])])]),
  ],
  [
    "calls when the list of tools is empty",
    loopOf([user("a"), assistant([toolUse("t")]), user([result("t")])], { tools: [] }),
  ],
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
  [
    "an unknown block",
    "shape",
    bodyOf([user([{ type: "words" }])]),
    /content\.0: Input tag 'words' found using 'type'/,
  ],
  ["a tool call by the user", "shape", loopOf([user([toolUse("a")])]), /Input tag 'tool_use'/],
  [
    "a result by the assistant",
    "shape",
    loopOf([user("x"), assistant([result("a")])]),
    /Input tag 'tool_result'/,
  ],
  [
    "a tool call inside a result",
    "shape",
    loopOf([user("x"), assistant([toolUse("a")]), user([result("a", [toolUse("b")])])]),
    /tool_result\.content\.0: Input tag 'tool_use'/,
  ],
  [
    "a tool's input as text",
    "shape",
    loopOf([user("x"), assistant([{ ...toolUse("a"), input: "{}" }])]),
    /tool_use\.input: Input should be a valid dictionary/,
  ],
  [
    "a tool call with a blank id",
    "shape",
    loopOf([user("x"), assistant([toolUse("a b")])]),
    /tool_use\.id: String/,
  ],
  [
    "a tool call with a dotted name",
    "shape",
    loopOf([user("x"), assistant([{ ...toolUse("a"), name: "a.b" }])]),
    /tool_use\.name: String/,
  ],
  [
    "a picture without source",
    "shape",
    bodyOf([user([{ type: "image" }])]),
    /image\.source\.type: Field required/,
  ],
  [
    "a picture whose source is an address",
    "shape",
    bodyOf([user([{ type: "image", source: "https://a.b/c.png" }])]),
    /image\.source\.type: Field required/,
  ],
  [
    "a picture from text",
    "shape",
    bodyOf([user([{ type: "image", source: { type: "text" } }])]),
    /image\.source: Input tag 'text'/,
  ],
  [
    "a document from disk",
    "shape",
    bodyOf([user([{ type: "document", source: { type: "path" } }])]),
    /document\.source: Input tag 'path'/,
  ],
  [
    "a picture without source inside a result",
    "shape",
    loopOf([user("x"), assistant([toolUse("a")]), user([result("a", [{ type: "image" }])])]),
    /tool_result\.content\.0\.image\.source/,
  ],
  [
    "blanks at the end of a final assistant message",
    "shape",
    bodyOf([user("a"), assistant("b ")]),
    /^messages: final assistant content cannot end with trailing whitespace/,
  ],
  [
    "a line break at the end of a final assistant block",
    "shape",
    bodyOf([user("a"), assistant([text("b"), text("c\n")])]),
    /trailing whitespace/,
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
    "empty text inside a result",
    "emptyText",
    loopOf([user("a"), assistant([toolUse("t")]), user([result("t", [text("x"), text("")])])]),
    /messages\.2: text content blocks must be non-empty/,
  ],
  [
    "calls without a list of tools",
    "pairing",
    bodyOf([user("a"), assistant([toolUse("t")]), user([result("t")])]),
    /must define tools/,
  ],
  [
    "a call without result",
    "pairing",
    loopOf([user("a"), assistant([toolUse("t1"), toolUse("t2")]), user([result("t1")])]),
    /`tool_use` ids were found without `tool_result` blocks immediately after: t2\./,
  ],
  ["a call at the end", "pairing", loopOf([user("a"), assistant([toolUse("t1")])]), /immediately after: t1/],
  [
    "text before the result",
    "pairing",
    loopOf([user("a"), assistant([toolUse("t1")]), user([text("wait"), result("t1")])]),
    /immediately after: t1/,
  ],
  [
    "a result one turn late",
    "pairing",
    loopOf([user("a"), assistant([toolUse("t1")]), user("b"), assistant("c"), user([result("t1")])]),
    /immediately after: t1/,
  ],
  [
    "a result without call",
    "pairing",
    loopOf([user([result("t9")])]),
    /unexpected `tool_use_id` found .*: t9/,
  ],
  [
    "two results for one call",
    "pairing",
    loopOf([user("a"), assistant([toolUse("t1")]), user([result("t1"), result("t1")])]),
    /single result.* t1/,
  ],
  [
    "one id for two calls",
    "pairing",
    loopOf([
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
      tools: [toolOf("A", MARK)],
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
  await expectRefusal(body, kind, message);
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

test("an error of the script is no refusal", async () => {
  const rehearsal = await rehearse([apiError(400, "Could not process image")]);
  await ask(rehearsal, bodyOf([user("hi")]));
  expect(rehearsal.journal[0]).toMatchObject({ status: 400 });
  expect(rehearsal.journal[0]!.refusal).toBeUndefined();
  rehearsal.assertDone();
});
