import { describe, expect, test } from "vitest";
import { FlowerError } from "../../src/core/errors.ts";
import {
  apiError,
  call,
  drop,
  hang,
  say,
  startRehearsal,
  type Actor,
  type Rehearsal,
} from "../../src/testing/index.ts";
import {
  ask,
  assistant,
  bodyOf,
  closeRehearsalsAfterEach,
  post,
  rehearse,
  user,
  CLIENT_HEADERS,
} from "./client.ts";

closeRehearsalsAfterEach();

const HI = bodyOf([user("hi")]);

async function rehearseActors(actors: Actor[]): Promise<Rehearsal> {
  return rehearse(undefined, { scenario: { name: "a play", actors } });
}

const problemsOf = (rehearsal: Rehearsal): string[] => {
  try {
    rehearsal.assertDone();
    return [];
  } catch (error) {
    if (!FlowerError.is(error) || error.code !== "rehearsal") throw error;
    return error.data["problems"] as string[];
  }
};

test("a list is played in order, over sessions", async () => {
  const rehearsal = await rehearse([say("one"), (request) => say(`heard ${request.lastUserText}`)]);
  const first = await ask(rehearsal, HI);
  const second = await post(rehearsal, HI, { "x-api-key": "k", "x-claude-code-session-id": "s2" });
  expect(first.content).toEqual([{ type: "text", text: "one" }]);
  expect(await second.json()).toMatchObject({ content: [{ type: "text", text: "heard hi" }] });
  expect(rehearsal.journal.map((row) => row.sessionId)).toEqual([undefined, "s2"]);
  rehearsal.assertDone();
});

test("the first actor that takes a request has it", async () => {
  const rehearsal = await rehearseActors([
    { name: "sub", when: (request) => request.isSubagent, script: [say("from sub")] },
    { name: "any", when: () => true, script: [say("from any")] },
  ]);
  await post(rehearsal, HI, { "x-api-key": "k", "x-claude-code-agent-id": "a7" });
  await ask(rehearsal, HI);
  expect(rehearsal.journal.map((row) => [row.actor, row.agentId])).toEqual([
    ["sub", "a7"],
    ["any", undefined],
  ]);
});

describe("fails loudly", () => {
  test.each<[string, Actor[], RegExp]>([
    [
      "on a request that nobody takes",
      [{ name: "judge", when: () => false, script: () => say("x") }],
      /no actor takes .*"hi".*actors: judge/,
    ],
    [
      "when a list is used up",
      [{ name: "main", when: () => true, script: [] }],
      /all 0 steps of actor "main" are used up.*"hi"/,
    ],
    [
      "when a script has no answer",
      [{ name: "main", when: () => true, script: () => undefined }],
      /script of actor "main" has no answer/,
    ],
    [
      "when a script throws",
      [
        {
          name: "main",
          when: () => true,
          script: () => {
            throw new Error("lost my lines");
          },
        },
      ],
      /script of actor "main" threw "lost my lines"/,
    ],
    [
      "when an actor cannot decide",
      [
        {
          name: "main",
          when: () => {
            throw new Error("who am I");
          },
          script: [],
        },
      ],
      /`when` of an actor threw "who am I"/,
    ],
  ])("%s", async (_name, actors, message) => {
    const rehearsal = await rehearseActors(actors);
    const response = await post(rehearsal, HI);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(message);
    expect(error.message).toContain('Rehearsal "a play"');
    expect(problemsOf(rehearsal)).toEqual([expect.stringMatching(message)]);
  });

  test("on steps left over, at assertDone and at close", async () => {
    const rehearsal = await rehearse([say("one"), say("two"), say("three")]);
    await ask(rehearsal, HI);
    expect(problemsOf(rehearsal)).toEqual(['actor "all": 2 of 3 steps were not played']);
    await expect(rehearsal.close()).rejects.toThrow(/2 of 3 steps were not played/);
    await rehearsal.close();
  });

  test("on an unknown endpoint", async () => {
    const rehearsal = await rehearse();
    const response = await post(rehearsal, HI, {}, "/v1/complete");
    expect(response.status).toBe(404);
    expect(problemsOf(rehearsal)).toEqual([expect.stringContaining("POST /v1/complete")]);
  });
});

test.each(["HEAD", "GET"])("%s / is answered", async (method) => {
  const rehearsal = await rehearse();
  expect((await fetch(rehearsal.url, { method })).status).toBe(200);
  rehearsal.assertDone();
});

describe("faults", () => {
  test("an error comes in the API's form, with its headers", async () => {
    const rehearsal = await rehearse([apiError(429, "Slow down", { headers: { "retry-after": "7" } })]);
    const response = await post(rehearsal, HI);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "Slow down" },
      request_id: response.headers.get("request-id"),
    });
    expect(rehearsal.journal[0]).toMatchObject({
      status: 429,
      reply: "error 429 rate_limit_error",
      outputTokens: 0,
    });
  });

  test.each([
    [529, undefined, "overloaded_error"],
    [500, undefined, "api_error"],
    [400, "billing_error", "billing_error"],
  ])("an error %i of type %s is a %s", (status, type, expected) => {
    expect(apiError(status, "x", type === undefined ? {} : { type }).type).toBe(expected);
  });

  test("a drop breaks the connection before an answer", async () => {
    const rehearsal = await rehearse([drop(), say("there you are")]);
    await expect(post(rehearsal, HI)).rejects.toThrow();
    expect((await ask(rehearsal, HI)).content).toHaveLength(1);
    expect(rehearsal.journal.map((row) => row.status)).toEqual([null, 200]);
  });

  test("an error does not fill the cache", async () => {
    const rehearsal = await rehearse([apiError(529, "Overloaded"), say("ok")]);
    const marked = bodyOf([user([{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }])]);
    await ask(rehearsal, marked);
    expect((await ask(rehearsal, marked)).usage!.cache_read_input_tokens).toBe(0);
  });

  test("a reply may hang until the client gives up or the rehearsal closes", async () => {
    const rehearsal = await rehearse([hang(), hang()]);
    const controller = new AbortController();
    const given = fetch(`${rehearsal.url}/v1/messages`, {
      method: "POST",
      headers: { ...CLIENT_HEADERS, "x-api-key": "k" },
      body: JSON.stringify(HI),
      signal: controller.signal,
    });
    while (rehearsal.journal.length === 0) await new Promise(setImmediate);
    controller.abort();
    await expect(given).rejects.toThrow();

    const closed = post(rehearsal, HI);
    closed.catch(() => undefined);
    while (rehearsal.journal.length === 1) await new Promise(setImmediate);
    await rehearsal.close();
    await expect(closed).rejects.toThrow();
  });

  test("a reply may wait", async () => {
    const rehearsal = await rehearse([{ ...say("late"), delayMs: 60 }]);
    const startedMs = performance.now();
    await ask(rehearsal, HI);
    expect(performance.now() - startedMs).toBeGreaterThan(50);
  });
});

describe("the journal", () => {
  test("tells of each request", async () => {
    const rehearsal = await rehearse([call("Bash", { command: "ls" }), say("two")]);
    await ask(rehearsal, HI);
    await ask(rehearsal, bodyOf([user("hi"), assistant("yes"), user("next")], { model: "other" }));
    expect(rehearsal.journal).toMatchObject([
      {
        index: 0,
        actor: "all",
        model: "claude-opus-5",
        messageCount: 1,
        lastUserText: "hi",
        reply: "tool_use Bash → tool_use",
      },
      {
        index: 1,
        actor: "all",
        model: "other",
        messageCount: 3,
        lastUserText: "next",
        reply: "text → end_turn",
      },
    ]);
    expect(rehearsal.journal[0]!.outputTokens).toBeGreaterThan(0);
    expect(rehearsal.body(1).messages).toHaveLength(3);
  });

  test("keeps no bodies when told so", async () => {
    const rehearsal = await rehearse(undefined, { keepBodies: false });
    await ask(rehearsal, HI);
    expect(() => rehearsal.body(0)).toThrow(/keepBodies is off/);
  });
});

test("the environment leads here and to nobody else", async () => {
  const rehearsal = await startRehearsal({ scenario: { name: "env", actors: [] }, apiKey: "k1" });
  await rehearsal.close();
  expect(rehearsal.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(rehearsal.env).toEqual({ ANTHROPIC_BASE_URL: rehearsal.url, ANTHROPIC_API_KEY: "k1" });
});
