import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const enginesOf = (path: string, ...keys: string[]): unknown =>
  keys.reduce<unknown>(
    (part: unknown, key) => (part as Record<string, unknown>)[key],
    JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")),
  );

it("asks for no older Node than the dependency that asks for most", () => {
  const wanted = enginesOf("package.json", "engines", "node");
  expect(wanted).toBe(enginesOf("node_modules/write-file-atomic/package.json", "engines", "node"));
  expect(enginesOf("package-lock.json", "packages", "", "engines", "node")).toBe(wanted);
});
