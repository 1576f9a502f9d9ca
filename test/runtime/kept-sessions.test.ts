import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

// Fails when a kept process is used for whoever names its session: it has the tools and the model of the step before.
it("a kept session serves its own agent alone: a fork of it, another agent and a place in it get a process of theirs", async () => {
  const { runtime, rehearsal, workspace } = await stage([
    main(({ lastUserText }) =>
      lastUserText.startsWith("review")
        ? call("Write", { file_path: "reviewed.txt", content: "x" })
        : say("made"),
    ),
  ]);
  const work = async (prompt: string, options: object = {}) =>
    runtime.run(SPEC, prompt, { stepName: "work", keepAlive: true, ...options });
  const first = await work("make it");
  const resume = first.sessionId ?? "";
  const reader = { ...SPEC, name: "review", model: "claude-haiku-4-5", allowedTools: ["Read"], maxTurns: 1 };
  const review = await runtime.run(reader, "review it", { resume, fork: true });
  expect(review.sessionId).not.toBe(resume);
  expect(existsSync(join(workspace, "reviewed.txt"))).toBe(false);
  expect(rehearsal.journal.at(-1)?.model).toBe("claude-haiku-4-5");

  await work("go on", { resume });
  const nowhere = "00000000-0000-4000-8000-000000000000";
  expect(await work("go back", { resume, resumeAt: nowhere })).toMatchObject({ ok: false });
  const again = await work("and on", { resume });
  expect(again).toMatchObject({ ok: true, sessionId: resume });
  const texts = JSON.stringify(rehearsal.body(rehearsal.journal.at(-1)?.index ?? 0).messages);
  expect(texts).toMatch(/make it.*go on.*and on/);
  expect(texts).not.toContain("review it");
}, 60_000);
