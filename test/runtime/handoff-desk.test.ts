import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { existsIn } from "../../src/runtime/handoff-desk.ts";
import { tempDir } from "../support/rehearse.ts";

it("a document may name a path from the workspace, the workbench, the home directory or the root", async () => {
  const root = await tempDir();
  const [workspace, workbench, home] = ["ws", "ws/.flower", "home"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const file of ["ws/src/a.ts", "ws/.flower/artifacts/report.md", "home/notes.md"]) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  const exists = existsIn([workspace, workbench], home);
  const named = ["src/a.ts", ".flower/artifacts/report.md", "artifacts/report.md", "~/notes.md"];
  expect([...named, join(root, "ws/src/a.ts")].filter((path) => !exists(path))).toEqual([]);
  expect(["notes/decisions.md", "~/src/a.ts", "report.md"].filter(exists)).toEqual([]);
});
