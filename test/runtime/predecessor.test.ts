import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { predecessorCostUsd } from "../../src/runtime/predecessor.ts";
import { call, say, type FixedReply, type RehearsalRequest } from "../../src/testing/index.ts";
import { DOCUMENT, isDocumentRound, isSuccessor, main, messagesText, stage, sub } from "../support/stage.ts";

const isQuestion = (r: RehearsalRequest): boolean => /took over your work asks/.test(r.lastUserText);
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
const spec = coordinator("work", "", { worker: worker("works", "You work.") });

/** A coordinator that hands over; its successor then asks the session before it. */
const actors = [
  main((request): FixedReply => {
    if (isQuestion(request)) return say("it was the parser\n".repeat(20));
    if (isDocumentRound(request)) return say(DOCUMENT);
    if (!isSuccessor(request)) return send;
    return request.turnCount === 0
      ? call("mcp__flower__predecessor", { question: "why not the lexer?" })
      : say(request.toolResults[0]?.text ?? "");
  }),
  sub(() => say(`a report\n${"evidence ".repeat(400)}`)),
];

describe("a retired session", () => {
  it("answers its successor in ten lines, from a copy that leaves no trace but its cost", async () => {
    const { workspace, runtime, rehearsal } = await stage(actors, {
      handoff: { enabled: true, window: 60_000 },
    });
    const result = await runtime.run(spec, "do it");
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    expect(result.text.split("\n")).toEqual(Array.from({ length: 10 }, () => "it was the parser"));
    const asked = rehearsal.journal.find((row) => /took over your work asks/.test(row.lastUserText));
    expect(messagesText(rehearsal, asked?.index ?? 0)).toContain("a report");
    expect([...result.retired, result.sessionId]).not.toContain(asked?.sessionId);
    expect(result.predecessorCostUsd).toBeGreaterThan(0);
    expect(runtime.spent().costUsd).toBeCloseTo(result.costUsd + result.predecessorCostUsd, 9);
    await runtime.close();
    const db = await readFile(join(workspace, "runs/sessions.db"), "latin1");
    const lineage = await readFile(join(workspace, "runs/lineage.json"), "utf8");
    expect(lineage).not.toContain(asked?.sessionId);
    expect(db).not.toContain(asked?.sessionId);
    expect(db).toContain(result.sessionId);
  });

  it("is not asked when that would cost more than allowed, and not offered when it may cost nothing", async () => {
    const { runtime, rehearsal } = await stage(actors, {
      handoff: { enabled: true, window: 60_000, predecessorBudgetUsd: 0.0001 },
    });
    const result = await runtime.run(spec, "do it");
    expect(result.text).toMatch(/^Not asked: it would cost about \$0\.\d\d, and \$0\.00 are allowed/);
    expect(rehearsal.journal.filter((row) => /took over your work asks/.test(row.lastUserText))).toEqual([]);

    const off = await stage(actors, { handoff: { enabled: true, window: 60_000, predecessorBudgetUsd: 0 } });
    await off.runtime.run(spec, "do it");
    const tools = off.rehearsal.journal.map((row) => JSON.stringify(off.rehearsal.body(row.index).tools));
    expect(tools.some((text) => text.includes("predecessor"))).toBe(false);
  });

  it("is offered to a later run as well, and not before there is one", async () => {
    const first = await stage(actors, { handoff: { enabled: true, window: 60_000 } });
    const done = await first.runtime.run(spec, "do it");
    await first.runtime.close();
    const tools = (row: number) => JSON.stringify(first.rehearsal.body(row).tools);
    expect(tools(0)).not.toContain("predecessor");
    const later = await stage([main(() => say("woken"))], { workspace: first.workspace });
    await later.runtime.run(spec, "go on", { resume: done.sessionId ?? "" });
    expect(JSON.stringify(later.rehearsal.body(0).tools)).toContain("predecessor");
  });
});

it("the estimate follows what the session's own tokens have cost", () => {
  const generation = {
    sessionId: "x",
    contextAtCut: 100_000,
    reason: "level",
    degraded: false,
    path: null,
    costUsd: 1,
    tokens: { input: 0, cacheRead: 0, cacheWrite: 80_000, output: 0 },
  } as const;
  // One dollar for 100,000 weighted tokens; 125,000 for the history and 3,000 for the answer.
  expect(predecessorCostUsd(generation, 1)).toBeCloseTo(1.28, 9);
  // Half of it is left after shrinking.
  expect(predecessorCostUsd(generation, 0.5)).toBeCloseTo(0.655, 9);
});
