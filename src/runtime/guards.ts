import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { spillOutput } from "../context/spill-text.ts";
import type { ToolAddition, ToolCall, ToolHook } from "../core/tool-call.ts";
import { createGate, notAllowed } from "../gate/gate.ts";
import type { GatePolicy } from "../gate/policy.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { gatePolicy } from "./gate-policy.ts";
import { DEFAULT_SPILL_THRESHOLD } from "./options.ts";
import { readsSpill } from "./spill-read.ts";

/** Where a guard's rules on paths look. */
export interface GuardPlaces {
  /** Directory of the work. */
  workspace: string;
  /** Default: none. */
  workbench?: Workbench;
  /** Default `runs` in the workspace. */
  runDir?: string;
  /** Default: that of the user. */
  home?: string;
}

/** The piece of flower's gate that these rights mean, as a rule of its own. */
function gateHook(
  { workspace, workbench, runDir = "runs", home = homedir() }: GuardPlaces,
  rights: Partial<GatePolicy>,
): { beforeTool(call: ToolCall): string | undefined } {
  const places = {
    workspace: resolve(workspace),
    runDir: resolve(workspace, runDir),
    home,
    workbench,
    credentialFiles: [],
  };
  const gate = createGate(
    gatePolicy(places, {
      delegateOnly: false,
      readOnly: false,
      glance: false,
      throwaway: false,
      mode: "auto",
      allowPublish: false,
      ...rights,
    }),
  );
  return {
    beforeTool(call) {
      const verdict = gate.decide(call);
      return verdict.allow ? undefined : verdict.reason;
    },
  };
}

/**
 * Leaves a main thread delegation, reading, its list of things to do and, with `glance`, commands that only look. Part of
 * what `AgentSpec.delegateOnly` does; for sessions that are driven without a `Runtime`, or specs that do not set it.
 * @param options `glance`: default false.
 */
export function delegateGuard({ glance = false, ...places }: GuardPlaces & { glance?: boolean }): ToolHook {
  const { beforeTool } = gateHook(places, { delegateOnly: true, glance });
  return { beforeTool: (call) => (call.agentId === undefined ? beforeTool(call) : undefined) };
}

/** Leaves a main thread these tools and no other, as `AgentSpec.allowedTools` does. Subagents have their own lists. */
export function whitelistGuard(tools: readonly string[]): ToolHook {
  const allowed = new Set(tools);
  return {
    beforeTool: (call) =>
      call.agentId !== undefined || allowed.has(call.name) ? undefined : notAllowed(call, tools).reason,
  };
}

/**
 * Keeps subagents of these types in worktrees of their own: nothing that changes the shared checkout, its branches, index
 * or stash, or another's worktree.
 * @param options `worktrees`: the directories that hold them, absolute.
 */
export function isolateGuard({
  agents,
  worktrees,
  ...places
}: GuardPlaces & { agents: readonly string[]; worktrees: readonly string[] }): ToolHook {
  const { beforeTool } = gateHook(places, { isolatedAgents: agents, worktrees });
  return {
    beforeTool: (call) =>
      call.agentType !== undefined && agents.includes(call.agentType) ? beforeTool(call) : undefined,
  };
}

/** What {@link spillGuard} spills, and where to. */
export interface SpillGuardOptions {
  workbench: Workbench;
  /** Characters from which on a text is spilled. Default 4,000. */
  thresholdChars?: number;
  /** Results of subagents stay whole. Default false. */
  mainOnly?: boolean;
  /** Makes what takes secrets out of a text that is written. Default: it is written as it is. */
  redact?: (text: string) => string;
}

/** Writes long results to `spill/` and leaves a pointer with a preview. What reads them back is left whole. */
export function spillGuard({
  workbench,
  thresholdChars = DEFAULT_SPILL_THRESHOLD,
  mainOnly = false,
  redact = (text) => text,
}: SpillGuardOptions): {
  /** What stands in place of a long result; undefined when it stays as it is. */
  afterTool(call: ToolCall, output: unknown): ToolAddition | undefined;
} {
  return {
    afterTool(call, output) {
      if (thresholdChars === 0 || (mainOnly && call.agentId !== undefined)) return undefined;
      if (readsSpill(call, workbench)) return undefined;
      const spilled = spillOutput(call.name, output, {
        thresholdChars,
        keepsTail: call.name === "Bash",
        readFile: (path) => {
          const whole = readWhole(path);
          return whole === undefined ? undefined : redact(whole);
        },
        write: (text) => workbench.spill(text)?.path,
      });
      return spilled === undefined ? undefined : { output: spilled };
    },
  };
}

/** Tells the main thread what changed in the workbench since it last saw the index, with each result of a subagent. */
export function indexGuard({ workbench }: { workbench: Workbench }): ToolHook {
  let shown = workbench.index();
  return {
    afterTool({ name, agentId }) {
      if (name !== "Agent" || agentId !== undefined) return undefined;
      const news = workbench.indexDiff(shown);
      shown = workbench.index();
      return news === undefined ? undefined : { context: news };
    },
  };
}

function readWhole(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
