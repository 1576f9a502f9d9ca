import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, stage, sub } from "../support/stage.ts";

it("the index is there from the first turn, its changes with an Agent's result, its place in every subagent", async () => {
  const workspace = await tempDir();
  const artifacts = join(workspace, ".flower/artifacts");
  await mkdir(artifacts, { recursive: true });
  await writeFile(join(artifacts, "from-before.txt"), "x");
  const { runtime, rehearsal } = await stage(
    [
      main([call("Agent", { description: "d", prompt: "look", subagent_type: "worker" }), say("done")]),
      sub((r) =>
        r.turnCount === 0
          ? call("Write", { file_path: join(artifacts, "made-now.txt"), content: "x" })
          : say("Conclusion: done"),
      ),
    ],
    { workspace },
  );
  const result = await runtime.run(
    coordinator("work", "", { worker: worker("works", "You work.") }),
    "do it",
  );
  expect(result.ok).toBe(true);
  expect(messagesText(rehearsal, 0)).toContain("- artifacts/from-before.txt");
  expect(JSON.stringify(rehearsal.body(0).system)).not.toContain("from-before.txt");
  expect(messagesText(rehearsal, 1)).toContain("goes to a file in artifacts/");
  expect(messagesText(rehearsal, 1)).toContain(join(workspace, ".flower"));
  expect(messagesText(rehearsal, 3)).toContain("+ artifacts/made-now.txt");
});
