import { expect, test } from "vitest";
import { viewRequest } from "../../src/testing/request-view.ts";
import { assistant, bodyOf, user } from "./client.ts";

const REMINDER = "<system-reminder>\nThe date is today.\n</system-reminder>";

test("a first request", () => {
  const body = bodyOf(
    [
      user([
        { type: "text", text: REMINDER },
        { type: "text", text: `${REMINDER}\nBuild it.` },
      ]),
      { role: "system", content: "# Environment" },
    ],
    {
      system: [
        { type: "text", text: "You are" },
        { type: "text", text: "a gardener." },
      ],
      tools: [{ name: "Bash" }, { name: "Read" }],
    },
  );
  expect(viewRequest(body, { "x-claude-code-session-id": "s1" }, 42)).toEqual({
    model: "claude-opus-5",
    system: "You are\na gardener.",
    messages: body.messages,
    tools: ["Bash", "Read"],
    firstUserText: "Build it.",
    lastUserText: "Build it.",
    toolResults: [],
    turnCount: 0,
    isSubagent: false,
    agentId: undefined,
    sessionId: "s1",
    inputTokens: 42,
    raw: body,
  });
});

test("a later request of a subagent", () => {
  const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
  const body = bodyOf([
    user("Task."),
    assistant([use("a")]),
    user([{ type: "tool_result", tool_use_id: "a", content: "old" }]),
    assistant("So."),
    assistant([use("b"), use("c"), use("d")]),
    user([
      {
        type: "tool_result",
        tool_use_id: "c",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
      { type: "tool_result", tool_use_id: "b", content: "boom", is_error: true },
      { type: "tool_result", tool_use_id: "d" },
    ]),
    user("And hurry."),
  ]);
  expect(viewRequest(body, { "x-claude-code-agent-id": "a1" }, 1)).toMatchObject({
    firstUserText: "Task.",
    lastUserText: "And hurry.",
    toolResults: [
      { id: "c", text: "one\ntwo", isError: false },
      { id: "b", text: "boom", isError: true },
      { id: "d", text: "", isError: false },
    ],
    turnCount: 2,
    isSubagent: true,
    agentId: "a1",
  });
});
