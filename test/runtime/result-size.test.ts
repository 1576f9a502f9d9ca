import { expect, it } from "vitest";
import { tokensOfResult } from "../../src/runtime/result-size.ts";

const size = (name: string, thresholdChars: number): number =>
  tokensOfResult({ id: "t", name, input: {}, cwd: "/" }, thresholdChars);

it("counts an agent's report by a limit twice that for material", () => {
  expect(size("Bash", 4_000) - size("Bash", 3_000)).toBe(1_000);
  expect(size("Agent", 4_000) - size("Agent", 3_000)).toBe(2_000);
});

// Fails when the limit for a Read counts: seven that read spilled files back would be sent, and not fit.
it("counts what Bash reads back by what the harness shows of it", () => {
  expect(size("Bash", 0)).toBeGreaterThanOrEqual(30_000);
  expect(size("Bash", 0)).toBeLessThan(31_000);
});
