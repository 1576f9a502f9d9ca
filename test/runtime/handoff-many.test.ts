import { expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say, together, type FixedReply } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { DOCUMENT, main, messagesText, stage, sub } from "../support/stage.ts";

const HANDOFFS = LONG ? 20 : 3;

it(`${HANDOFFS} handoffs in one step: none degraded, no report lost, no request between decision and document`, async () => {
  let reports = 0;
  let successors = 0;
  const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
  const { runtime, rehearsal } = await stage(
    [
      main((request): FixedReply => {
        if (/under exactly these headings/.test(request.lastUserText)) return say(DOCUMENT);
        if (/^You are taking over/.test(request.lastUserText)) successors += 1;
        return successors === HANDOFFS ? say("finished") : together(send, send);
      }),
      sub(() => {
        reports += 1;
        return say(`report ${reports}.\n${"evidence ".repeat(420)}`);
      }),
    ],
    { handoff: { enabled: true, window: 60_000, maxGenerations: HANDOFFS } },
  );
  const result = await runtime.run(
    coordinator("work", "", { worker: worker("works", "You work.") }),
    "do it",
  );
  expect(result).toMatchObject({ ok: true, text: "finished", attempts: 1, errors: [] });
  expect(new Set(result.retired).size).toBe(HANDOFFS);
  expect(result.generations.map((generation) => generation.degraded)).toEqual(Array(HANDOFFS).fill(false));

  const rows = rehearsal.journal.filter((row) => row.agentId === undefined);
  const documents = rows.filter((row) => /under exactly these headings/.test(row.lastUserText));
  expect(documents).toHaveLength(HANDOFFS);
  for (const row of documents) {
    const before = rows[rows.indexOf(row) - 1];
    expect(before?.sessionId).toBe(row.sessionId);
    expect(before?.reply).toMatch(/tool_use Agent, tool_use Agent → tool_use/);
    // In the same process: all that the request before had is served from the cache.
    expect(row.cacheRead).toBeGreaterThanOrEqual(before?.inputTokens ?? Number.NaN);
  }
  // Every report stood in front of the session that had asked for it, at the latest when it wrote.
  const written = documents.map((row) => messagesText(rehearsal, row.index)).join("\n");
  for (let report = 1; report <= reports; report += 1) expect(written).toContain(`report ${report}.`);
}, 180_000);
