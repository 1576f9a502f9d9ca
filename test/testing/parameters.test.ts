import { expect, test } from "vitest";
import { say, type MessagesBody } from "../../src/testing/index.ts";
import {
  ask,
  bodyOf,
  closeRehearsalsAfterEach,
  expectRefusal,
  post,
  rehearse,
  toolOf,
  user,
} from "./client.ts";

closeRehearsalsAfterEach();

const HI = [user("hi")];
const thinking = (budget?: unknown, max_tokens = 4000): Partial<MessagesBody> => ({
  max_tokens,
  thinking: { type: "enabled", ...(budget === undefined ? {} : { budget_tokens: budget }) },
});
const choice = (tool_choice: unknown): Partial<MessagesBody> => ({ tools: [toolOf("Bash")], tool_choice });

const accepted: Array<[string, Partial<MessagesBody>]> = [
  ["temperature 0", { temperature: 0 }],
  ["temperature 1 and top_p 1", { temperature: 1, top_p: 1 }],
  ["top_p 0", { top_p: 0 }],
  ["the least budget for thinking", thinking(1024, 1025)],
  ["thinking off", { thinking: { type: "disabled" } }],
  ["adaptive thinking", { thinking: { type: "adaptive" } }],
  ["a custom tool", { tools: [toolOf("Bash", { type: "custom" })] }],
  ["a tool of the API's own", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
  ["a choice of the model", choice({ type: "auto" })],
  ["any tool", choice({ type: "any" })],
  ["no tool", choice({ type: "none" })],
  ["one tool", choice({ type: "tool", name: "Bash" })],
];

test.each(accepted)("takes %s", async (_name, more) => {
  const rehearsal = await rehearse([say("fine")]);
  await ask(rehearsal, bodyOf(HI, more));
  rehearsal.assertDone();
});

const refused: Array<[string, Partial<MessagesBody>, RegExp]> = [
  ["an unknown parameter", { foo: 1 }, /^foo: Extra inputs are not permitted/],
  ["temperature above 1", { temperature: 1.1 }, /^temperature: .* 0 to 1/],
  ["temperature below 0", { temperature: -0.1 }, /^temperature/],
  ["temperature as text", { temperature: "0.5" }, /^temperature/],
  ["top_p above 1", { top_p: 1.1 }, /^top_p: .* 0 to 1/],
  ["top_p below 0", { top_p: -1 }, /^top_p/],
  ["thinking without type", { thinking: {} }, /^thinking\.type: Field required/],
  ["thinking of an unknown type", { thinking: { type: "deep" } }, /^thinking: Input tag 'deep'/],
  ["thinking without budget", thinking(), /budget_tokens: Field required/],
  ["a budget as text", thinking("2000"), /budget_tokens: Field required/],
  ["a budget below 1024", thinking(1023), /budget_tokens: .* 1024/],
  ["a budget of max_tokens", thinking(4000), /`max_tokens` must be greater than `thinking\.budget_tokens`/],
  ["a tool with a blank name", { tools: [toolOf("")] }, /tools\.0\.custom\.name/],
  ["two tools of one name", { tools: [toolOf("A"), toolOf("A")] }, /must be unique/],
  [
    "a tool without input_schema",
    { tools: [toolOf("A"), { name: "B" }] },
    /^tools\.1\.custom\.input_schema: Field required/,
  ],
  [
    "a custom tool without input_schema",
    { tools: [{ name: "A", type: "custom" }] },
    /tools\.0\.custom\.input_schema/,
  ],
  ["a tool whose schema is text", { tools: [toolOf("A", { input_schema: "{}" })] }, /input_schema/],
  ["a choice without type", choice({ name: "Bash" }), /^tool_choice\.type: Field required/],
  ["a choice as text", choice("auto"), /^tool_choice\.type: Field required/],
  ["a choice of an unknown type", choice({ type: "some" }), /^tool_choice: Input tag 'some'/],
  ["the choice of a tool that is not there", choice({ type: "tool", name: "Read" }), /tool_choice: .*'Read'/],
  ["the choice of a tool when there are none", { tool_choice: { type: "tool", name: "Bash" } }, /'Bash'/],
  ["the choice of a nameless tool", choice({ type: "tool" }), /^tool_choice/],
];

test.each(refused)("refuses %s", async (_name, more, message) => {
  await expectRefusal(bodyOf(HI, more), "shape", message);
});

test("count_tokens, which has no max_tokens, takes any budget", async () => {
  const rehearsal = await rehearse();
  const body = { ...bodyOf(HI, thinking(31_999)), max_tokens: undefined };
  const response = await post(
    rehearsal,
    JSON.stringify(body),
    { "x-api-key": "any" },
    "/v1/messages/count_tokens",
  );
  expect(response.status).toBe(200);
});
