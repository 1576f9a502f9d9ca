import { expect, it } from "vitest";
import { resolveOptions, type RuntimeOptions } from "../../src/runtime/options.ts";
import { tempDir } from "../support/rehearse.ts";

// Fails when a word that is none is taken for the default: "Ask" would run everything unasked.
it.each([
  ["permissions", "Ask", /auto, ask/],
  ["sandbox", true, /auto, require, off/],
  ["cacheTtl", "2h", /5m, 1h/],
  ["locale", "fr", /en, zh, pt, de/],
] as const)("the option %s does not take %j", async (name, value, words) => {
  const options = { workspace: await tempDir(), [name]: value } as unknown as RuntimeOptions;
  expect(() => resolveOptions(options)).toThrow(
    expect.objectContaining({
      code: "usage",
      message: expect.stringContaining(name) as string,
      nextStep: expect.stringMatching(words) as string,
    }) as Error,
  );
});
