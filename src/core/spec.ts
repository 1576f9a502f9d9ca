import type { ZodRawShape } from "zod";
import type { ToolHook } from "./tool-call.ts";

/** When the harness may compact by itself. `noSummary` and `off` both keep it from doing so. */
export interface CompactPolicy {
  mode: "auto" | "noSummary" | "off";
  /** Tokens at which `auto` compacts; default: the harness's own line (window − 33,000). */
  window?: number;
}

/** Context that a tool of flower's own gets with each call. */
export interface ToolContext {
  /** Aborted when the harness gives the call up. */
  readonly signal: AbortSignal;
}

/** A tool served by this process. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** Zod shape of the input object. */
  input: ZodRawShape;
  /** Returns the text that the model sees. A throw becomes an error result with the error's message. */
  handle(input: Record<string, unknown>, context: ToolContext): Promise<string>;
}

/** An MCP server: in this process (`tools`), a program (`command`), or a URL. */
export type McpServer =
  | { kind: "inProcess"; tools: readonly ToolDefinition[]; timeoutMs?: number }
  | { kind: "stdio"; command: string; args?: string[]; env?: Record<string, string> }
  | { kind: "http"; url: string; headers?: Record<string, string> };

/** A subagent that the main thread may start. Made by `worker()`. */
export interface SubagentSpec {
  /** When to use it; the coordinator reads this. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  tools: readonly string[];
  /** Model name, or `inherit` for that of the main thread. */
  model: string;
  effort?: Effort;
  maxTurns?: number;
  /** Work in a git worktree of its own. */
  isolate: boolean;
}

/** How much a model thinks, as the SDK names it (0.3.332). */
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** One agent run: who it is and what it may use. All limits are per step. */
export interface AgentSpec {
  name: string;
  /** Appended to the preset system prompt; must not change while a session lives (a resume pins it). */
  instructions: string;
  /** Tools of the main thread; default: all that the harness offers. */
  allowedTools?: readonly string[];
  /** Default: what the environment says, else the harness's default. */
  model?: string;
  effort?: Effort;
  /** Main-thread turns of the step, over all its processes; counted by flower. */
  maxTurns?: number;
  /** US dollars for the step, over all its processes; counted by flower. */
  maxBudgetUsd?: number;
  agents?: Readonly<Record<string, SubagentSpec>>;
  mcpServers?: Readonly<Record<string, McpServer>>;
  /**
   * Directories of plugins, absolute or relative to the workspace. Their skills (with `Skill` among the tools) and
   * agents are called `<plugin>:<name>`. Their hooks run outside of flower's gate: name only plugins that you trust.
   */
  plugins?: readonly string[];
  /** Unset: `noSummary` while handoff is on, `auto` otherwise. */
  compact?: CompactPolicy;
  env?: Readonly<Record<string, string>>;
  /** The main thread may run glance commands although it delegates. Default false. */
  glance?: boolean;
  /** Put the workbench's index before the main thread. Default: whether the runtime has a workbench. */
  workbench?: boolean;
  /** The main thread delegates: Agent, reading, to-do list, glance commands; all else is refused. Default false. */
  delegateOnly?: boolean;
  /** `ask`: this agent asks the person although the runtime does not; the runtime's `ask` holds for all. Default `auto`. */
  permissionMode?: "auto" | "ask";
  /** Rules of one's own on tool calls, of the main thread and of subagents. They come after flower's own rules. */
  hooks?: readonly ToolHook[];
  /** The main thread reads and asks; writing, running and delegating are refused. Default false. */
  readOnly?: boolean;
  /**
   * May run anything in the throwaway copy of the workspace that its run is given as `copyMount`; see
   * `makeThrowawayCopy`. Refused without one. Default false.
   */
  throwawayCopy?: boolean;
}
