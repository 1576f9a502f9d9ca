import { expect, it } from "vitest";
import { foldSessions, listSessions } from "../../src/runtime/sessions.ts";
import { say, type FixedReply } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";
import { DOCUMENT, grow, isDocumentRound, isSuccessor, main, SPEC, stage } from "../support/stage.ts";

it("sessions are listed with step, time, size, context and cost, the last one used at the end", async () => {
  const { workspace, runtime } = await stage(
    [
      main((request): FixedReply => {
        if (isDocumentRound(request)) return say(DOCUMENT);
        return isSuccessor(request) ? say("finished") : grow;
      }),
    ],
    { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
  );
  const { runDir } = runtime.options;
  const first = await runtime.run(SPEC, "do it");
  const second = await runtime.run({ ...SPEC, name: "again" }, "go on", { resume: first.sessionId ?? "" });
  // Also while the run is open.
  const listed = await listSessions({ workspace, runDir });
  expect(listed).toMatchObject([
    { sessionId: first.retired[0], step: "work", status: "retired", window: 60_000 },
    { sessionId: first.sessionId, step: "again", status: "done" },
  ]);
  expect(listed.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeCloseTo(
    first.costUsd + second.costUsd,
    9,
  );
  for (const { entries, bytes, context, startedAt, endedAt } of listed) {
    expect(entries).toBeGreaterThan(3);
    expect(bytes).toBeGreaterThan(entries * 50);
    expect(context).toBeGreaterThan(0);
    expect(Date.parse(startedAt ?? "")).toBeLessThanOrEqual(Date.parse(endedAt ?? ""));
  }
});

it.runIf(LONG)(
  "a run that failed before its first request takes nothing from a session, and other workspaces' sessions are theirs",
  async () => {
    const runDir = await tempDir();
    const mine = await stage([main(() => say("one"))], { runDir });
    const first = await mine.runtime.run(SPEC, "do it");
    const options = { resume: first.sessionId ?? "", resumeAt: "00000000-0000-4000-8000-000000000000" };
    expect((await mine.runtime.run(SPEC, "go on", options)).ok).toBe(false);
    await mine.runtime.close();
    const other = await stage([main(() => say("two"))], { runDir });
    await other.runtime.run(SPEC, "do it");
    const listed = await listSessions({ workspace: mine.workspace, runDir });
    expect(listed).toMatchObject([{ sessionId: first.sessionId, context: first.context }]);
    expect(listed[0]?.context).toBeGreaterThan(0);
  },
  60_000,
);

it("what no row tells is null", () => {
  const rows = [{ step: "work", sessionId: "begun", status: "running", context: 0, window: 0, costUsd: 0 }];
  const sizes = new Map([["lost", { sessionId: "lost", entries: 3, bytes: 90 }]]);
  expect(foldSessions(rows, sizes)).toMatchObject([
    { sessionId: "lost", step: null, context: null, window: null, costUsd: null },
    { sessionId: "begun", context: null, window: null, costUsd: 0 },
  ]);
});

it("of a run directory without books there are none", async () => {
  const workspace = await tempDir();
  expect(await listSessions({ workspace, runDir: `${workspace}/runs` })).toEqual([]);
});
