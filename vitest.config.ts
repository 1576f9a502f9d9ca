import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests of the real harness wait for native processes: a third one fills what two leave of two cores.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    exclude: process.env["FLOWER_LONG"] === "1" ? [] : ["test/**/*.long.test.ts"],
  },
});
