import { expect, it } from "vitest";
import { MemorySessionStore } from "../../src/store/index.ts";
import { call, say, together } from "../../src/testing/index.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { LONG } from "../support/long.ts";
import { main, messagesText, SPEC, stage, sub } from "../support/stage.ts";

/** Kills the harness from one of its commands: the nearest process above that speaks its protocol. */
const SUICIDE = `cat > die.py <<'END'
import os
pid = os.getpid()
while b"stream-" b"json" not in open(f"/proc/{pid}/cmdline", "rb").read():
    pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
os.kill(pid, 9)
END
python3 die.py`;

// Fails when a round without a result is booked as nothing: a harness that dies often would get round every budget.
it.runIf(LONG)(
  "what a harness had spent when it died stays in the books",
  async () => {
    let killed = false;
    const { runtime, rehearsal, seen } = await stage(
      [
        main((request) => {
          if (request.turnCount < 6) return call("Bash", { command: `sleep 0.4; echo ${request.turnCount}` });
          if (killed) return say("done");
          killed = true;
          return call("Bash", { command: SUICIDE });
        }),
      ],
      { sandbox: "off" },
    );
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "done", attempts: 2 });
    const { input, cacheRead, cacheWrite } = result.tokens.main;
    const asked = rehearsal.journal.reduce((sum, row) => sum + row.inputTokens, 0);
    expect(input + cacheRead + cacheWrite).toBeGreaterThan(0.7 * asked);
    const costs = seen.ofType("usage").map(({ costUsd }) => costUsd);
    expect([...costs].sort((a, b) => a - b)).toEqual(costs);
    expect(result.costUsd).toBeGreaterThanOrEqual(costs.at(-1) ?? Infinity);
    expect(result.costUsd).toBeGreaterThan(1.3 * (costs[0] ?? Infinity));
  },
  60_000,
);

// Fails when the cost is asked at the main thread's boundaries alone: subagents work for hours between two of them.
it.runIf(LONG)(
  "what subagents had spent when it died stays in the books, and counts against the budget",
  async () => {
    const actors = (dies: boolean) => [
      main((request) =>
        request.turnCount === 0
          ? call("Agent", { description: "part", prompt: "part", subagent_type: "worker" })
          : say("done"),
      ),
      sub((request) => {
        if (request.turnCount < 8)
          return call("Bash", { command: `sleep 0.6; echo ${request.turnCount}; head -c 3000 /dev/zero` });
        return dies ? call("Bash", { command: `sleep 2.5; ${SUICIDE}` }) : say("report");
      }),
    ];
    const team = coordinator("work", "", { worker: worker("works", "You work.") });
    const { runtime, seen } = await stage(actors(true), { sandbox: "off" });
    const result = await runtime.run(team, "do it");
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    // While the subagent works; the last one is that of the broken round.
    const diedMs = seen.ofType("retry")[0]?.timeMs ?? 0;
    const inAgent = seen.ofType("usage").filter(({ costUsd, timeMs }) => costUsd > 0 && timeMs <= diedMs);
    expect(inAgent.length).toBeGreaterThan(1);
    expect(result.costUsd).toBeGreaterThanOrEqual(inAgent.at(-1)?.costUsd ?? Infinity);

    const bounded = await stage(actors(false), { sandbox: "off", budgetUsd: 0.02 });
    const stopped = await bounded.runtime.run(team, "do it");
    expect(stopped).toMatchObject({ ok: false });
    expect(stopped.error).toMatch(/budget/);
    // Fails when only the main thread is cut: the subagent would go on to its end.
    expect(bounded.rehearsal.journal.filter(({ agentId }) => agentId !== undefined).length).toBeLessThan(9);
  },
  60_000,
);

// Fails when the harness is asked all the same: it finds the session in files of its own, and counts its costs again.
it("a session that the store does not hold is not gone on with", async () => {
  const script = main((request) => say(`answer ${request.turnCount}`));
  const first = await stage([script]);
  const { sessionId = "" } = await first.runtime.run(SPEC, "do it");
  await first.runtime.close();
  const store = new MemorySessionStore();
  const { runtime, seen } = await stage([script], { workspace: first.workspace, store });
  expect(await runtime.run(SPEC, "go on", { resume: sessionId })).toMatchObject({
    ok: false,
    error: `${sessionId}: the session is not in the store: start it anew`,
  });
  const fresh = await runtime.run(SPEC, "go on", { resume: sessionId, freshPrompt: "do it" });
  expect(fresh).toMatchObject({ ok: true, text: "answer 0", resumed: false });
  expect(fresh.sessionId).not.toBe(sessionId);
  expect(seen.ofType("system").some(({ message }) => /gone from the store/.test(message))).toBe(true);
});

// Fails when `withLostReports` is left out: the coordinator reads that there is no result, and has all done again.
it("what a subagent had done when the harness died is told to its coordinator, with its transcript", async () => {
  const send = (prompt: string) => call("Agent", { description: prompt, prompt, subagent_type: "worker" });
  const { runtime, rehearsal, workspace } = await stage(
    [
      main(({ turnCount }) =>
        turnCount === 0 ? together(send("look for the leak"), send("end it all")) : say("sent again"),
      ),
      sub((request) => {
        if (request.firstUserText.includes("leak"))
          return request.turnCount === 0
            ? together(say("found the leak in pool.ts"), call("Bash", { command: "echo pool > leak.txt" }))
            : call("Bash", { command: "sleep 30" });
        return call("Bash", { command: request.turnCount === 0 ? "sleep 3" : SUICIDE });
      }),
    ],
    { sandbox: "off" },
  );
  const team = coordinator("work", "", { worker: worker("works", "You work.") });
  expect(await runtime.run(team, "do it")).toMatchObject({ ok: true, text: "sent again", attempts: 2 });
  const last = messagesText(rehearsal, rehearsal.journal.length - 1);
  expect(last.match(/interrupted, not a final report/g)).toHaveLength(2);
  expect(last).toContain("found the leak in pool.ts");
  expect(last).toContain("echo pool > leak.txt");
  expect(last).toContain(`Its transcript: ${workspace}/.flower/spill/`);
}, 60_000);
