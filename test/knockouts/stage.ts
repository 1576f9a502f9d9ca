import type { AgentSpec } from "../../src/core/spec.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import type { Actor, Rehearsal } from "../../src/testing/index.ts";
import { onCleanup, rehearse, tempDir } from "../support/rehearse.ts";

/** A main thread that works itself. */
export const SPEC: AgentSpec = {
  name: "work",
  instructions: "You are under test.",
  model: "claude-opus-5",
  allowedTools: ["Bash", "Read", "Write"],
};

/** The actor of the main thread. */
export const main = (script: Actor["script"]): Actor => ({
  name: "main",
  when: (request) => !request.isSubagent,
  script,
});

/** The actor of all subagents. */
export const sub = (script: Actor["script"]): Actor => ({
  name: "sub",
  when: (request) => request.isSubagent,
  script,
});

/** A runtime over the real harness and a rehearsal, both gone after the test. */
export async function stage(
  actors: readonly Actor[],
  options: Partial<RuntimeOptions> = {},
): Promise<{ workspace: string; runtime: Runtime; rehearsal: Rehearsal; messages(index: number): string }> {
  const workspace = options.workspace ?? (await tempDir());
  const rehearsal = await rehearse({ scenario: { name: "knockouts", actors } });
  const runtime = new Runtime({
    workbench: true,
    resilience: false,
    ...options,
    env: { ...process.env, ...rehearsal.env, HOME: workspace, ...options.env },
    workspace,
  });
  onCleanup(async () => runtime.close());
  return {
    workspace,
    runtime,
    rehearsal,
    messages: (index) => JSON.stringify(rehearsal.body(index).messages),
  };
}
