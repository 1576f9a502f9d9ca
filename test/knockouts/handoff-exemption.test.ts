import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { DOCUMENT, main, SPEC, stage } from "../support/stage.ts";

// One refused call would not do: cut at its batch, the session is asked a second time, and writes the document then.
it("the round that writes the document is not cut, however often it tries a tool first", async () => {
  const grow = call("Bash", { command: "head -c 28000 /dev/zero | tr '\\0' x" });
  const sneaky = call("Bash", { command: "echo sneaky" });
  const { runtime, rehearsal } = await stage(
    [main([grow, grow, sneaky, sneaky, sneaky, say(DOCUMENT), say("finished")])],
    { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
  );
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: true, text: "finished", errors: [] });
  expect(result.generations.map(({ reason, degraded }) => [reason, degraded])).toEqual([["level", false]]);
  // Asked for the document once: the refused calls belong to that round.
  const asked = rehearsal.journal.map((row) => row.lastUserText).filter((text) => text.includes("Dead ends"));
  expect(asked.filter((text) => !text.startsWith("You are taking over"))).toHaveLength(1);
});
