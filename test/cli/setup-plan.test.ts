import { describe, expect, it } from "vitest";
import {
  overruled,
  planSetup,
  readBaseUrl,
  readToken,
  type SetupAnswers,
  type SetupValues,
} from "../../src/cli/setup-plan.ts";

const KEY = { ANTHROPIC_API_KEY: "sk-1" };
const GATE = "https://gate.example/x";
const BEARER = { ANTHROPIC_BASE_URL: GATE, ANTHROPIC_AUTH_TOKEN: "tok" };
const usage = expect.objectContaining({ code: "usage" }) as Error;

describe("planSetup", () => {
  it.each<[string, SetupValues, SetupAnswers, SetupValues]>([
    ["a key for the API's own address", {}, { token: "sk-2" }, { ANTHROPIC_API_KEY: "sk-2" }],
    ["a bearer token for a gateway", {}, { token: "tok", baseUrl: GATE }, BEARER],
    [
      "as the person says",
      {},
      { token: "k", baseUrl: GATE, tokenAs: "api-key" },
      { ANTHROPIC_BASE_URL: GATE, ANTHROPIC_API_KEY: "k" },
    ],
    ["a bearer token for the API", {}, { token: "t", tokenAs: "auth-token" }, { ANTHROPIC_AUTH_TOKEN: "t" }],
    [
      "a key for the API's address, written out",
      {},
      { token: "k", baseUrl: "https://api.anthropic.com/" },
      { ANTHROPIC_BASE_URL: "https://api.anthropic.com", ANTHROPIC_API_KEY: "k" },
    ],
    [
      "a new token for the gateway that is there",
      BEARER,
      { token: "new" },
      { ...BEARER, ANTHROPIC_AUTH_TOKEN: "new" },
    ],
    [
      "one token, not two",
      { ...BEARER, ...KEY },
      { token: "new" },
      { ...BEARER, ANTHROPIC_AUTH_TOKEN: "new" },
    ],
    ["a model only", KEY, { model: "m" }, { ...KEY, ANTHROPIC_MODEL: "m" }],
    ["no model any more", { ...KEY, ANTHROPIC_MODEL: "m" }, { model: "-" }, KEY],
    ["nothing new", BEARER, {}, BEARER],
    ["the same address, in other words", BEARER, { baseUrl: `${GATE}/v1/` }, BEARER],
    ["away from the gateway", BEARER, { baseUrl: "-", token: "sk-1" }, KEY],
    [
      "sent in the other way",
      BEARER,
      { tokenAs: "api-key" },
      { ANTHROPIC_BASE_URL: GATE, ANTHROPIC_API_KEY: "tok" },
    ],
    [
      "two that are there",
      { ...BEARER, ...KEY },
      { model: "m" },
      { ...BEARER, ...KEY, ANTHROPIC_MODEL: "m" },
    ],
  ])("%s", (_, current, answers, expected) => expect(planSetup(current, answers)).toEqual(expected));

  it.each<[string, SetupValues, SetupAnswers]>([
    ["no token at all", {}, { model: "m" }],
    ["the API's key for a gateway", KEY, { baseUrl: GATE }],
    ["one gateway's token for another", BEARER, { baseUrl: "https://other.example" }],
    ["a gateway's token for the API", BEARER, { baseUrl: "-" }],
    ["a model of two words", KEY, { model: "a b" }],
    ["an empty model", KEY, { model: "" }],
  ])("refuses %s", (_, current, answers) => expect(() => planSetup(current, answers)).toThrow(usage));
});

describe("what is typed", () => {
  it.each([
    "",
    "  ",
    "sk-a b",
    '"sk-a"',
    "“sk-a”",
    "ANTHROPIC_API_KEY=sk-a",
    "export X=sk-a",
    "sk-a\nsk-b",
    "sk-\u001b[A",
  ])("%j is no token, and is not quoted", (typed) => {
    expect(() => readToken(typed)).toThrow(usage);
    if (typed.trim() !== "") expect(() => readToken(typed)).not.toThrow(typed);
  });

  it("takes blanks around a token for nothing", () =>
    expect(readToken(" sk-a_B.9/+=\n")).toBe("sk-a_B.9/+="));

  it.each([
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
    ["https://gate.example/v1", "https://gate.example"],
    ["https://gate.example/anthropic/v1/messages", "https://gate.example/anthropic"],
    ["-", undefined],
  ])("%s becomes %s", (typed, expected) => expect(readBaseUrl(typed)).toBe(expected));

  it.each([
    "",
    "gate.example",
    "localhost:8080",
    "ftp://x",
    "https://",
    "https://me:secret@x",
    "https://x/?k=secret",
    "https://x y",
  ])("%j is no address", (typed) => {
    expect(() => readBaseUrl(typed)).toThrow(usage);
    expect(() => readBaseUrl(typed)).not.toThrow("secret");
  });
});

describe("overruled", () => {
  it.each<[string, SetupValues, SetupValues, Array<[string, string]>]>([
    ["nothing", KEY, KEY, []],
    ["another key", KEY, { ANTHROPIC_API_KEY: "sk-2" }, [["ANTHROPIC_API_KEY", "there"]]],
    ["one beside it", KEY, { ...KEY, ANTHROPIC_BASE_URL: GATE }, [["ANTHROPIC_BASE_URL", "there"]]],
    ["an empty one", KEY, { ...KEY, ANTHROPIC_MODEL: "" }, []],
  ])("%s", (_, inFile, values, expected) => {
    const sources = Object.fromEntries(Object.keys(values).map((key) => [key, "there"]));
    expect(overruled(inFile, { values, sources }).map(({ key, source }) => [key, source])).toEqual(expected);
  });
});
