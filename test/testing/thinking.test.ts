import { expect, test } from "vitest";
import { call, say, think, together, type ContentBlock, type WireMessage } from "../../src/testing/index.ts";
import { ask, assistant, bodyOf, closeRehearsalsAfterEach, rehearse, user, loopOf } from "./client.ts";

closeRehearsalsAfterEach();

const THINKING_ON = { thinking: { type: "adaptive" } };
const SCRIPT = [
  together(think("Let me see."), say("One moment."), call("Bash", { command: "ls" })),
  say("Done."),
];

type Tamper = (content: ContentBlock[]) => ContentBlock[];

const keep: Tamper = (content) => content;
const dropThinking: Tamper = (content) => content.filter((block) => block.type !== "thinking");
const changeText: Tamper = (content) =>
  content.map((block) => (block.type === "thinking" ? { ...block, thinking: "Let me not." } : block));
const changeSignature: Tamper = (content) =>
  content.map((block) => (block.type === "thinking" ? { ...block, signature: "abc" } : block));

/** Plays one tool call, sends it back tampered with, and returns the answer to that. */
async function loop(tamper: Tamper, options: { thinking: boolean; behind?: WireMessage[] }) {
  const rehearsal = await rehearse(SCRIPT, {
    scenario: {
      name: "test",
      actors: [{ name: "all", when: () => true, script: SCRIPT }],
      expectRefusals: true,
    },
  });
  const more = options.thinking ? THINKING_ON : {};
  const first = await ask(rehearsal, bodyOf([user("hi")], more));
  const id = String(first.content!.find((block) => block.type === "tool_use")!["id"]);
  const second = await ask(
    rehearsal,
    loopOf(
      [
        user("hi"),
        assistant(tamper(first.content!)),
        user([{ type: "tool_result", tool_use_id: id, content: "a.txt" }]),
        ...(options.behind ?? []),
      ],
      more,
    ),
  );
  return { second, refusal: rehearsal.journal[1]!.refusal };
}

test("thinking that comes back as it was is taken", async () => {
  const { second } = await loop(keep, { thinking: true });
  expect(second.content).toEqual([{ type: "text", text: "Done." }]);
});

test.each([
  ["dropped", dropThinking, /Expected `thinking` or `redacted_thinking`, but found `tool_use`/],
  ["changed", changeText, /messages\.1\.content\.0: Invalid `signature` in `thinking` block/],
  ["signed otherwise", changeSignature, /Invalid `signature` in `thinking` block/],
])("thinking that was %s is refused", async (_name, tamper, message) => {
  const { second, refusal } = await loop(tamper, { thinking: true });
  expect(second.error!.message).toMatch(message);
  expect(refusal!.kind).toBe("thinking");
});

test("a result followed by more user text still belongs to the running loop", async () => {
  const { refusal } = await loop(dropThinking, { thinking: true, behind: [user("go on")] });
  expect(refusal!.kind).toBe("thinking");
});

// Fails when only the running loop's signatures are looked at.
test("forged thinking is refused long after its loop too", async () => {
  const { second, refusal } = await loop(changeSignature, {
    thinking: true,
    behind: [assistant("Done."), user("next")],
  });
  expect(second.error!.message).toMatch(/Invalid `signature`/);
  expect(refusal!.kind).toBe("thinking");
});

test.each([
  ["thinking is off", { thinking: false }],
  ["the loop is over", { thinking: true, behind: [assistant("Done."), user("next")] }],
])("thinking may be dropped once %s", async (_name, options) => {
  const { refusal } = await loop(dropThinking, options);
  expect(refusal).toBeUndefined();
});
