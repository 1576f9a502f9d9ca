import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Resilience } from "../../src/runtime/resilience.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { apiError, say, type FixedReply } from "../../src/testing/index.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { rows } from "../support/long.ts";
import { DOCUMENT, FAST, grow, isDocumentRound, isSuccessor, main, SPEC, stage } from "../support/stage.ts";

const LATER = { ...FAST, backoffMs: 300_000, maxBackoffMs: 300_000 };

const OUTAGES: ReadonlyArray<
  readonly [string, Resilience, string, (runtime: Runtime) => Promise<void> | void]
> = [
  ["lasts longer than all tries", { ...FAST, maxAttempts: 1 }, "failed", () => undefined],
  ["is waited for when the run ends", LATER, "interrupted", async (runtime) => runtime.close()],
];

// Fails when a fault that is nobody's counts as a session that cannot write, or the end of the run as its last try.
it.each(rows(OUTAGES, ([when]) => when.startsWith("is waited")))(
  "an outage in the round that writes, which %s: the next run has the same session write first",
  async (_when, resilience, status, atRetry) => {
    let isDown = true;
    const worked: string[] = [];
    const script = main((request): FixedReply => {
      if (isSuccessor(request)) return say("finished");
      if (isDocumentRound(request)) return isDown ? apiError(529, "Overloaded") : say(DOCUMENT);
      worked.push(isDown ? "first" : "second");
      return grow;
    });
    const flow = new Workflow([{ name: "work", spec: SPEC, prompt: "do it" }]);
    const options = { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0, resilience };
    const first = await stage([script], {
      ...options,
      onEvent: ({ type }) => {
        // When the wait has begun.
        if (type === "retry") setTimeout(() => void atRetry(first.runtime), 200);
      },
    });
    const { results } = await flow.run(first.runtime, {});
    expect(results).toMatchObject([{ ok: false, status, retired: [], generations: [] }]);
    const lineage = JSON.parse(readFileSync(join(first.workspace, "runs/lineage.json"), "utf8")) as unknown;
    const { sessionId = "", error } = results[0]!;
    expect(lineage).toMatchObject({ steps: { work: { sessionId, handoff: "writing" } } });
    if (status === "failed") expect(error).toMatch(/run again.*writes its handoff document first/);
    await first.runtime.close();

    isDown = false;
    const second = await stage([script], { ...options, workspace: first.workspace });
    const again = await flow.run(second.runtime, {});
    expect(again.results).toMatchObject([
      { ok: true, text: "finished", retired: [sessionId], generations: [{ degraded: false }] },
    ]);
    expect(worked).not.toContain("second");
  },
  60_000,
);
