import { expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, stage, sub } from "../support/stage.ts";

it("turns and context of a step are those of its main thread", async () => {
  const { runtime, rehearsal } = await stage([
    main([call("Agent", { description: "d", prompt: "look", subagent_type: "worker" }), say("main says")]),
    sub([call("Bash", { command: "ls" }), call("Bash", { command: "ls" }), say("Conclusion: done")]),
  ]);
  const spec = coordinator("work", "", { worker: worker("works", "You work.") });
  const result = await runtime.run(spec, "do it");
  expect(result).toMatchObject({ text: "main says", numTurns: 2 });
  expect(rehearsal.journal).toHaveLength(5);
  expect(result.context).toBe(rehearsal.journal.at(-1)?.inputTokens);
});
