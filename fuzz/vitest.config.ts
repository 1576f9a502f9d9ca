import { defineConfig } from "vitest/config";

/** Random histories for the properties that `npm test` tries on 400. */
const HISTORIES = 5_000;

export default defineConfig({
  test: {
    include: ["fuzz/*.fuzz.ts", "test/context/rewrite-properties.test.ts"],
    env: { FUZZ_RUNS: String(HISTORIES) },
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
