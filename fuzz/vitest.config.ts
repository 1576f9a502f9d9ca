import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["fuzz/*.fuzz.ts"], testTimeout: 600_000 },
});
