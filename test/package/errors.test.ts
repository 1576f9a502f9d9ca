import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { exitCodeOf } from "../../src/cli/exit.ts";
import { FlowerError, type FlowerErrorCode } from "../../src/core/errors.ts";

const file = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

/** Codes of the type, as its source lists them. */
function codes(): string[] {
  const [, union = ""] = /export type FlowerErrorCode =([^;]*);/.exec(file("src/core/errors.ts")) ?? [];
  return [...union.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code).sort();
}

/** Rows of the page's table: code, when, what to do, exit code. */
const rows = file("docs/reference/errors.md")
  .split("\n")
  .filter((line) => /^\| `/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

it("the page lists every code of the type and no other, each with what to do", () => {
  expect(codes().length).toBeGreaterThan(5);
  expect(rows.map(([, code]) => code?.replaceAll("`", "")).sort()).toEqual(codes());
  for (const [, , when, todo] of rows) expect([when, todo]).not.toContain("");
});

it.each(rows)("%s%s ends the command with the code on the page", (_, code = "", __, ___, exitCode) => {
  const error = new FlowerError(code.replaceAll("`", "") as FlowerErrorCode, "wrong");
  expect(String(exitCodeOf(error))).toBe(exitCode);
});
