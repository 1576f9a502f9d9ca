import { expect, it } from "vitest";
import { tokensOfResult } from "../../src/runtime/result-size.ts";

const size = (name: string, thresholdChars = 4_000): number =>
  tokensOfResult({ id: "t", name, input: {}, cwd: "/" }, thresholdChars);

it("counts an agent's report by its own limit, everything else by the limit for material", () => {
  expect(size("Agent") - size("Bash")).toBe(4_000);
  expect(size("Grep")).toBe(size("Bash"));
  // Nothing is spilled: the harness's own limits hold.
  expect(size("Agent", 0)).toBe(size("Bash", 0));
});
