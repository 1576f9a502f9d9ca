import { expect, it } from "vitest";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { resolveOptions } from "../../src/runtime/resolve-options.ts";
import { tempDir } from "../support/rehearse.ts";

// Fails when a word that is none is taken for the default: "Ask" would run everything unasked.
it.each([
  ["permissions", "Ask", /`permissions`.*"auto"\|"ask"/],
  ["sandbox", true, /`sandbox`.*"auto"\|"require"\|"off"/],
  ["cacheTtl", "2h", /`cacheTtl`.*"5m"\|"1h"/],
  ["locale", "fr", /`locale`.*"en"\|"zh"\|"pt"\|"de"/],
  ["budgetUSD", 5, /"budgetUSD"/],
  ["budgetUsd", "5", /`budgetUsd`/],
  ["handoff", { enabled: true, at: 3 }, /`handoff`.*"at"/],
  ["handoff", "no", /`handoff`/],
  ["resilience", { maxAttempts: 0 }, /`resilience.maxAttempts`/],
  ["store", { append: () => undefined }, /`store.load`: is no function/],
  ["onEvent", "print", /`onEvent`: is no function/],
])("the option %s does not take %j", async (name, value, wrong) => {
  const options = { workspace: await tempDir(), [name]: value } as unknown as RuntimeOptions;
  expect(() => resolveOptions(options)).toThrow(
    expect.objectContaining({
      code: "usage",
      message: expect.stringMatching(wrong) as string,
    }) as Error,
  );
});
