import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests of the real harness start native processes; two at once is what two cores carry.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    exclude: process.env["FLOWER_LONG"] === "1" ? [] : ["test/**/*.long.test.ts"],
  },
});
