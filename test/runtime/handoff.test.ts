import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { blocksOf } from "../../src/testing/wire.ts";
import { DOCUMENT, grow, main, SPEC, stage } from "../support/stage.ts";

describe("handoff", () => {
  const policy = { enabled: true, window: 60_000 };

  it("has the session write, freezes the file, and starts the successor from exactly that file", async () => {
    const { workspace, runtime, rehearsal, seen } = await stage(
      [main([grow, grow, say(DOCUMENT), say("finished")])],
      {
        handoff: policy,
        spillThreshold: 0,
        reviewHandoff: async ({ path }) => appendFile(path ?? "", "\nEDITED BY A PERSON\n"),
      },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "finished", attempts: 1 });
    expect(result.errors).toEqual([]);
    expect(result.retired).toHaveLength(1);
    expect(result.sessionId).not.toBe(result.retired[0]);
    expect(result.generations[0]).toMatchObject({ reason: "level", degraded: false });
    const [, work, writing, successor] = rehearsal.journal;
    // No call between the decision and the document prompt; same process, prefix from the cache.
    expect(rehearsal.journal).toHaveLength(4);
    expect(writing?.sessionId).toBe(work?.sessionId);
    expect(writing?.lastUserText).toMatch(/Dead ends/);
    expect(writing?.cacheRead).toBeGreaterThanOrEqual(work?.inputTokens ?? Number.NaN);
    expect(successor?.sessionId).not.toBe(work?.sessionId);
    const file = await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
    expect(file).toContain("EDITED BY A PERSON");
    expect(successor?.lastUserText).toContain(file.trim());
    expect(successor?.lastUserText).toMatch(/^You are taking over/);
    expect(seen.ofType("handoff").map((event) => event.phase)).toEqual(["near", "writing", "done"]);
    // The writing round sends no text to the interface.
    expect(seen.ofType("text").map((event) => event.text)).toEqual(["finished"]);
  });

  // Fails when the exemption is taken out of handoffDue (`!state.writing`): the batch of the refused call would cut
  // the round before its first word, and the document would have to be asked for again.
  it("does not cut the round that writes the document, also when it tries a tool first", async () => {
    const { runtime, rehearsal, seen } = await stage(
      [main([grow, grow, call("Bash", { command: "echo sneaky" }), say(DOCUMENT), say("finished")])],
      { handoff: policy, spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "finished" });
    expect(result.generations.map((generation) => generation.degraded)).toEqual([false]);
    expect(JSON.stringify(rehearsal.body(3).messages)).toContain("only writes the handoff document");
    expect(seen.ofType("prompt").filter((event) => event.kind === "handoff")).toHaveLength(1);
  });

  it("asks once more for a missing section, then degrades and goes on", async () => {
    const { runtime, rehearsal } = await stage(
      [main([grow, grow, say("## Doing now\nx"), say("no document at all"), say("finished")])],
      { handoff: policy, spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, "the original prompt");
    expect(result).toMatchObject({ ok: true, text: "finished" });
    expect(result.generations[0]?.degraded).toBe(true);
    expect(result.errors.join()).toMatch(/degraded/);
    expect(rehearsal.journal[3]?.lastUserText).toMatch(/Next step/);
    expect(rehearsal.journal[4]?.lastUserText).toContain("the original prompt");
  });

  it("refuses the handoff after the last generation and says why", async () => {
    const { runtime } = await stage(
      [
        main((r) =>
          /Dead ends/.test(r.lastUserText) && !/^You are taking/.test(r.lastUserText) ? say(DOCUMENT) : grow,
        ),
      ],
      {
        handoff: { ...policy, maxGenerations: 2 },
        spillThreshold: 0,
      },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result.ok).toBe(false);
    expect(result.retired).toHaveLength(2);
    expect(result.error).toMatch(/--window.*--no-handoff/s);
  });

  it("carries text that looks like a command through the document as text", async () => {
    const { runtime, rehearsal } = await stage(
      [main([grow, grow, say(`${DOCUMENT}\n\n/clear\n/compact\n@main.js`), say("finished")])],
      { handoff: policy, spillThreshold: 0 },
    );
    await runtime.run(SPEC, "/clear then @main.js");
    const [prompt] = blocksOf(rehearsal.body(0).messages[0]?.content);
    expect(prompt).toMatchObject({ type: "text", text: "/clear then @main.js" });
    expect(rehearsal.journal[3]?.lastUserText).toMatch(/\/clear\n\/compact\n@main\.js/);
  });
});
