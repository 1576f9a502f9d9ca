import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withReference } from "./cli-reference.ts";
import { idleProgram } from "./parser.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

// After a change of the parser: npx vitest run test/docs/cli-reference.test.ts -u
it("the page of the command line is what the parser says", async () => {
  const page = withReference(read("docs/reference/cli.md"), idleProgram());
  await expect(page).toMatchFileSnapshot("../../docs/reference/cli.md");
});

it("the README lists the options of flower go, all and no others", () => {
  const [, table = ""] = read("README.md").split("| option of `flower`");
  const [rows = ""] = table.split("\n\n");
  const listed = [...rows.matchAll(/^\| `[^`]*?(--[a-z-]+)/gm)].map(([, flag]) => flag);
  const go = idleProgram().commands.find((command) => command.name() === "go");
  expect(listed.sort()).toEqual(go?.options.map(({ long }) => long).sort());
});
