import { expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say, type Rehearsal } from "../../src/testing/index.ts";
import { main, stage, sub } from "../support/stage.ts";

const delegate = call("Agent", { description: "d", prompt: "look", subagent_type: "worker" });

/** Runs a coordinator with one worker, as the starter flow has them, and an empty workbench. */
async function firstRequests(tools: readonly string[]): Promise<Rehearsal> {
  const { runtime, rehearsal } = await stage([main([delegate, say("done")]), sub([say("Conclusion: done")])]);
  const prompt = "You are a worker in a team of agents. A coordinator gave you one task.";
  const workers = { worker: worker("Does hands-on work in the workspace.", prompt, { tools }) };
  const channel = new HumanChannel({ timeoutMs: 0 });
  expect((await runtime.run(coordinator("work", "", workers, { channel }), "do it")).ok).toBe(true);
  return rehearsal;
}

/** Characters of a request as it was sent. */
function charsOf(rehearsal: Rehearsal, index: number) {
  const { tools = [], system, messages } = rehearsal.body(index);
  const [toolChars, systemChars, messageChars] = [tools, system, messages].map(
    (part) => JSON.stringify(part).length,
  );
  const total = toolChars! + systemChars! + messageChars!;
  return { total, toolChars, systemChars, messageChars, names: tools.map(({ name }) => String(name)) };
}

// Bare the three measure 26,171, 13,758 and 9,801 characters (0.3.332): the rest is for rules and index.
it("a coordinator's first request is at most 30,000 characters, a worker's 15,500", async () => {
  const rehearsal = await firstRequests(["Read", "Write", "Edit", "Bash", "Grep", "Glob"]);
  const first = charsOf(rehearsal, 0);
  expect(first.names).toEqual(
    expect.arrayContaining([
      ...["Agent", "Bash", "Edit", "Glob", "Grep", "Read", "TodoWrite", "Write"],
      ...["mcp__flower__ask", "mcp__flower__inbox"],
    ]),
  );
  expect(first.total, JSON.stringify(first)).toBeLessThanOrEqual(30_000);
  const worker = charsOf(rehearsal, 1);
  expect(worker.names).toEqual(["Read", "Write", "Edit", "Bash", "Grep", "Glob"]);
  expect(worker.total, JSON.stringify(worker)).toBeLessThanOrEqual(15_500);
});

it("a worker's first request without Grep and Glob is at most 11,500 characters", async () => {
  const worker = charsOf(await firstRequests(["Read", "Write", "Edit", "Bash"]), 1);
  expect(worker.names).toEqual(["Read", "Write", "Edit", "Bash"]);
  expect(worker.total, JSON.stringify(worker)).toBeLessThanOrEqual(11_500);
});
