import { expect, test } from "vitest";
import { bodyOf, closeRehearsalsAfterEach, expectRefusal, post, rehearse, user } from "./client.ts";

closeRehearsalsAfterEach();

const HI = bodyOf([user("hi")]);

const keys: Array<[headers: Record<string, string>, status: number, statusOfAnyKey: number]> = [
  [{}, 401, 401],
  [{ "x-api-key": "" }, 401, 401],
  [{ authorization: "" }, 401, 401],
  [{ authorization: "Bearer " }, 401, 401],
  [{ "x-api-key": "wrong" }, 401, 200],
  [{ authorization: "Bearer wrong" }, 401, 200],
  [{ "x-api-key": "right" }, 200, 200],
  [{ authorization: "Bearer right" }, 200, 200],
  [{ "x-api-key": "", authorization: "Bearer right" }, 200, 200],
];

test.each(keys)("%o gets %i, and %i when any key will do", async (headers, status, statusOfAnyKey) => {
  for (const [options, expected] of [
    [{ apiKey: "right" }, status],
    [{}, statusOfAnyKey],
  ] as const) {
    const rehearsal = await rehearse(undefined, options);
    const response = await post(rehearsal, HI, headers);
    expect(response.status).toBe(expected);
    expect(rehearsal.failures).toHaveLength(expected === 401 ? 1 : 0);
    if (expected === 401) expect(rehearsal.journal[0]!.refusal!.kind).toBe("authentication");
  }
});

test.each([
  ["no version", undefined],
  ["an empty version", ""],
])("%s gets 400", async (_name, version) => {
  const headers = { "x-api-key": "any", "anthropic-version": version };
  await expectRefusal(HI, "shape", /^anthropic-version: header is required/, headers);
});
