import { expect, it } from "vitest";
import type { AgentSpec } from "../../src/core/spec.ts";
import { MemorySessionStore } from "../../src/store/index.ts";
import { call, say } from "../../src/testing/index.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

/** A tool whose calls come back when two have come: of runs that go one after another, the first would wait for ever. */
function meeting(): AgentSpec {
  const waiting: Array<() => void> = [];
  const handle = async (): Promise<string> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const go of waiting) go();
    });
    return "met";
  };
  const meet = { name: "meet", description: "Waits for the other.", input: {}, handle };
  return {
    ...SPEC,
    allowedTools: ["Read", "mcp__two__meet"],
    mcpServers: { two: { kind: "inProcess", tools: [meet] } },
  };
}

it("branches of a session run at once, each with its history and its own end; the session stays as it was", async () => {
  const store = new MemorySessionStore();
  const spec = meeting();
  const at = await stage(
    [
      main(({ lastUserText, toolResults }) => {
        if (toolResults.length > 0) return say("met the other");
        const [prompt = ""] = lastUserText.split("\n");
        return prompt.startsWith("branch") ? call("mcp__two__meet", {}) : say(`answer to ${prompt}`);
      }),
    ],
    { store },
  );
  const entries = async (sessionId: string): Promise<string> =>
    JSON.stringify(await store.load({ projectKey: ".", sessionId }));
  interface Context {
    ends: string[];
  }
  let before = "";
  let draftId = "";
  const steps: Array<Step<Context>> = [
    {
      name: "draft",
      spec,
      prompt: "draft",
      reduce: async ({ sessionId = "" }, context) => {
        draftId = sessionId;
        before = await entries(sessionId);
        const branches = ["branch one", "branch two"].map(async (prompt) =>
          at.runtime.run(spec, prompt, { stepName: prompt, resume: sessionId, fork: true }),
        );
        context.ends.push(...(await Promise.all(branches)).map(({ text }) => text));
      },
    },
    { name: "review", spec, prompt: "review", resumeFrom: "draft", fork: true },
    { name: "mend", spec, prompt: "mend", resumeFrom: "draft" },
  ];
  const context: Context = { ends: [] };
  const { ok, results } = await new Workflow(steps).run(at.runtime, context);
  expect(results.map(({ error }) => error).join("")).toBe("");
  expect(ok).toBe(true);
  expect(context.ends).toEqual(["met the other", "met the other"]);

  const sentBy = (prompt: string): string => {
    const index = at.rehearsal.journal.findIndex((_row, i) => messagesText(at.rehearsal, i).includes(prompt));
    return messagesText(at.rehearsal, index);
  };
  for (const prompt of ["branch one", "branch two", "review", "mend"])
    expect(sentBy(`"${prompt}`), prompt).toContain("answer to draft");
  expect(sentBy("branch one")).not.toContain("branch two");
  expect(sentBy("branch two")).not.toContain("branch one");
  // What follows goes on in the draft itself, which knows nothing of its copies.
  expect(sentBy('"mend')).not.toMatch(/branch|review/);
  const [draft, review, mend] = results.map(({ sessionId }) => sessionId);
  expect(mend).toBe(draft);
  expect(review).not.toBe(draft);
  expect((await entries(draftId)).startsWith(before.slice(0, -1))).toBe(true);
});
