import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiError, call, say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("a handoff moves the one before it to the archive", async () => {
  const workspace = await tempDir();
  const notes = join(workspace, ".flower/notes");
  await mkdir(notes, { recursive: true });
  await writeFile(join(notes, "handoff-work.md"), "## Doing now\nthe earlier one");
  const tooLong = apiError(400, "prompt is too long: 208310 tokens > 200000 maximum");
  const { runtime } = await stage([main([call("Bash", { command: "echo x" }), tooLong, say("finished")])], {
    workspace,
  });
  const result = await runtime.run(SPEC, "do it");
  expect(result.retired).toHaveLength(1);
  const names = await readdir(join(notes, "archive"), { recursive: true });
  const archived = names.filter((name) => name.endsWith(".md"));
  expect(archived).toHaveLength(1);
  expect(await readFile(join(notes, "archive", archived[0] ?? ""), "utf8")).toContain("the earlier one");
  expect(await readFile(join(notes, "handoff-work.md"), "utf8")).not.toContain("the earlier one");
});
