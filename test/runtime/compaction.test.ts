import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { grow, main, messagesText, SPEC, stage } from "../support/stage.ts";

const asksForSummary = (text: string): boolean => /create a detailed summary/.test(text);

it("when the harness compacts, the index and its rules are in the very next request, as they are then", async () => {
  const workspace = await tempDir();
  const artifacts = join(workspace, ".flower/artifacts");
  await mkdir(artifacts, { recursive: true });
  await writeFile(join(artifacts, "from-before.txt"), "x");
  let calls = 0;
  const { runtime, rehearsal, seen } = await stage(
    [
      main((request) => {
        if (asksForSummary(request.lastUserText)) return say("<summary>so far</summary>");
        calls += 1;
        return calls < 3 ? grow : say("done");
      }),
    ],
    { workspace, handoff: { enabled: false, window: 200_000 }, spillThreshold: 0 },
    { inputTokensPerByte: 4 },
  );
  // A model that the harness does not know: of others it takes the window to be a million tokens (0.3.332).
  const result = await runtime.run({ ...SPEC, model: "some-model" }, "do it");
  expect(result).toMatchObject({ ok: true, text: "done" });
  expect(seen.ofType("system").map(({ message }) => message)).toContain("the harness compacted the context");
  const summary = rehearsal.journal.findIndex(({ lastUserText }) => asksForSummary(lastUserText));
  const next = messagesText(rehearsal, summary + 1);
  expect(next).toContain("so far");
  expect(next).toContain("- artifacts/from-before.txt");
  expect(next).toContain("scripts/");
  expect(next.split("from-before.txt")).toHaveLength(2);
});
