import type { AgentSpec } from "../../src/core/spec.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import {
  call,
  collectEvents,
  type Actor,
  type EventCollector,
  type Rehearsal,
  type RehearsalRequest,
} from "../../src/testing/index.ts";
import { onCleanup, rehearse, tempDir } from "./rehearse.ts";

/** A main thread that works itself. */
export const SPEC: AgentSpec = {
  name: "work",
  instructions: "You are under test.",
  model: "claude-opus-5",
  allowedTools: ["Bash", "Read", "Write"],
};

/** Waits of a fault that a test can afford. */
export const FAST = { backoffMs: 10, maxBackoffMs: 20, probeIntervalMs: 50 };

/** A complete handoff document. */
export const DOCUMENT =
  "## Doing now\nthe thing\n\n## Already decided\nplain Node\n\n## Dead ends\nnone so far\n\n## Next step\nrun the tests\n\n## Scene\nmain.js";

/** The scripted main thread. */
export const main = (script: Actor["script"]): Actor => ({
  name: "main",
  when: (r) => !r.isSubagent,
  script,
});
/** All scripted subagents. */
export const sub = (script: Actor["script"]): Actor => ({ name: "sub", when: (r) => r.isSubagent, script });

/** The request that asks a session for its handoff document. */
export const isDocumentRound = (request: RehearsalRequest): boolean =>
  /under exactly these headings/.test(request.lastUserText);
/** A request of a session that took over. */
export const isSuccessor = (request: RehearsalRequest): boolean =>
  /^You are taking over/.test(request.firstUserText);
/** A call whose result brings a main thread nearer to its handoff line, with spilling off; another one each time. */
export const grow = call("Bash", { command: "head -c 28000 /dev/zero | tr '\\0' x; date +%N" });

/** A runtime on the real harness, its scripted model, and what it said. */
export interface Stage {
  workspace: string;
  runtime: Runtime;
  rehearsal: Rehearsal;
  seen: EventCollector;
}

/** Sets a stage that goes with the test. */
export async function stage(
  actors: readonly Actor[],
  options: Partial<RuntimeOptions> = {},
  rehearsalOptions: { contextWindow?: number; inputTokensPerByte?: number } = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const workspace = options.workspace ?? (await tempDir());
  const rehearsal = await rehearse({ scenario: { name: "runtime", actors }, ...rehearsalOptions });
  const seen = collectEvents();
  const runtime = new Runtime({
    workbench: true,
    onEvent: seen.listener,
    resilience: FAST,
    env: { ...process.env, ...rehearsal.env, HOME: workspace, XDG_CONFIG_HOME: "", ...env },
    ...options,
    workspace,
  });
  onCleanup(async () => runtime.close());
  return { workspace, runtime, rehearsal, seen };
}

/** Text of the n-th request's messages, as sent. */
export function messagesText(rehearsal: Rehearsal, index: number): string {
  return JSON.stringify(rehearsal.body(index).messages);
}
